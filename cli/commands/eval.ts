import type { Command } from '../command';
import { ablateDatasets, evaluateDataset, evaluateDatasets } from '../evaluation/run-plain';
import { ablateWorkspace, evaluateWorkspace } from '../evaluation/run-samples';

/** `capability eval`: how good the search is, measured. */
export const evalCommand: Command = {
  usage:
    'eval [--dataset DIR | --all DIR] [--queries N] [--baseline okapi,minisearch,regex] [--ablate] [--report out.html]',
  summary: "Measures the search: on the workspace's own samples, or on retrieval datasets.",
  options: {
    dataset: { type: 'string' },
    all: { type: 'string' },
    queries: { type: 'string' },
    baseline: { type: 'string' },
    ablate: { type: 'boolean' },
    report: { type: 'string' },
  },
  positionals: [0, 0],
  run(options, terminal, host) {
    const { dataset, all, ablate } = options.values;
    const isPlain = typeof dataset === 'string' || typeof all === 'string';
    if (ablate === true) return isPlain ? ablateDatasets(options, terminal) : ablateWorkspace(options, terminal, host);
    if (typeof dataset === 'string') return evaluateDataset(dataset, options, terminal);
    return isPlain ? evaluateDatasets(options, terminal) : evaluateWorkspace(options, terminal, host);
  },
};

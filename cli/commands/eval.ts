import type { Command } from '../command';
import { ablateDatasets, evaluateDataset, evaluateDatasets } from '../evaluation/run-plain';
import { calibrateConfidence } from '../evaluation/run-calibration';
import { ablateWorkspace, evaluateWorkspace } from '../evaluation/run-samples';
import { tuneWeights } from '../evaluation/run-tuning';

/** `capability eval`: how good the search is, measured. */
export const evalCommand: Command = {
  usage:
    'eval [--dataset DIR | --all DIR] [--queries N] [--baseline okapi,minisearch,regex] [--foreign] [--ablate [part,part]] [--calibrate | --tune] [--write FILE] [--report out.html]',
  summary: "Measures the search: on the workspace's own samples, or on retrieval datasets.",
  options: {
    dataset: { type: 'string' },
    all: { type: 'string' },
    queries: { type: 'string' },
    baseline: { type: 'string' },
    foreign: { type: 'boolean' },
    ablate: { type: 'boolean' },
    report: { type: 'string' },
    calibrate: { type: 'boolean' },
    tune: { type: 'boolean' },
    write: { type: 'string' },
  },
  positionals: [0, 1],
  run(options, terminal, host) {
    const { dataset, all, ablate, calibrate, tune } = options.values;
    if (options.positionals.length > 0 && ablate !== true)
      throw new Error('Names of parts go with --ablate: `capability eval --ablate rerank,semantic`.');
    if (tune === true) return tuneWeights(options, terminal, host);
    if (calibrate === true) return calibrateConfidence(options, terminal, host);
    const isPlain = typeof dataset === 'string' || typeof all === 'string';
    if (ablate === true) return isPlain ? ablateDatasets(options, terminal) : ablateWorkspace(options, terminal, host);
    if (typeof dataset === 'string') return evaluateDataset(dataset, options, terminal);
    return isPlain ? evaluateDatasets(options, terminal) : evaluateWorkspace(options, terminal, host);
  },
};

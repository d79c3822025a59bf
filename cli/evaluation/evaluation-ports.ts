import type { MeasuredSearchPorts } from '../../capabilities/measured-search';
import { NodeClock } from '../../capabilities/node/node-clock';
import { NodeDigest } from '../../capabilities/node/node-digest';
import type { Terminal } from '../terminal';

/** What a measured search needs of this machine. Warnings, such as a late retriever, go to the terminal. */
export function createEvaluationPorts(terminal: Terminal): MeasuredSearchPorts {
  return {
    clock: new NodeClock(),
    digest: new NodeDigest(),
    logger: {
      log: (level, message) => {
        if (level === 'error' || level === 'warn') terminal.tell(`${level}: ${message}`);
      },
    },
  };
}

import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { MeasuredSearchPorts } from '../../capabilities/measured-search';
import { dataFolder } from '../../capabilities/node/data-folder';
import { findLocalEncoder } from '../../capabilities/node/local-encoder';
import { NodeClock } from '../../capabilities/node/node-clock';
import { NodeDataStore } from '../../capabilities/node/node-data-store';
import { NodeDigest } from '../../capabilities/node/node-digest';
import { VectorArchive } from '../../capabilities/search/semantic/vector-archive';
import type { Terminal } from '../terminal';

/**
 * What a measured search needs of this machine. Warnings, such as a late retriever, go to the terminal. Vectors are kept apart from those
 * of real workspaces.
 */
export function createEvaluationPorts(terminal: Terminal): MeasuredSearchPorts {
  const clock = new NodeClock();
  const digest = new NodeDigest();
  const encoder = findLocalEncoder(__dirname);
  if (!encoder) terminal.tell('The built-in encoder is not there: measuring the search by words alone.');
  const folder = dataFolder({ platform: process.platform, home: homedir(), environment: process.env });
  const store = new VectorArchive(new NodeDataStore(path.join(folder, 'evaluation')), { digest, clock });
  return {
    clock,
    digest,
    ...(encoder && { meaning: { choice: encoder.choice, store } }),
    logger: {
      log: (level, message) => {
        if (level === 'error' || level === 'warn') terminal.tell(`${level}: ${message}`);
      },
    },
  };
}

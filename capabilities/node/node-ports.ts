import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { EnginePorts } from '../engine';
import { dataFolder } from './data-folder';
import { BubblewrapIsolator } from './isolation/bubblewrap-isolator';
import { NodeClock } from './node-clock';
import { NodeDataStore } from './node-data-store';
import { NodeDigest } from './node-digest';
import { NodeEnvironmentFacts } from './node-environment-facts';
import { NodeFileSystem } from './node-file-system';
import { NodeMachine } from './node-machine';
import { NodeProcessRunner } from './node-process-runner';
import { ProcessContainment } from './process-containment';

/** The ports of this machine. What only a host can do (asking, logging, words) is left to the host. */
export function createNodePorts(): Omit<EnginePorts, 'confirmer' | 'logger' | 'localize' | 'isolationFallback'> {
  const clock = new NodeClock();
  const machine = new NodeMachine(clock);
  const store = new NodeDataStore(
    dataFolder({ platform: process.platform, home: homedir(), environment: process.env }),
  );
  const isolator = new BubblewrapIsolator({ home: homedir(), dataFolder: store.folder });
  const fences = { isolator, containment: new ProcessContainment() };
  return {
    clock,
    machine,
    store,
    digest: new NodeDigest(),
    fileSystem: new NodeFileSystem(),
    facts: new NodeEnvironmentFacts(machine, clock),
    isolator,
    processes: new NodeProcessRunner(path.join(store.folder, 'outputs'), fences, clock),
  };
}

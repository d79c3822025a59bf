import { BubblewrapIsolator } from '../../../capabilities/node/isolation/bubblewrap-isolator';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { NodeProcessRunner } from '../../../capabilities/node/node-process-runner';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { ProcessContainment } from '../../../capabilities/node/process-containment';
import { IsolationPlanner } from '../../../capabilities/execution/isolation/isolation-planner';

/** The isolation of this machine, tried once for all tests of a file. */
export const sharedIsolator = new BubblewrapIsolator({ home: '/root', dataFolder: '/nonexistent' });

/** Runs processes of this machine, isolated where they ask for it. */
export function nodeRunner(outputFolder: string): NodeProcessRunner {
  const fences = { containment: new ProcessContainment(), isolator: sharedIsolator };
  return new NodeProcessRunner(outputFolder, fences, new NodeClock());
}

/** Plans limits, and refuses where this machine can enforce none. */
export function sharedIsolationPlanner(): IsolationPlanner {
  return new IsolationPlanner({
    isolator: sharedIsolator,
    fileSystem: new NodeFileSystem(),
    fallback: () => 'refuse',
  });
}

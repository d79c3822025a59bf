import type { ChildProcess } from 'node:child_process';
import { Duplex, Readable, Writable } from 'node:stream';
import type { Sandbox } from './sandbox';

/** What the extra descriptors of a sandbox say. */
export interface SandboxConnection {
  /** Whether the command itself was started: before that, every message and exit code is bubblewrap's. Settled when the process has ended. */
  hasStarted(): boolean;
  dispose(): void;
}

/** Those below are standard input, output and errors. */
export const FIRST_DESCRIPTOR = 3;
/** One digit: a shell knows no others. */
export const LIFELINE_DESCRIPTOR = 5;

/** Sends the prepared bytes to a started sandbox and listens to its report. */
export function connectDescriptors(child: ChildProcess, { descriptors, serveNetwork }: Sandbox): SandboxConnection {
  let report = '';
  const streams = descriptors.map((purpose, index) => {
    const stream = child.stdio[FIRST_DESCRIPTOR + index];
    // A sandbox that fails early closes its end: that shows in its exit.
    stream?.on('error', () => undefined);
    if (purpose === 'report' && stream instanceof Readable) {
      stream.on('data', (chunk: Buffer) => (report += chunk.toString('latin1')));
    } else if (purpose === 'network' && stream instanceof Duplex) {
      serveNetwork?.(stream);
    } else if (purpose instanceof Buffer && stream instanceof Writable) {
      stream.end(purpose);
    }
    return stream;
  });
  return {
    hasStarted: () => report.includes('"exit-code"'),
    dispose: () => {
      for (const stream of streams) stream?.destroy();
    },
  };
}

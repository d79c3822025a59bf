import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Environment variable that marks every process of an uncontained run. */
export const runMarkerName = 'CAPABILITY_RUN_ID';

/** Time a tree has between TERM and KILL. */
export const graceMs = 2_000;

const sweeps = 3;

/** One started tree. */
export interface ProcessTree {
  readonly child: ChildProcess;
  /** Value of the marker in the environment of an uncontained run; undefined when a PID namespace holds the tree. */
  readonly marker: string | undefined;
}

/** Sends TERM (or KILL) to the whole process group. A group that is gone is no failure. */
export function signalGroup(tree: ProcessTree, signal: 'SIGTERM' | 'SIGKILL'): void {
  const pid = tree.child.pid;
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).once('error', () => tree.child.kill());
    return;
  }
  kill(-pid, signal);
}

/**
 * Kills what is left of a tree: the group, and for an uncontained run every process that carries its marker, three times,
 * because a process may fork while it is looked for. A process that has cleared its environment and left its group is not
 * found; only a PID namespace holds such a one.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  signalGroup(tree, 'SIGKILL');
  if (tree.marker === undefined || process.platform !== 'linux') {
    return;
  }
  const needle = Buffer.from(`${runMarkerName}=${tree.marker}\0`);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const pid of await markedProcesses(needle)) {
      kill(pid, 'SIGKILL');
    }
  }
}

async function markedProcesses(needle: Buffer): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    names.map(async (name) => {
      // Another user's process, or one that has just ended, can't be read.
      const environment = await readFile(`/proc/${name}/environ`).catch(() => undefined);
      return environment?.includes(needle) === true ? [Number(name)] : [];
    }),
  );
  return marked.flat();
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

import { spawn } from 'node:child_process';
import { isExecutableFile } from './node-machine';

/** What containment depends on. */
export interface ContainmentFacts {
  readonly platform: NodeJS.Platform;
  /** Numeric user id; undefined on Windows. */
  readonly userId: number | undefined;
}

const probeTimeoutMs = 3_000;
const toolFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/**
 * Finds out, by running it once, whether commands can be started in a PID namespace of their own that dies with this
 * process: `setpriv --pdeathsig KILL unshare --pid --fork --kill-child timeout --foreground 0 <command>`.
 *
 * - `unshare`: a namespace that ends with its first process, so no child, however it detaches, survives.
 * - `setpriv`: the kernel kills it when the thread that started it dies, so a killed server leaves nothing behind. Start
 *   processes from the main thread only.
 * - `timeout … 0` (which means: no limit) is the namespace's first process. The command itself must not be: the kernel
 *   ignores TERM for a first process without a handler, and a shell would go on with its next command.
 */
export class ProcessContainment {
  readonly #facts: ContainmentFacts;
  #probing: Promise<readonly string[] | undefined> | undefined;

  constructor(facts: ContainmentFacts = { platform: process.platform, userId: process.getuid?.() }) {
    this.#facts = facts;
  }

  /** Words to put before a command, or undefined when this machine can't contain. Probed once. */
  prefix(): Promise<readonly string[] | undefined> {
    this.#probing ??= this.#probe();
    return this.#probing;
  }

  async #probe(): Promise<readonly string[] | undefined> {
    const tools = ['setpriv', 'unshare', 'timeout'].map(findTool);
    const [setpriv, unshare, timeout] = tools;
    if (this.#facts.platform !== 'linux' || setpriv === undefined || unshare === undefined || timeout === undefined) {
      return undefined;
    }
    const user = this.#facts.userId === 0 ? [] : ['--user', '--map-current-user'];
    const prefix = [setpriv, '--pdeathsig', 'KILL', unshare, ...user, '--pid', '--fork', '--kill-child'];
    const words = [...prefix, timeout, '--foreground', '0'];
    return (await works(words)) ? words : undefined;
  }
}

/** Tools are taken from the system's folders, never from PATH. */
function findTool(name: string): string | undefined {
  return toolFolders.map((folder) => `${folder}/${name}`).find(isExecutableFile);
}

/** The canary answers with its parent's pid, which is 1 only inside a new namespace, and with an exit code of its own. */
function works(prefix: readonly string[]): Promise<boolean> {
  const [program, ...words] = prefix;
  return new Promise((resolve) => {
    const child = spawn(program ?? '', [...words, '/bin/sh', '-c', 'echo "parent $PPID"; exit 7'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {},
      timeout: probeTimeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
    child.once('error', () => {
      resolve(false);
    });
    child.once('close', (code) => {
      resolve(code === 7 && output.trim() === 'parent 1');
    });
  });
}

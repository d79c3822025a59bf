import { statSync } from 'node:fs';
import path from 'node:path';
import type { IsolationReport, Isolator } from '../../ports';
import { isExecutableFile } from '../node-machine';
import { bubblewrapArguments } from './bubblewrap-arguments';
import { explainCanary, runCanary } from './isolation-canary';
import { MissingPlaces } from './missing-places';
import type { IsolatedRequest, Sandbox } from './sandbox';
import { sandboxMounts, type PlaceKind, type SandboxFacts } from './sandbox-view';
import { FIRST_DESCRIPTOR } from './sandbox-descriptors';
import { buildSeccompFilter } from './seccomp-filter';

/** What the isolator depends on; the defaults are those of this machine. */
export interface IsolatorFacts {
  readonly platform: NodeJS.Platform;
  readonly architecture: string;
  readonly home: string;
  readonly dataFolder: string;
  /** Full path of a program of the system. */
  readonly findTool: (name: string) => string | undefined;
}

/** Never a folder of the workspace or of PATH, which a workspace may influence. */
const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
const FIXED_DESCRIPTORS = 2;
const NO_LINUX = 'Isolation is built on bubblewrap, which exists on Linux only.';
const INSTALL =
  'Install bubblewrap with the package manager of the system (Debian and Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap), then reload the window.';

/** Isolation by bubblewrap, called directly with a list of words: no shell, no configuration file. */
export class BubblewrapIsolator implements Isolator {
  readonly #facts: IsolatorFacts;
  readonly #missing = new MissingPlaces();
  #checking: Promise<IsolationReport> | undefined;

  constructor(facts: Pick<IsolatorFacts, 'home' | 'dataFolder'> & Partial<IsolatorFacts>) {
    this.#facts = { platform: process.platform, architecture: process.arch, findTool: findSystemTool, ...facts };
  }

  check(): Promise<IsolationReport> {
    this.#checking ??= this.#check();
    return this.#checking;
  }

  /** Prepares one run. Rejects with an Error that says why when a place can't be prepared. */
  async prepare(request: IsolatedRequest): Promise<Sandbox> {
    const { isolation, cwd } = request;
    const [program = ''] = request.argv;
    const bubblewrap = this.#facts.findTool('bwrap');
    const filter = buildSeccompFilter(this.#facts.architecture);
    if (bubblewrap === undefined || filter === undefined)
      throw new Error('Isolation is not available on this machine.');
    const release = await this.#missing.make(isolation.writable, isolation.protectedPaths);
    const facts: SandboxFacts = { home: this.#facts.home, dataFolder: this.#facts.dataFolder, kindOf };
    const firstPinned = FIRST_DESCRIPTOR + FIXED_DESCRIPTORS;
    const words = bubblewrapArguments({
      mounts: sandboxMounts({ ...isolation, program, cwd }, facts, firstPinned),
      network: isolation.network === 'any' ? 'any' : 'none',
      cwd,
      filterDescriptor: FIRST_DESCRIPTOR,
      statusDescriptor: FIRST_DESCRIPTOR + 1,
    });
    const pinned = isolation.pinnedFiles.map(({ bytes }) => Buffer.from(bytes));
    return { prefix: this.#words(bubblewrap, words, request), descriptors: [filter, 'report', ...pinned], release };
  }

  /** TERM is for the command, which may tidy up, and not for bubblewrap, whose end would kill the command at once. */
  #words(bubblewrap: string, words: readonly string[], { argv, environment }: IsolatedRequest): readonly string[] {
    const [program = ''] = argv;
    const env = this.#facts.findTool('env');
    // bubblewrap adds PWD to an environment that is to be exactly the one of the plan.
    const unsetWords = Object.hasOwn(environment, 'PWD') ? [] : ['--unset=PWD'];
    // To env(1) a program with "=" in its name is a variable.
    if (env === undefined || program.includes('=')) return [bubblewrap, ...words, '--'];
    return [env, '--ignore-signal=TERM', bubblewrap, ...words, '--', env, '--default-signal=TERM', ...unsetWords];
  }

  async #check(): Promise<IsolationReport> {
    const { platform, architecture, findTool } = this.#facts;
    const fix = 'Run such actions on Linux, in a container or a remote window.';
    if (platform !== 'linux') return { available: false, reason: NO_LINUX, fix };
    if (buildSeccompFilter(architecture) === undefined) {
      return {
        available: false,
        reason: `The filter of system calls is not known for ${architecture} processors.`,
        fix,
      };
    }
    if (findTool('bwrap') === undefined) {
      return { available: false, reason: 'The program bwrap (bubblewrap) is not installed.', fix: INSTALL };
    }
    return explainCanary(await runCanary((request) => this.prepare(request)));
  }
}

/** Full path of a program in the system's own folders. */
export function findSystemTool(name: string): string | undefined {
  return TOOL_FOLDERS.map((folder) => path.join(folder, name)).find(isExecutableFile);
}

function kindOf(place: string): PlaceKind {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  return found.isDirectory() ? 'folder' : 'file';
}

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { IsolationReport, Isolator } from '../../ports';
import { isExecutableFile } from '../node-machine';
import { bubblewrapArguments } from './bubblewrap-arguments';
import { explainCanary, runCanary } from './isolation-canary';
import { MissingPlaces } from './missing-places';
import type { IsolatedRequest, Sandbox } from './sandbox';
import { pinnedPath, sandboxMounts, type PlaceKind, type SandboxFacts } from './sandbox-view';
import { AllowListProxy } from '../network/allow-list-proxy';
import { NETWORK_BRIDGE } from './network-bridge';
import { NetworkTunnel, type BridgedCommand } from './network-tunnel';
import { FIRST_DESCRIPTOR, LIFELINE_DESCRIPTOR } from './sandbox-descriptors';
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
const FIXED_DESCRIPTORS = 3;
/**
 * Starts what follows and watches the lifeline, a descriptor whose other end the server holds: when the server is gone, however it went, the whole
 * process group is killed, and with its first process the whole sandbox. What bubblewrap itself does for that (--die-with-parent) begins only when
 * the sandbox stands. A fixed text for the shell; everything else reaches it as arguments.
 */
const WATCH = [
  // To what a shell starts in the background it gives no input of its own accord: it is kept on another descriptor first.
  `exec 9<&0; "$@" <&9 9<&- ${LIFELINE_DESCRIPTOR}<&- & child=$!`,
  `{ read -r line <&${LIFELINE_DESCRIPTOR}; kill -KILL -$$; } </dev/null >/dev/null 2>&1 9<&- & watcher=$!`,
  `wait "$child"; code=$?; kill -KILL "$watcher"; exit "$code"`,
].join('; ');
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
    const { isolation, cwd, argv, environment } = request;
    const bubblewrap = this.#facts.findTool('bwrap');
    const filter = buildSeccompFilter(this.#facts.architecture);
    if (bubblewrap === undefined || filter === undefined)
      throw new Error('Isolation is not available on this machine.');
    const release = await this.#missing.make(isolation.writable, isolation.protectedPaths);
    const hosts = typeof isolation.network === 'object' ? isolation.network.allow : undefined;
    const pinned = isolation.pinnedFiles.map(({ bytes }) => Buffer.from(bytes));
    const firstPinned = FIRST_DESCRIPTOR + FIXED_DESCRIPTORS;
    const paths = new Map(isolation.pinnedFiles.map(({ path: file }) => [file, pinnedPath(file, isolation)]));
    const asked = argv.map((word) => paths.get(word) ?? word);
    const command = hosts === undefined ? asked : bridgeCommand(firstPinned + pinned.length);
    const isRoot = process.getuid?.() === 0;
    const { home, dataFolder } = this.#facts;
    const facts: SandboxFacts = { home, dataFolder, kindOf, namesIn, isRoot };
    const programs = hosts === undefined ? argv.slice(0, 1) : [argv[0] ?? '', process.execPath];
    const words = bubblewrapArguments({
      mounts: sandboxMounts({ ...isolation, programs, cwd }, facts, firstPinned),
      network: isolation.network === 'any' ? 'any' : 'none',
      cwd,
      filterDescriptor: FIRST_DESCRIPTOR,
      statusDescriptor: FIRST_DESCRIPTOR + 1,
    });
    const fixed = [filter, 'report', 'lifeline', ...pinned] as const;
    const started = { ...request, argv: command };
    const sandbox = { words: this.#words(bubblewrap, words, started), descriptors: fixed, release };
    return hosts === undefined ? sandbox : withNetwork(sandbox, hosts, { argv: asked, environment });
  }

  /** The command inside bubblewrap inside the watch. TERM is for the command alone, which may tidy up. */
  #words(bubblewrap: string, words: readonly string[], { argv, environment }: IsolatedRequest): readonly string[] {
    const [env, shell] = ['env', 'sh'].map((name) => this.#facts.findTool(name));
    // To env(1) a program with "=" in its name is a variable: such a one is ended without a grace.
    const isGraceful = env !== undefined && argv[0]?.includes('=') !== true;
    // bubblewrap adds PWD to an environment that is to be exactly the one of the plan.
    const unset = Object.hasOwn(environment, 'PWD') ? [] : ['--unset=PWD'];
    const command = isGraceful ? [env, '--default-signal=TERM', ...unset, ...argv] : argv;
    const inner = [bubblewrap, ...words, '--', ...command];
    if (shell === undefined) return inner;
    return [shell, '-c', isGraceful ? `trap '' TERM; ${WATCH}` : WATCH, shell, ...inner];
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

/** The bridge is started in the place of the command, which it starts in turn. In the editor this program is a Node that has to be told so. */
function bridgeCommand(descriptor: number): readonly string[] {
  const env = findSystemTool('env') ?? 'env';
  return [env, 'ELECTRON_RUN_AS_NODE=1', process.execPath, '-e', NETWORK_BRIDGE, String(descriptor)];
}

function withNetwork(sandbox: Sandbox, hosts: readonly string[], command: BridgedCommand): Sandbox {
  const proxy = new AllowListProxy(hosts);
  let tunnel: NetworkTunnel | undefined;
  return {
    ...sandbox,
    descriptors: [...sandbox.descriptors, 'network'],
    serveNetwork: (stream) => {
      tunnel = new NetworkTunnel(stream, (connection) => {
        proxy.accept(connection);
      });
      tunnel.start(command);
    },
    release: async () => {
      tunnel?.close();
      proxy.close();
      await sandbox.release();
    },
  };
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

/** Of a folder with more entries, only so many can be found by a relative path from a pinned file. */
const MOST_NAMES = 300;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES);
  } catch {
    return [];
  }
}

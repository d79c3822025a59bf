import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Clock, ProcessRequest, ProcessResult, ProcessRunner } from '../ports';
import type { BubblewrapIsolator } from './isolation/bubblewrap-isolator';
import type { IsolatedRequest, Sandbox } from './isolation/sandbox';
import { connectDescriptors } from './isolation/sandbox-descriptors';
import type { ProcessContainment } from './process-containment';
import { explainStartFailure, findStartFailure } from './process-start';
import { graceMs, killTree, runMarkerName, signalGroup, type ProcessTree } from './process-tree';
import { SpillFile } from './spill-file';
import { StreamCapture } from './stream-capture';

/** After the main process has ended, how long output that is still in the pipes is waited for. */
const drainMs = 250;
/** A sandbox is set up well within this time, also on a busy machine. */
const setupMs = 400;
/** After KILL, how long the kernel's report is waited for. Then the run settles without it. */
const reapMs = 1_000;

type Stop = 'timeout' | 'cancelled';

interface Captures {
  readonly stdout: StreamCapture;
  readonly stderr: StreamCapture;
}

interface ExitReport {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts processes and ends whole trees. With limits a tree lives in a sandbox; without, on Linux, it lives in a PID namespace (see ProcessContainment); elsewhere, and
 * where that is not possible, in a process group of its own whose members carry a marker. Nothing a run has started outlives
 * it: not a background child at a normal end, not a daemon at a timeout.
 */
export class NodeProcessRunner implements ProcessRunner {
  readonly #outputFolder: string;
  readonly #fences: ProcessFences;
  readonly #clock: Clock;

  /** @param outputFolder folder for outputs that are too large to keep in memory. */
  constructor(outputFolder: string, fences: ProcessFences, clock: Clock) {
    this.#outputFolder = outputFolder;
    this.#fences = fences;
    this.#clock = clock;
  }

  async run(request: ProcessRequest): Promise<ProcessResult> {
    const started = this.#clock.monotonic();
    const id = randomBytes(8).toString('hex');
    const captures = {
      stdout: new StreamCapture(request.keepBytes, new SpillFile(path.join(this.#outputFolder, `${id}.txt`))),
      stderr: new StreamCapture(request.keepBytes, undefined),
    };
    const outcome = await this.#outcome(request, id, captures);
    const [stdout, stderr] = await Promise.all([captures.stdout.finish(), captures.stderr.finish()]);
    return { ...outcome, stdout, stderr, durationMs: Math.round(this.#clock.monotonic() - started) };
  }

  async #outcome(request: ProcessRequest, id: string, captures: Captures): Promise<Outcome> {
    if (request.signal.aborted) {
      return { ended: 'cancelled', exitCode: undefined, detail: 'Cancelled before it was started.' };
    }
    const failure = await findStartFailure(request);
    if (failure !== undefined) {
      return { ended: 'failed-to-start', exitCode: undefined, detail: failure };
    }
    if (request.isolation !== undefined) {
      return this.#inSandbox({ ...request, isolation: request.isolation }, captures);
    }
    const prefix = await this.#fences.containment.prefix();
    return startAndSupervise(request, { prefix, marker: prefix === undefined ? id : undefined }, captures);
  }

  async #inSandbox(request: IsolatedRequest, captures: Captures): Promise<Outcome> {
    let sandbox: Sandbox;
    try {
      sandbox = await this.#fences.isolator.prepare(request);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ended: 'failed-to-start', exitCode: undefined, detail: `Its isolation can't be set up: ${reason}` };
    }
    try {
      return await startAndSupervise(request, { prefix: undefined, marker: undefined, sandbox }, captures);
    } finally {
      await sandbox.release();
    }
  }
}

/** What holds processes: limits for those that have some, and for all others at least their end. */
export interface ProcessFences {
  readonly containment: Pick<ProcessContainment, 'prefix'>;
  readonly isolator: Pick<BubblewrapIsolator, 'prepare'>;
}

/** How a command is started. */
interface Launch {
  readonly prefix: readonly string[] | undefined;
  /** For a tree that nothing but its environment tells apart. */
  readonly marker: string | undefined;
  readonly sandbox?: Sandbox;
}

type Outcome = Pick<ProcessResult, 'ended' | 'exitCode' | 'detail'>;

async function startAndSupervise(request: ProcessRequest, launch: Launch, captures: Captures): Promise<Outcome> {
  const tree = start(request, launch);
  if ('failure' in tree) return { ended: 'failed-to-start', exitCode: undefined, detail: tree.failure };
  const connection = launch.sandbox && connectDescriptors(tree.child, launch.sandbox);
  try {
    const outcome = await supervise(tree, request, captures);
    return outcome.ended === 'exit' && connection?.hasStarted() === false
      ? {
          ended: 'failed-to-start',
          exitCode: undefined,
          detail: 'Its isolation could not be set up; see its error output.',
        }
      : outcome;
  } finally {
    connection?.dispose();
  }
}

function start(request: ProcessRequest, launch: Launch): ProcessTree | { readonly failure: string } {
  const { prefix = [], marker, sandbox } = launch;
  const [program = '', ...words] = sandbox?.words ?? [...prefix, ...request.argv];
  const extra = (sandbox?.descriptors ?? []).map(() => 'pipe' as const);
  try {
    const child = spawn(program, words, {
      cwd: request.cwd,
      env: marker === undefined ? { ...request.environment } : { ...request.environment, [runMarkerName]: marker },
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...extra],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: false,
    });
    return { child, marker };
  } catch (error) {
    return { failure: explainStartFailure(error, request) };
  }
}

/** Waits for whichever comes first: the end, the time limit, the caller's signal; then makes sure that nothing is left. */
async function supervise(tree: ProcessTree, request: ProcessRequest, captures: Captures): Promise<Outcome> {
  const { child } = tree;
  const startedAt = performance.now();
  const exited = exitOf(child);
  const closed = new Promise<void>((resolve) => child.once('close', resolve));
  connect(child, request, captures);
  const stop = stopOf(request);
  try {
    const first = await Promise.race([exited, stop.reached]);
    if (typeof first === 'string') {
      await end(tree, exited, performance.now() - startedAt < setupMs);
      return { ended: first, exitCode: undefined, detail: describeStop(first, request) };
    }
    if (first instanceof Error) {
      return { ended: 'failed-to-start', exitCode: undefined, detail: explainStartFailure(first, request) };
    }
    await within(closed, drainMs);
    await killTree(tree);
    return describeExit(first);
  } finally {
    stop.dispose();
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/**
 * TERM, two seconds, KILL; then settles on its own timer, whatever the tree does. A TERM that comes while a sandbox is still being set up is
 * not heard by what it then starts: a young tree gets a second one.
 */
async function end(tree: ProcessTree, exited: Promise<unknown>, isYoung: boolean): Promise<void> {
  signalGroup(tree, 'SIGTERM');
  if (isYoung) {
    await within(exited, setupMs);
    signalGroup(tree, 'SIGTERM');
  }
  await within(exited, isYoung ? graceMs - setupMs : graceMs);
  await killTree(tree);
  await within(exited, reapMs);
}

function connect(child: ChildProcess, request: ProcessRequest, captures: Captures): void {
  if (child.stdout !== null && child.stderr !== null) {
    captures.stdout.attach(child.stdout);
    captures.stderr.attach(child.stderr);
  }
  // A program that ends without reading its input closes the pipe: no failure of ours.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(request.stdin ?? '');
}

function exitOf(child: ChildProcess): Promise<ExitReport | Error> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
    child.once('error', resolve);
  });
}

function stopOf(request: ProcessRequest): { readonly reached: Promise<Stop>; readonly dispose: () => void } {
  let dispose = (): void => undefined;
  const reached = new Promise<Stop>((resolve) => {
    const timer = setTimeout(() => {
      resolve('timeout');
    }, request.timeoutMs);
    const cancel = (): void => {
      resolve('cancelled');
    };
    request.signal.addEventListener('abort', cancel, { once: true });
    dispose = (): void => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', cancel);
    };
    if (request.signal.aborted) {
      cancel();
    }
  });
  return { reached, dispose };
}

async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function describeStop(stop: Stop, request: ProcessRequest): string {
  return stop === 'timeout'
    ? `Stopped after its time limit of ${request.timeoutMs} ms; all its processes were ended.`
    : 'Cancelled by the caller; all its processes were ended.';
}

/** Inside a namespace a fatal signal arrives as 128 + its number, as from a shell. */
function describeExit(report: ExitReport): Outcome {
  if (report.code === null) {
    return { ended: 'signal', exitCode: undefined, detail: `Ended by ${report.signal ?? 'a signal'}.` };
  }
  return { ended: 'exit', exitCode: report.code, detail: undefined };
}

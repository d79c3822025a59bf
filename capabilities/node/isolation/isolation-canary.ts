import { spawn } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IsolationReport } from '../../ports';
import type { IsolatedRequest, Sandbox } from './sandbox';
import { connectDescriptors } from './sandbox-descriptors';

/** What a process in the sandbox could do that it must not, or why nothing could be tried. */
export type CanaryResult =
  | { readonly kind: 'tried'; readonly escapes: readonly string[] }
  | { readonly kind: 'failed'; readonly detail: string };

const TIMEOUT_MS = 10_000;

/**
 * Tried inside: writing beside the workspace and in it, reaching a port of this machine, opening a unix socket; and which PID namespace it
 * is in. It prints what it could do.
 */
const ATTEMPTS = `
const fs = require('fs'), net = require('net');
const { inside, outside, port, namespace } = JSON.parse(process.argv[1]);
const escapes = [];
try { fs.writeFileSync(inside, 'x'); escapes.push('write in a workspace that may only be read'); } catch {}
// Into memory of its own it may write; whether it was more is seen from outside.
try { fs.writeFileSync(outside, 'x'); } catch {}
if (fs.readlinkSync('/proc/self/ns/pid') === namespace) escapes.push('see other processes');
const reach = (name, options, isEscape) => new Promise((done) => {
  let socket;
  try { socket = net.connect(options); } catch (error) { return done(); }
  socket.setTimeout(2000, () => done(socket.destroy()));
  socket.on('connect', () => { escapes.push(name); socket.destroy(); done(); });
  socket.on('error', (error) => { if (isEscape(error.code)) escapes.push(name); done(); });
});
Promise.all([
  reach('connect to a port of this machine', { host: '127.0.0.1', port }, () => false),
  reach('open a unix socket', { path: '/nowhere.sock' }, (code) => code !== 'EPERM' && code !== 'EACCES'),
]).then(() => console.log(JSON.stringify(escapes)));
`;

/** Runs the attempts once, as an action is run. Never rejects. */
export async function runCanary(prepare: (request: IsolatedRequest) => Promise<Sandbox>): Promise<CanaryResult> {
  let folder: string | undefined;
  let server: Server | undefined;
  try {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'capability-canary-')));
    const workspaceFolder = path.join(folder, 'workspace');
    await mkdir(workspaceFolder);
    let connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await listen(server);
    const targets = {
      ...{ inside: path.join(workspaceFolder, 'written'), outside: path.join(folder, 'written'), port },
      namespace: readlinkSync('/proc/self/ns/pid'),
    };
    const result = await attempt(workspaceFolder, targets, prepare);
    if (result.kind === 'failed') return result;
    const seen = [
      ...(connections > 0 ? ['connect to a port of this machine'] : []),
      ...([targets.inside, targets.outside].some((file) => existsSync(file)) ? ['write where it must not'] : []),
    ];
    return { kind: 'tried', escapes: [...new Set([...result.escapes, ...seen])] };
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The verdict for a person. */
export function explainCanary(result: CanaryResult): IsolationReport {
  if (result.kind === 'tried' && result.escapes.length === 0) return { available: true, backend: 'bubblewrap' };
  if (result.kind === 'tried') {
    const reason = `bubblewrap starts here, but a program in it could still ${result.escapes.join(', ')}.`;
    return { available: false, reason, fix: 'Update bubblewrap and the kernel of this machine.' };
  }
  return { available: false, reason: `bubblewrap does not start here: ${result.detail}`, fix: fixFor(result.detail) };
}

function fixFor(detail: string): string {
  if (/uid map|new namespace|Operation not permitted|Permission denied/iu.test(detail)) {
    return 'This system does not let programs make user namespaces. On Ubuntu 23.10 and later allow it for bwrap with an AppArmor profile (or kernel.apparmor_restrict_unprivileged_userns=0); on other systems set kernel.unprivileged_userns_clone=1; a container needs to be started so that it may make them.';
  }
  return 'Update bubblewrap (0.8 or later), and look whether `bwrap --ro-bind / / true` works in a terminal.';
}

type Attempts = { readonly kind: 'tried'; readonly escapes: readonly string[] } | { kind: 'failed'; detail: string };

async function attempt(
  cwd: string,
  targets: object,
  prepare: (request: IsolatedRequest) => Promise<Sandbox>,
): Promise<Attempts> {
  const program = await realpath(process.execPath);
  const environment = { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1' };
  const isolation = {
    workspaceFolder: cwd,
    writable: [],
    protectedPaths: [],
    pinnedFiles: [],
    network: 'none',
  } as const;
  const argv = [program, '-e', ATTEMPTS, JSON.stringify(targets)];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request = { argv, cwd, environment, isolation, stdin: undefined, timeoutMs: TIMEOUT_MS, signal, keepBytes: 0 };
  const sandbox = await prepare(request);
  try {
    const { output, errors } = await readAll(sandbox.words, sandbox, environment);
    return output.startsWith('[')
      ? { kind: 'tried', escapes: JSON.parse(output) as string[] }
      : { kind: 'failed', detail: errors.trim().split('\n')[0] ?? 'it said nothing' };
  } finally {
    await sandbox.release();
  }
}

function readAll(
  [program = '', ...words]: readonly string[],
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly errors: string }> {
  return new Promise((resolve) => {
    const pipes = sandbox.descriptors.map(() => 'pipe' as const);
    const stdio: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe', ...pipes];
    const child = spawn(program, words, { stdio, env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    connectDescriptors(child, sandbox);
    let output = '';
    let errors = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('latin1')));
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString('latin1')));
    child.once('error', (error) => {
      resolve({ output: '', errors: error.message });
    });
    child.once('close', () => {
      resolve({ output: output.trim(), errors });
    });
  });
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeProcessRunner } from '../../../capabilities/node/node-process-runner';
import { ProcessContainment } from '../../../capabilities/node/process-containment';
import type { IsolationRequest, ProcessRequest } from '../../../capabilities/ports';
import { bundleProgram } from './bundled-program';
import { eventually, processesWith } from './process-witness';
import { sharedIsolator } from './shared-isolator';
import { temporaryFolder } from './temporary-folder';

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

function plainRequest(argv: readonly string[], more: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    argv,
    cwd: '/',
    environment: { PATH },
    stdin: undefined,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    keepBytes: 1024 * 1024,
    isolation: undefined,
    ...more,
  };
}

const contained = (): ProcessContainment => new ProcessContainment();
/** Another platform's facts make the probe answer no: the runner then uses its process group and the marker. */
const uncontained = (): ProcessContainment => new ProcessContainment({ platform: 'darwin', userId: 501 });
/** The form for ordinary users; a superuser may use it too. */
const unprivileged = (): ProcessContainment => new ProcessContainment({ platform: 'linux', userId: 1000 });

function runner(containment = contained()): NodeProcessRunner {
  const fences = { containment, isolator: sharedIsolator };
  return new NodeProcessRunner(path.join(temporaryFolder(), 'outputs'), fences, new NodeClock());
}

/** Reads everything, writes nothing, has no network. */
const SEALED: IsolationRequest = {
  workspaceFolder: '/',
  writable: [],
  protectedPaths: [],
  network: 'none',
  pinnedFiles: [],
};

describe.each([
  ['in a sandbox', contained, SEALED],
  ['in a PID namespace', contained, undefined],
  ['in a PID namespace of an ordinary user', unprivileged, undefined],
  ['in a process group', uncontained, undefined],
])('a process %s', (_name, containment, isolation) => {
  const request = (argv: readonly string[], more: Partial<ProcessRequest> = {}): ProcessRequest =>
    plainRequest(argv, { isolation, ...more });
  const shell = (script: string, more: Partial<ProcessRequest> = {}): ProcessRequest =>
    request(['/bin/sh', '-c', script], more);

  it('gives back its output, its error output and its exit code', async () => {
    const result = await runner(containment()).run(shell('echo out; echo err >&2; exit 3'));
    expect(result).toMatchObject({ ended: 'exit', exitCode: 3, detail: undefined });
    expect(result.stdout).toMatchObject({ text: 'out\n', totalBytes: 4, truncated: false, file: undefined });
    expect(result.stderr.text).toBe('err\n');
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('gets exactly its arguments and its environment, nothing of the host', async () => {
    const odd = ['', ' ', "a'b", 'a"b', '$HOME', '`x`', '*', 'ä\n😀', '\\', '-n'];
    const script = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))';
    const environment = { PATH, ONE: '1' };
    const result = await runner(containment()).run(
      request([process.execPath, '-e', script, '--', ...odd], { environment }),
    );
    const [args, env] = JSON.parse(result.stdout.text) as [string[], Record<string, string>];
    expect(args).toEqual(odd);
    expect(
      Object.keys(env)
        .filter((name) => name !== 'CAPABILITY_RUN_ID')
        .sort(),
    ).toEqual(['ONE', 'PATH']);
  });

  it('finds standard input closed unless text is given', async () => {
    expect((await runner(containment()).run(shell('cat; echo end'))).stdout.text).toBe('end\n');
    expect((await runner(containment()).run(shell('cat', { stdin: 'gegeben' }))).stdout.text).toBe('gegeben');
  });

  it('may leave its input unread', async () => {
    const result = await runner(containment()).run(shell('exit 0', { stdin: 'x'.repeat(1_000_000) }));
    expect(result).toMatchObject({ ended: 'exit', exitCode: 0 });
  });

  it('ends the run when it ends itself, whoever still holds its output', async () => {
    const mark = `5${randomBytes(4).readUInt32BE()}`;
    const result = await runner(containment()).run(shell(`sleep ${mark} & echo done`));
    expect(result).toMatchObject({ ended: 'exit', exitCode: 0 });
    expect(result.stdout.text).toBe('done\n');
    expect(result.durationMs).toBeLessThan(2_000);
    await eventually(() => processesWith(mark).length === 0, 1_000);
  });

  it('reports a fatal signal', async () => {
    const result = await runner(containment()).run(shell('kill -SEGV $$'));
    expect(result.ended === 'signal' || result.exitCode === 139).toBe(true);
  });

  it('stops at once on TERM when nothing traps it, and does not go on with the next command', async () => {
    const marker = path.join(temporaryFolder(), 'went-on');
    const result = await runner(containment()).run(shell(`sleep 60; touch ${marker}`, { timeoutMs: 200 }));
    expect(result.ended).toBe('timeout');
    expect(result.durationMs).toBeLessThan(1_900);
    expect(existsSync(marker)).toBe(false);
  });

  const shapes: readonly [string, (mark: string) => string][] = [
    ['a plain background child', (mark) => `sleep ${mark} & echo up; wait`],
    [
      'parent and child that trap TERM',
      (mark) =>
        `trap '' TERM; (trap '' TERM; while :; do sleep ${mark}; done) & echo up; while :; do sleep ${mark}; done`,
    ],
    ['a child in a session of its own', (mark) => `setsid sleep ${mark} & echo up; wait`],
    [
      'a daemon: double fork, new session, TERM trapped',
      (mark) => `(setsid sh -c "trap '' TERM; while :; do sleep ${mark}; done" & ); echo up; sleep ${mark}`,
    ],
  ];

  it.each(
    shapes.flatMap(([name, script]) => (['timeout', 'cancelled'] as const).map((how) => [name, how, script] as const)),
  )('leaves nothing of %s after it was %s', async (_shape, how, script) => {
    const mark = `6${randomBytes(4).readUInt32BE()}`;
    const abort = new AbortController();
    const timeoutMs = how === 'timeout' ? 300 : 60_000;
    const running = runner(containment()).run(shell(script(mark), { timeoutMs, signal: abort.signal }));
    if (how === 'cancelled') {
      await eventually(() => processesWith(mark).length > 0);
      abort.abort();
    }
    const result = await running;
    expect(result.ended).toBe(how);
    expect(result.durationMs).toBeLessThan(6_000);
    await eventually(() => processesWith(mark).length === 0, 1_000);
  });

  it('keeps the beginning and the end of a long output, and every byte in a file', async () => {
    const result = await runner(containment()).run(shell('seq 1 200000', { keepBytes: 10_000 }));
    const { text, totalBytes, truncated, file } = result.stdout;
    expect({ truncated, totalBytes }).toEqual({ truncated: true, totalBytes: 1_288_895 });
    expect(text.startsWith('1\n2\n3\n')).toBe(true);
    expect(text.endsWith('\n199999\n200000\n')).toBe(true);
    expect(text).toContain('1278895 bytes left out');
    expect(text.length).toBeLessThan(10_100);
    const whole = readFileSync(file ?? '', 'utf8');
    expect(whole).toBe(`${Array.from({ length: 200_000 }, (_, index) => index + 1).join('\n')}\n`);
  });
});

describe('a start that fails', () => {
  it.each([
    ['a program that is not there', { argv: ['/nowhere/at-all'] }, 'ENOENT'],
    ['a program that is not on PATH', { argv: ['no-such-program-here'] }, 'ENOENT'],
    ['a folder as program', { argv: ['/usr'] }, 'EACCES'],
    ['a working folder that is not there', { cwd: '/nowhere' }, 'does not exist'],
    ['arguments that are too long', { argv: ['/bin/true', 'x'.repeat(200_000)] }, 'E2BIG'],
    ['a NUL in an argument', { argv: ['/bin/true', 'a\0b'] }, 'ERR_INVALID_ARG_VALUE'],
  ])('says so for %s', async (_name, change, detail) => {
    const result = await runner().run(plainRequest(['/bin/true'], change));
    expect(result).toMatchObject({ ended: 'failed-to-start', exitCode: undefined });
    expect(result.detail).toContain(detail);
    expect(result.stdout.text).toBe('');
  });

  it('says so for a file without the execute permission', async () => {
    const file = path.join(temporaryFolder(), 'plain');
    writeFileSync(file, 'echo x');
    chmodSync(file, 0o644);
    expect((await runner().run(plainRequest([file]))).detail).toContain('EACCES');
  });

  it('says so when the interpreter of a program is missing', async () => {
    const file = path.join(temporaryFolder(), 'script');
    writeFileSync(file, '#!/nowhere/interpreter\n');
    chmodSync(file, 0o755);
    expect(await runner(uncontained()).run(plainRequest([file]))).toMatchObject({ ended: 'failed-to-start' });
  });

  it('starts nothing for a call that is already cancelled', async () => {
    const result = await runner().run(plainRequest(['/bin/true'], { signal: AbortSignal.abort() }));
    expect(result.ended).toBe('cancelled');
  });
});

describe('a sandbox that can not be set up', () => {
  it('says so, and starts nothing', async () => {
    const isolation = { ...SEALED, writable: [{ path: '/etc/passwd/at-all', kind: 'folder' as const }] };
    const result = await runner().run(plainRequest(['/bin/true'], { isolation }));
    expect(result).toMatchObject({ ended: 'failed-to-start', exitCode: undefined });
    expect(result.detail).toContain('isolation');
  });

  it('is told apart from a program that fails', async () => {
    const isolation = { ...SEALED, pinnedFiles: [{ path: '/run/capability/../../etc/below', bytes: Buffer.from('') }] };
    const result = await runner().run(plainRequest(['/bin/true'], { isolation }));
    expect(result).toMatchObject({ ended: 'failed-to-start' });
    expect(result.stderr.text).toContain('bwrap');
    expect(await runner().run(plainRequest(['/bin/false'], { isolation: SEALED }))).toMatchObject({ exitCode: 1 });
  });
});

describe('a server that is killed', () => {
  it.each([
    ['isolated', 'sandbox'],
    ['as the superuser', '0'],
    ['as an ordinary user', '1000'],
  ])('leaves no process behind (%s)', async (_name, fence) => {
    const folder = temporaryFolder();
    const program = await bundleProgram(path.join(import.meta.dirname, 'fixtures/run-until-killed.ts'), folder);
    for (const script of [
      'sleep MARK & wait',
      '(setsid sh -c "trap \'\' TERM; while :; do sleep MARK; done" & ); sleep MARK',
    ]) {
      const mark = `7${randomBytes(4).readUInt32BE()}`;
      const server = spawn(process.execPath, [program, folder, fence, script.replaceAll('MARK', mark)], {
        stdio: 'ignore',
      });
      // The sandbox must hold from its first moment on: the mark is in its own command line.
      await eventually(() => processesWith(mark).length >= (fence === 'sandbox' ? 1 : 4));
      server.kill('SIGKILL');
      await once(server, 'exit');
      await eventually(() => processesWith(mark).length === 0, 3_000);
    }
  });
});

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionDefinition, ErrorReply, RunReply } from '../../../../capabilities/models';
import { ExecutorBench } from '../executor-bench';

let bench: ExecutorBench;
const created: string[] = [];
const servers: Server[] = [];

beforeEach(() => {
  bench = new ExecutorBench();
});
afterEach(() => {
  for (const file of created.splice(0)) rmSync(file, { recursive: true, force: true });
  for (const server of servers.splice(0)) server.close();
});

/** An action that says that it only reads, and does what the program says. */
const reader = { side_effect: 'R', risk_level: 'low' } as const satisfies Partial<ActionDefinition>;

function runReader(program: string, change: Partial<ActionDefinition> = {}): Promise<RunReply | ErrorReply> {
  bench.addProgram(program, { ...reader, ...change });
  return bench.run();
}

async function listening(server: Server): Promise<{ readonly port: number; readonly seen: () => number }> {
  let connections = 0;
  servers.push(server);
  server.on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, seen: () => connections };
}

const connecting = (options: object): string =>
  `require('net').connect(${JSON.stringify(options)}).on('connect', () => { console.log('through'); process.exit(0); }).on('error', (error) => { console.error(error.code); process.exit(9); })`;

describe('an action that is labelled R', () => {
  it.each([
    ['the workspace', () => path.join(bench.root, 'written')],
    ['the home folder', () => path.join(homedir(), `capability-test-${process.pid}`)],
    ['a folder of the system', () => `/etc/capability-test-${process.pid}`],
  ])('can write nothing in %s', async (_, target) => {
    const file = target();
    created.push(file);
    const reply = await runReader(`require('fs').writeFileSync(${JSON.stringify(file)}, 'x')`);
    expect(reply).toMatchObject({ status: 'error', code: 'execution_failed', isolated: true });
    expect((reply as ErrorReply).message).toContain('may write nothing');
    expect(existsSync(file)).toBe(false);
  });

  it("writes into a temporary folder of its own and not into the host's", async () => {
    const file = path.join(tmpdir(), `capability-test-${process.pid}`);
    created.push(file);
    const reply = await runReader(
      `const f = ${JSON.stringify(file)}; require('fs').writeFileSync(f, 'x'); console.log(require('fs').existsSync(f))`,
    );
    expect(reply).toMatchObject({ status: 'ok', output: 'true\n' });
    expect(existsSync(file)).toBe(false);
  });

  it('reaches no port of this machine by TCP', async () => {
    const { port, seen } = await listening(createServer());
    const reply = await runReader(connecting({ host: '127.0.0.1', port }));
    expect(reply).toMatchObject({ status: 'error', exit_code: 9 });
    expect((reply as ErrorReply).message).toContain('no network');
    expect(seen()).toBe(0);
  });

  it('reaches no port of this machine by UDP', async () => {
    const receiver = createSocket('udp4').bind(0, '127.0.0.1');
    await once(receiver, 'listening');
    const messages: Buffer[] = [];
    receiver.on('message', (message) => messages.push(message));
    const { port } = receiver.address();
    const program = (text: string): string =>
      `const s = require('dgram').createSocket('udp4'); s.send('${text}', ${port}, '127.0.0.1', () => s.close())`;
    await runReader(program('isolated'));
    await runReader(program('free'), { network_policy: 'any' });
    await expect.poll(() => messages.map(String)).toEqual(['free']);
    receiver.close();
  });

  it('reaches no unix socket, wherever it lies', async () => {
    const socket = path.join(homedir(), `capability-test-${process.pid}.sock`);
    created.push(socket);
    const server = createServer();
    await once(server.listen(socket), 'listening');
    const { seen } = await listening(server);
    for (const network_policy of ['none', 'any'] as const) {
      expect(await runReader(connecting({ path: socket }), { network_policy })).toMatchObject({ exit_code: 9 });
    }
    expect(seen()).toBe(0);
  });

  it('can still read, start programs and use a network that it names', async () => {
    const { port, seen } = await listening(createServer());
    writeFileSync(path.join(bench.root, 'note'), 'read me');
    const program = `const { execFileSync } = require('child_process'); console.log(require('fs').readFileSync('note', 'utf8') + execFileSync('echo', ['!']));${connecting({ host: '127.0.0.1', port })}`;
    const reply = await runReader(program, { network_policy: 'any' });
    expect(reply).toMatchObject({ status: 'ok', output: 'read me!\n\nthrough\n' });
    expect(seen()).toBe(1);
  });
});

describe('an action that changes the workspace', () => {
  const addWriter = (program: string, change: Partial<ActionDefinition> = {}): void => {
    bench.addProgram(program, { side_effect: 'W-local', requires_confirmation: false, ...change });
  };
  const writing = (file: string): string => `require('fs').writeFileSync(${JSON.stringify(file)}, 'x')`;

  it('may write there and keeps what it wrote', async () => {
    addWriter(writing('made'));
    expect(await bench.run()).toMatchObject({ status: 'ok', isolated: true });
    expect(readFileSync(path.join(bench.root, 'made'), 'utf8')).toBe('x');
  });

  it.each(['.git/hooks/post-commit', '.vscode/tasks.json', '.capabilities/pack.yaml', '.mcp.json'])(
    'may not write %s, whether its folder is there or not',
    async (name) => {
      for (const isThere of [false, true]) {
        if (isThere) mkdirSync(path.join(bench.root, path.dirname(name)), { recursive: true });
        addWriter(`require('fs').mkdirSync(require('path').dirname('${name}'), { recursive: true });${writing(name)}`);
        const reply = await bench.run();
        expect(reply, String(isThere)).toMatchObject({ status: 'error', code: 'execution_failed' });
        expect(existsSync(path.join(bench.root, name))).toBe(false);
      }
    },
  );

  it('leaves nothing behind in the place of protected files that are not there', async () => {
    addWriter('');
    await Promise.all([bench.run(), bench.run(), bench.run()]);
    expect(existsSync(path.join(bench.root, '.vscode'))).toBe(false);
    expect(existsSync(path.join(bench.root, '.mcp.json'))).toBe(false);
  });

  it('may write only the places it names, and those are made when they are missing', async () => {
    addWriter(writing('dist/out'), { filesystem: { write: ['dist/**'] } });
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    addWriter(writing('beside'), { filesystem: { write: ['dist/**'] } });
    expect(await bench.run()).toMatchObject({ status: 'error', code: 'execution_failed' });
    addWriter(writing('notes/a.md'), { filesystem: { write: ['notes/a.md'] } });
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    expect(readFileSync(path.join(bench.root, 'notes/a.md'), 'utf8')).toBe('x');
  });

  it.each(['../beside', '/etc/x', 'src/*.ts', '~', '~other/x'])(
    'is refused when it names %s as writable',
    async (place) => {
      addWriter('', { filesystem: { write: [place] } });
      const reply = await bench.run();
      expect(reply).toMatchObject({ status: 'error', code: 'execution_failed' });
      expect((reply as ErrorReply).message).toContain(place);
    },
  );

  it('may write .git where it says so, but never the hooks and the settings of Git', async () => {
    mkdirSync(path.join(bench.root, '.git/hooks'), { recursive: true });
    writeFileSync(path.join(bench.root, '.git/config'), '');
    const filesystem = { write: ['.git/**'] };
    addWriter(writing('.git/index'), { filesystem });
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    for (const name of ['.git/hooks/post-commit', '.git/config']) {
      addWriter(writing(name), { filesystem });
      expect(await bench.run(), name).toMatchObject({ status: 'error' });
    }
  });
});

describe('a machine that can not isolate', () => {
  beforeEach(() => {
    bench.canIsolate = false;
  });

  it.each(['R', 'W-local', 'W-shared', 'I'] as const)(
    'refuses %s, says what to do, asks nobody and runs nothing',
    async (side_effect) => {
      bench.addProgram(`require('fs').writeFileSync('ran', '')`, { side_effect, filesystem: { write: ['.'] } });
      const reply = await bench.run();
      expect(reply).toMatchObject({ status: 'error', code: 'isolation_unavailable', retryable: false });
      expect((reply as ErrorReply).message).toMatch(/bwrap is not installed.*Nothing ran.*Install it/u);
      expect(bench.asked).toEqual([]);
      expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
    },
  );

  it('asks before each run where the user wants that, and says first that nothing is enforced', async () => {
    bench.isolationFallback = 'confirm';
    const reply = await runReader(`console.log('ran')`);
    expect(bench.asked.map(({ detail }) => detail.split('\n')[0])).toEqual([
      'NOT ISOLATED: nothing enforces these limits on network and files.',
    ]);
    expect(reply).toMatchObject({ status: 'ok', isolated: false });
    expect((reply as RunReply).notices).toEqual(['Not isolated: its limits on files and network were not enforced.']);
    expect(bench.audit.find(({ kind }) => kind === 'run_outcome')).toMatchObject({ isolated: false });
  });

  it('does not run what is declined', async () => {
    bench.isolationFallback = 'confirm';
    bench.answer = 'declined';
    expect(await runReader('')).toMatchObject({ code: 'confirmation_declined' });
  });
});

describe('a script', () => {
  it('runs from a copy of the bytes that were checked: what it does to itself, it does to the copy', async () => {
    const text = `import { writeFileSync } from 'node:fs';
try { writeFileSync(import.meta.filename, 'x'); } catch { /* It need not be able to. */ }
try { writeFileSync('task.mjs', 'x'); } catch (error) { console.log(error.code); }`;
    writeFileSync(path.join(bench.root, 'task.mjs'), text);
    bench.add({ handler: { type: 'script', file: 'task.mjs' } });
    expect(await bench.run()).toMatchObject({ status: 'ok', output: 'EROFS\n' });
    expect(readFileSync(path.join(bench.root, 'task.mjs'), 'utf8')).toBe(text);
  });

  it('finds what stands beside it, above it and in node_modules, and reads itself', async () => {
    mkdirSync(path.join(bench.root, 'node_modules/pkg'), { recursive: true });
    mkdirSync(path.join(bench.root, 'deep/er'), { recursive: true });
    writeFileSync(path.join(bench.root, 'node_modules/pkg/package.json'), '{"name":"pkg","main":"index.js"}');
    writeFileSync(path.join(bench.root, 'node_modules/pkg/index.js'), "module.exports = 'package';");
    writeFileSync(
      path.join(bench.root, 'deep/er/beside.mjs'),
      "import above from '../above.mjs'; export default above;",
    );
    writeFileSync(path.join(bench.root, 'deep/above.mjs'), "export default 'above';");
    writeFileSync(
      path.join(bench.root, 'deep/er/task.mjs'),
      `import beside from './beside.mjs'; import pkg from 'pkg'; import { readFileSync } from 'node:fs';
console.log(beside, pkg, readFileSync(import.meta.filename, 'utf8').length > 10, process.cwd());`,
    );
    bench.add({ handler: { type: 'script', file: 'deep/er/task.mjs' } });
    expect(await bench.run()).toMatchObject({ status: 'ok', output: `above package true ${bench.root}\n` });
  });
});

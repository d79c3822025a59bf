import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandActionHandler } from '../../../capabilities/execution/handlers/command';
import type { ErrorReply, RunReply } from '../../../capabilities/models';
import { eventually, processesWith } from '../node/process-witness';
import { ExecutorBench, withName } from './executor-bench';
import { replyBytes, text, wellFormed } from './run-assertions';
import { sampleContext } from './sample-resources';

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});

describe('a run that succeeds', () => {
  it('replies with status first, and has applied the defaults', async () => {
    bench.add(withName);
    const reply = wellFormed(await bench.run({ arguments: { name: 'ab' }, action_version: 1 }));
    expect(reply).toEqual({
      status: 'ok',
      action_id: 'demo.act',
      version: 1,
      exit_code: 0,
      duration_ms: expect.any(Number) as number,
      isolated: true,
      audit_id: bench.audit.at(-1)?.id,
      output: 'ab-3',
    });
    expect(Object.keys(reply)[0]).toBe('status');
  });

  it('is on record: what was meant to run, and how it ended', async () => {
    bench.add(withName);
    await bench.run({ arguments: { name: 'ab', pin: '1234' } });
    const [intent, outcome] = bench.audit;
    expect(bench.audit.map((record) => record.kind)).toEqual(['run_intent', 'run_outcome']);
    expect(intent).toMatchObject({
      resource: 'folder:demo.act',
      version: 1,
      decision: 'allowed',
      arguments: { name: 'ab', count: 3, pin: '[redacted]' },
      host: 'vscode',
    });
    expect(outcome).toMatchObject({
      run_id: intent?.run_id,
      outcome: 'ok',
      exit_code: 0,
      isolated: true,
      arguments_hash: intent?.arguments_hash,
    });
    expect(JSON.stringify(bench.audit)).not.toContain('1234');
  });

  it('checks its output against the schema and gives it as JSON', async () => {
    bench.addProgram('console.log(JSON.stringify({ n: 1 }))', { output_schema: { type: 'object', required: ['n'] } });
    expect(wellFormed(await bench.run())).toMatchObject({ status: 'ok', output: { n: 1 } });
  });

  it('suggests what its output recommends, what usually follows, and what verifies a change', async () => {
    bench.addPack();
    for (const action_id of ['demo.repair', 'demo.next', 'demo.check']) bench.add({ action_id });
    bench.add({ action_id: 'demo.hidden', acl: { discover: [] } });
    const output = {
      found: {
        recommended_actions: ['demo.repair', 'demo.hidden', 'demo.none', 'demo', 'NO ID', { action: 'demo.next' }, 7],
      },
    };
    bench.addProgram(`console.log(${JSON.stringify(JSON.stringify(output))})`, {
      side_effect: 'W-local',
      next_actions: [
        { action: 'demo.next', why: 'Twice is not needed.' },
        { action: 'demo.check', why: 'Sure is sure.' },
      ],
      verify: ['demo.check', 'demo.repair'],
    });
    const reply = wellFormed(await bench.run());
    expect(reply).toMatchObject({
      next_actions: ['demo.repair', 'demo.next', { action: 'demo.check', why: 'Sure is sure.' }],
    });
  });
});

describe('large output', () => {
  it.each([
    ['300 KB of lines', 'for (let i = 0; i < 40000; i += 1) console.log(i)', '0\n1\n2\n', '39998\n39999\n'],
    ['one line of 2 MB', "process.stdout.write('a' + 'x'.repeat(2e6) + 'z')", 'ax', 'xz'],
    ['characters of many bytes', "process.stdout.write('😀'.repeat(5000))", '😀', '😀'],
    ['characters that need escapes', "process.stdout.write('\"\\\\\\n'.repeat(9000))", '"\\\n', '"\\\n'],
  ])('of %s keeps beginning and end, says so, and is whole in a file', async (_name, program, start, end) => {
    bench.addProgram(program);
    const reply = wellFormed(await bench.run()) as RunReply;
    expect(reply).toMatchObject({ status: 'ok', truncated: true, notices: [text(/^Output shortened/)] });
    expect(replyBytes(reply)).toBeGreaterThan(6_000);
    const output = reply.output as string;
    expect(output.startsWith(start)).toBe(true);
    expect(output.endsWith(end)).toBe(true);
    const file = reply.output_file ?? '';
    expect(bench.store.files.has(file.replace('/data/', '')) || existsSync(file)).toBe(true);
  });

  it('that can not be kept in a file is said to be lost', async () => {
    bench.addProgram("process.stdout.write('x'.repeat(20000))");
    const write = bench.store.write.bind(bench.store);
    bench.store.write = (name, content) =>
      name.startsWith('outputs/') ? Promise.reject(new Error('full')) : write(name, content);
    expect(wellFormed(await bench.run())).toMatchObject({ truncated: true, notices: [text(/could not be saved/)] });
  });

  it('leaves room for the error output, next actions and a small token budget', async () => {
    bench.add({ action_id: 'demo.next' });
    const why = 'w'.repeat(290);
    const next_actions = Array.from({ length: 16 }, () => ({ action: 'demo.next', why }));
    bench.addProgram("process.stdout.write('x'.repeat(20000)); process.stderr.write('e'.repeat(20000))", {
      next_actions,
    });
    const reply = wellFormed(await bench.run({}, sampleContext(), { tokenBudget: 500 })) as RunReply;
    expect(replyBytes(reply)).toBeLessThanOrEqual(1_500);
    expect(reply.notices).toContain('error_output is shortened.');
    expect(reply.next_actions).toHaveLength(1);
  });

  it('of JSON is shortened as text', async () => {
    bench.addProgram('console.log(JSON.stringify(Array.from({ length: 5000 }, (_, i) => i)))', {
      output_schema: { type: 'array' },
    });
    expect(wellFormed(await bench.run())).toMatchObject({ status: 'ok', truncated: true, output: text(/^\[0,1,2/) });
  });

  it('stays text when it is binary', async () => {
    bench.addProgram('process.stdout.write(Buffer.from([0, 1, 2, 255, 254, 27, 91, 51, 49, 109, 65]))');
    expect(wellFormed(await bench.run())).toMatchObject({ output: '\\x00\\x01\\x02\ufffd\ufffdA' });
  });
});

describe('a run that fails', () => {
  it('gives exit code, both outputs and the record', async () => {
    bench.addProgram("console.log('half'); console.error('why'); process.exit(3)");
    const reply = wellFormed(await bench.run());
    expect(reply).toMatchObject({
      status: 'error',
      code: 'execution_failed',
      retryable: false,
      exit_code: 3,
      isolated: true,
      output: 'half\n',
      error_output: 'why\n',
      message: text(/exit code 3\./),
    });
    expect(bench.audit.at(-1)).toMatchObject({ kind: 'run_outcome', outcome: 'execution_failed', exit_code: 3 });
  });

  it('names the signal behind an exit code', async () => {
    bench.addProgram("process.kill(process.pid, 'SIGSEGV'); setTimeout(() => {}, 1000)");
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'execution_failed', message: text(/SIGSEGV/) });
  });

  it('keeps its size when it says much', async () => {
    bench.addProgram(
      "process.stdout.write('o'.repeat(50000)); process.stderr.write('e'.repeat(50000), () => process.exit(1))",
    );
    const reply = wellFormed(await bench.run()) as ErrorReply;
    expect(reply.output_file).toMatch(/^\/data\/outputs\//);
    expect(reply.error_output?.length).toBeGreaterThan(3_000);
  });

  it.each([
    ['is not JSON', 'hello', 'it is not JSON'],
    ['does not fit', '{"n":"x"}', '/n'],
    ['has the wrong type', '[]', 'the output'],
  ])('because its output %s', async (_name, output, reason) => {
    bench.addProgram(`process.stdout.write(${JSON.stringify(output)})`, {
      output_schema: { type: 'object', properties: { n: { type: 'integer' } } },
    });
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'invalid_output',
      exit_code: 0,
      output,
      message: text(reason),
    });
  });

  it('because its output is too long to be checked, or the output schema is broken', async () => {
    bench.addProgram("process.stdout.write('[' + '1,'.repeat(1e6) + '1]')", { output_schema: { type: 'array' } });
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'invalid_output',
      message: text(/more than can be checked/),
    });
    bench.addProgram("process.stdout.write('1')", { output_schema: { type: 'nonsense' } });
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'invalid_output',
      message: text(/output_schema is not valid/),
    });
  });

  it('because it takes too long', async () => {
    bench.addProgram('setTimeout(() => {}, 60000)', { timeout: '200ms', side_effect: 'W-local' });
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'timeout', retryable: false, message: text(/200 ms/) });
    bench.addProgram('setTimeout(() => {}, 60000)', { timeout: '200ms' });
    expect(await bench.run()).toMatchObject({ code: 'timeout', retryable: true });
  });

  it('because it was cancelled: the tree is dead in two seconds, the record says so, the next call works', async () => {
    const abort = new AbortController();
    const mark = `8${String(Math.random()).slice(2, 10)}`;
    bench.add({ handler: { type: 'command', argv: ['sleep', mark] } });
    const running = bench.run({}, sampleContext(), { signal: abort.signal });
    await eventually(() => processesWith(mark).length > 0);
    const started = Date.now();
    abort.abort();
    expect(wellFormed(await running)).toMatchObject({ code: 'cancelled', retryable: true });
    expect(Date.now() - started).toBeLessThan(2_000);
    expect(processesWith(mark)).toEqual([]);
    expect(bench.audit.at(-1)).toMatchObject({ outcome: 'cancelled' });
    bench.addProgram('');
    expect(await bench.run()).toMatchObject({ status: 'ok' });
  });

  it('because the program can not be started', async () => {
    writeFileSync(path.join(bench.root, 'plain'), '');
    bench.add({ handler: { type: 'command', argv: ['./plain'] } });
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'execution_failed',
      message: text(/could not be started.*EACCES/),
    });
    expect(bench.audit.at(-1)).toMatchObject({ outcome: 'execution_failed', reason: text(/EACCES/) });
  });
});

describe('a handler that breaks', () => {
  it('is an internal error on record', async () => {
    bench.addProgram('');
    const spy = vi.spyOn(CommandActionHandler.prototype, 'run').mockRejectedValue(new Error('a bug'));
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'internal', message: text(/a bug/) });
    spy.mockRestore();
    expect(bench.audit.at(-1)).toMatchObject({ kind: 'run_outcome', outcome: 'internal' });
    expect(bench.logger.lines[0]).toContain('a bug');
  });

  it('is told apart from a process that a signal ended', async () => {
    bench.addProgram('');
    const nothing = { text: '', totalBytes: 0, truncated: false, file: undefined };
    const result = {
      ended: 'signal',
      exitCode: undefined,
      detail: 'Ended by SIGKILL.',
      stdout: nothing,
      stderr: nothing,
      durationMs: 1,
    } as const;
    const spy = vi.spyOn(CommandActionHandler.prototype, 'run').mockResolvedValue(result);
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'execution_failed',
      message: text(/Ended by SIGKILL/),
    });
    spy.mockRestore();
  });
});

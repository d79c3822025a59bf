import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionDefinition, RunReply } from '../../../capabilities/models';
import { eventually, processesWith } from '../node/process-witness';
import { ExecutorBench } from './executor-bench';
import { text, wellFormed } from './run-assertions';
import { sampleContext } from './sample-resources';

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});

const marker = (): string => path.join(bench.root, 'ran');
const touching = (change: Partial<ActionDefinition> = {}): void => {
  bench.add({ handler: { type: 'command', argv: ['touch', marker()] }, filesystem: { write: ['.'] }, ...change });
};

describe('a dry run', () => {
  it('shows the plan, asks nobody and runs nothing', async () => {
    touching({ side_effect: 'I', risk_level: 'high', affected_resources: ['everything'] });
    const reply = wellFormed(await bench.run({ dry_run: true }));
    expect(reply).toMatchObject({
      status: 'planned',
      isolated: true,
      notices: ['Dry run: nothing was executed.'],
      plan: {
        command: [text(/touch$/), marker()],
        cwd: bench.root,
        network: 'none',
        write: ['.'],
        timeout_ms: 60_000,
        arguments: {},
        affected_resources: ['everything'],
        requires_confirmation: true,
        isolated: true,
      },
    });
    expect(existsSync(marker())).toBe(false);
    expect(bench.asked).toEqual([]);
    expect(bench.audit).toEqual([expect.objectContaining({ kind: 'decision', decision: 'planned' })]);
  });

  it('needs the same permissions as a run', async () => {
    touching({ acl: { execute: [] } });
    expect(await bench.run({ dry_run: true })).toMatchObject({ code: 'execute_denied' });
  });

  it('fits its reply, and counts what is left out', async () => {
    bench.add({
      arguments_schema: { type: 'object' },
      handler: { type: 'command', argv: ['echo', '--', '${args.list}'], stdin: '${args.text}' },
    });
    const reply = wellFormed(
      await bench.run({
        dry_run: true,
        arguments: { list: Array.from({ length: 2_000 }, (_, i) => `item ${i}`), text: 'y'.repeat(50_000) },
      }),
    ) as RunReply;
    expect(JSON.stringify(reply.plan)).toMatch(/more characters.*/);
    expect(reply.plan?.command.at(-1)).toMatch(/^… and \d+ more$/);
    expect(reply.notices).toContain('Long values of the plan are shortened.');
  });

  it('of a script names it', async () => {
    writeFileSync(path.join(bench.root, 's.sh'), 'echo hi');
    bench.add({ handler: { type: 'script', file: 's.sh' } });
    expect(wellFormed(await bench.run({ dry_run: true }))).toMatchObject({ plan: { script: 's.sh' } });
    expect(await bench.run()).toMatchObject({ status: 'ok', output: 'hi\n' });
  });
});

describe('confirmation', () => {
  it('is asked once, from the plan that then runs', async () => {
    touching({ side_effect: 'W-shared', risk_level: 'medium' });
    expect(wellFormed(await bench.run())).toMatchObject({ status: 'ok' });
    expect(existsSync(marker())).toBe(true);
    expect(bench.asked[0]?.detail).toContain(marker());
    expect(bench.audit.map((record) => [record.kind, record.decision, record.reason])).toEqual([
      ['confirmation', 'allowed', 'dialog'],
      ['run_intent', 'allowed', undefined],
      ['run_outcome', undefined, undefined],
    ]);
  });

  it('that is declined runs nothing, leaves nothing, and is asked again', async () => {
    touching({ side_effect: 'I' });
    bench.answer = 'declined';
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'confirmation_declined', retryable: false });
    await bench.run();
    expect(bench.asked).toHaveLength(2);
    expect(existsSync(marker())).toBe(false);
    expect(bench.audit.map((record) => record.kind)).toEqual(['confirmation', 'confirmation']);
  });

  it('goes by a token where there is no dialog, once, and only after a person approved it', async () => {
    touching({ side_effect: 'I', affected_resources: ['~/.bashrc'] });
    bench.answer = 'unavailable';
    const asked = wellFormed(await bench.run()) as RunReply;
    expect(asked).toMatchObject({
      status: 'confirmation_required',
      affected_resources: ['~/.bashrc'],
      expires_in_seconds: 600,
      summary: text(/^Act\. Effect: high impact/),
    });
    const confirmation_token = asked.confirmation_token ?? '';
    expect(asked.how_to_confirm).toContain(`capability confirm ${confirmation_token}`);
    expect(wellFormed(await bench.run({ confirmation_token }))).toMatchObject({ code: 'confirmation_required' });
    expect(existsSync(marker())).toBe(false);
    await bench.tokens.approve(confirmation_token);
    const results = await Promise.all(Array.from({ length: 10 }, () => bench.run({ confirmation_token })));
    expect(results.map((reply) => reply.status).filter((status) => status === 'ok')).toHaveLength(1);
    expect(wellFormed(await bench.run({ confirmation_token }))).toMatchObject({ code: 'confirmation_required' });
    expect(bench.audit.filter((record) => record.kind === 'run_intent')).toHaveLength(1);
  });

  it('is void when the definition changes while the person thinks', async () => {
    touching({ side_effect: 'I' });
    bench.answer = () => {
      touching({ side_effect: 'I', title: 'Changed' });
      return Promise.resolve('run_once');
    };
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'version_conflict',
      message: text(/definition changed/),
    });
    expect(existsSync(marker())).toBe(false);
    expect(bench.audit.at(-1)).toMatchObject({ kind: 'run_outcome', outcome: 'version_conflict' });
  });

  it.each<[string, () => void, string]>([
    [
      'the action is gone',
      () => {
        bench.resources.clear();
      },
      'version_conflict',
    ],
    [
      'the script changes',
      () => {
        writeFileSync(path.join(bench.root, 's.sh'), 'touch evil');
      },
      'version_conflict',
    ],
    [
      'it is switched off',
      () => {
        const action = bench.resources.get('folder:demo.act');
        if (action !== undefined) bench.resources.set(action.key, { ...action, enabled: false });
      },
      'disabled',
    ],
  ])('is void when %s meanwhile', async (_name, change, code) => {
    writeFileSync(path.join(bench.root, 's.sh'), `touch ${marker()}`);
    bench.add({ handler: { type: 'script', file: 's.sh' }, side_effect: 'I' });
    bench.answer = () => {
      change();
      return Promise.resolve('run_once');
    };
    expect(wellFormed(await bench.run())).toMatchObject({ code });
    expect(existsSync(marker())).toBe(false);
  });

  it('ends with the call that asked', async () => {
    touching({ side_effect: 'I' });
    const abort = new AbortController();
    bench.answer = (_request, signal) => {
      abort.abort();
      return Promise.reject(signal.reason as Error);
    };
    expect(wellFormed(await bench.run({}, sampleContext(), { signal: abort.signal }))).toMatchObject({
      code: 'cancelled',
    });
    expect(await bench.run({}, sampleContext(), { signal: AbortSignal.abort() })).toMatchObject({ code: 'cancelled' });
    expect(bench.asked).toHaveLength(1);
    expect(existsSync(marker())).toBe(false);
  });

  it('that breaks is an internal error, and nothing runs', async () => {
    touching({ side_effect: 'I' });
    bench.answer = () => Promise.reject(new Error('the host is gone'));
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'internal', message: text(/the host is gone/) });
    expect(bench.logger.lines[0]).toContain('the host is gone');
    expect(existsSync(marker())).toBe(false);
  });
});

describe('an audit log that can not be written', () => {
  it('refuses every action that is not read-only', async () => {
    touching({ side_effect: 'W-local' });
    await bench.approve();
    bench.store.failure = 'disk full';
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'internal',
      retryable: true,
      message: text(/audit log can't be written/),
    });
    expect(existsSync(marker())).toBe(false);
    expect(bench.logger.lines[0]).toContain('disk full');
  });

  it('lets an action that only reads run, and says so', async () => {
    bench.addProgram("process.stdout.write('x')");
    await bench.approve();
    bench.store.failure = 'disk full';
    const reply = wellFormed(await bench.run());
    expect(reply).toMatchObject({ status: 'ok', output: 'x', notices: [text(/only reads/)] });
    expect(reply).not.toHaveProperty('audit_id');
  });

  it('is said when only the outcome is lost', async () => {
    bench.addProgram(`require('fs').writeFileSync(${JSON.stringify(marker())}, '')`, { side_effect: 'W-local' });
    const append = bench.store.appendLine.bind(bench.store);
    bench.store.appendLine = (name, line) =>
      line.includes('run_outcome') ? Promise.reject(new Error('full')) : append(name, line);
    expect(wellFormed(await bench.run())).toMatchObject({
      status: 'ok',
      notices: [text(/outcome could not be written/)],
    });
  });
});

describe('many runs', () => {
  it('go on eight at a time; a call that is cancelled while it waits never starts', async () => {
    const mark = `9${String(Math.random()).slice(2, 10)}`;
    bench.add({ handler: { type: 'command', argv: ['sleep', mark] } });
    const abort = new AbortController();
    const late = new AbortController();
    const running = Array.from({ length: 8 }, () => bench.run({}, sampleContext(), { signal: abort.signal }));
    await eventually(() => bench.audit.filter((record) => record.kind === 'run_intent').length === 8);
    const waiting = [late, abort].map((controller) => bench.run({}, sampleContext(), { signal: controller.signal }));
    late.abort();
    expect(await waiting[0]).toMatchObject({ code: 'cancelled', message: text(/before it started/) });
    abort.abort();
    for (const reply of await Promise.all([...running, ...waiting])) expect(reply).toMatchObject({ code: 'cancelled' });
    expect(bench.audit.filter((record) => record.kind === 'run_intent')).toHaveLength(8);
    expect(processesWith(mark)).toEqual([]);
  });
});

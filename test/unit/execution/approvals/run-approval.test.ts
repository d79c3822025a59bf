import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorReply } from '../../../../capabilities/models';
import { ExecutorBench } from '../executor-bench';

let bench: ExecutorBench;
const file = (name: string): string => path.join(bench.root, name);
const ran = (): boolean => existsSync(file('ran'));

beforeEach(() => {
  bench = new ExecutorBench();
  writeFileSync(file('task.mjs'), `import { writeFileSync } from 'node:fs'; writeFileSync('ran', 'first');`);
  addScript();
});

function addScript(change: object = {}): void {
  bench.add({
    handler: { type: 'script', file: 'task.mjs' },
    side_effect: 'W-local',
    requires_confirmation: false,
    ...change,
  });
}

describe('a pack that nobody has approved', () => {
  it('is asked about once, with what it would run, and then runs without a question', async () => {
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    expect(bench.askedApprovals).toHaveLength(1);
    const { title, detail } = bench.askedApprovals[0]!;
    expect(title).toBe('Approve the pack "demo"?');
    expect(detail).toContain('Actions: 1 (1 change this machine or this workspace)');
    expect(detail).toContain('task.mjs');
  });

  it('runs nothing when the person says no, and asks again at the next run', async () => {
    bench.approval = 'declined';
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved', retryable: false });
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved' });
    expect(bench.askedApprovals).toHaveLength(2);
    expect(ran()).toBe(false);
    expect(bench.allRecords.filter(({ kind }) => kind === 'approval').map(({ decision }) => decision)).toEqual([
      'refused',
      'refused',
    ]);
  });

  it('runs nothing where nobody can be asked, and says how to approve it', async () => {
    bench.approval = 'unavailable';
    const reply = (await bench.run()) as ErrorReply;
    expect(reply).toMatchObject({ code: 'pack_not_approved', retryable: true });
    expect(reply.message).toContain('`capability approve demo`');
    expect(ran()).toBe(false);
  });

  it('can be planned, because that starts nothing', async () => {
    bench.approval = 'declined';
    expect(await bench.run({ dry_run: true })).toMatchObject({ status: 'planned' });
    expect(bench.askedApprovals).toEqual([]);
  });

  it('is asked about once for calls that come together', async () => {
    const replies = await Promise.all([bench.run(), bench.run(), bench.run()]);
    expect(replies.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(bench.askedApprovals).toHaveLength(1);
  });

  it('is asked about again by a call that waited for another one that was cancelled', async () => {
    const controller = new AbortController();
    bench.approval = (signal) =>
      new Promise((resolve, reject) => {
        if (bench.askedApprovals.length > 1) resolve('approved');
        signal.addEventListener('abort', () => {
          reject(new Error('gone'));
        });
      });
    const first = bench.run({}, undefined, { signal: controller.signal });
    await expect.poll(() => bench.askedApprovals.length).toBe(1);
    const second = bench.run();
    controller.abort();
    expect(await first).toMatchObject({ code: 'cancelled' });
    expect(await second).toMatchObject({ status: 'ok' });
  });

  it('can be cancelled by a call that waits for the answer to another', async () => {
    let answer: (value: 'approved') => void = () => undefined;
    bench.approval = () => new Promise((resolve) => (answer = resolve));
    const first = bench.run();
    await expect.poll(() => bench.askedApprovals.length).toBe(1);
    const controller = new AbortController();
    const second = bench.run({}, undefined, { signal: controller.signal });
    setImmediate(() => {
      controller.abort();
    });
    expect(await second).toMatchObject({ code: 'cancelled' });
    answer('approved');
    expect(await first).toMatchObject({ status: 'ok' });
  });

  it('stays unapproved when the approval can not be saved', async () => {
    bench.store.failure = 'disk full';
    const reply = (await bench.run()) as ErrorReply;
    expect(reply).toMatchObject({ code: 'pack_not_approved', retryable: true });
    expect(reply.message).toContain('disk full');
    expect(ran()).toBe(false);
  });
});

describe('a pack that was approved', () => {
  beforeEach(() => bench.approve());

  it.each([
    [
      'its script',
      () => {
        appendFileSync(file('task.mjs'), '\n');
      },
      'Changed: task.mjs',
    ],
    [
      'its definition',
      () => {
        addScript({ timeout: '2m' });
      },
      'Changed: demo.act',
    ],
    [
      'another action of it',
      () => {
        bench.add({ action_id: 'demo.other' });
      },
      'New: demo.other',
    ],
    [
      'its own definition',
      () => {
        bench.addPack();
      },
      'New: demo',
    ],
  ])('asks again after a change of %s and says what changed', async (_, change, line) => {
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    change();
    bench.approval = 'declined';
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved' });
    expect(bench.askedApprovals).toHaveLength(1);
    expect(bench.askedApprovals[0]?.detail).toContain(line);
  });

  it('runs no script that was changed while the person read the confirmation', async () => {
    addScript({ requires_confirmation: true });
    await bench.approve();
    bench.answer = () => {
      appendFileSync(file('task.mjs'), '\n');
      return Promise.resolve('run_once');
    };
    expect(await bench.run()).toMatchObject({ code: 'version_conflict' });
    expect(ran()).toBe(false);
  });

  it('runs a program of the workspace only as it was approved', async () => {
    writeFileSync(file('tool'), '#!/bin/sh\necho one > ran\n');
    chmodSync(file('tool'), 0o755);
    addScript({ handler: { type: 'command', argv: ['./tool'] } });
    await bench.approve();
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    expect(readFileSync(file('ran'), 'utf8')).toBe('one\n');
    writeFileSync(file('tool'), '#!/bin/sh\necho two > ran\n');
    bench.approval = 'declined';
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved' });
    expect(readFileSync(file('ran'), 'utf8')).toBe('one\n');
  });

  it('is not approved any more once its approval was withdrawn', async () => {
    const state = await bench.approvals.stateOf(bench.resources.get(`${bench.scope.name}:demo.act`)!);
    if (state.kind === 'not_needed') throw new Error('It needs one.');
    await bench.approvals.revoke(state.content);
    bench.approval = 'unavailable';
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved' });
  });

  it.each([
    ['is cut off', (text: string) => text.slice(0, -20)],
    ['is empty', () => ''],
    ['holds another pack', (text: string) => text.replace('"demo"', '"other"')],
    ['holds another hash for the script', (text: string) => text.replace(/[0-9a-f]{64}/u, 'f'.repeat(64))],
    ['is no object', () => '[]'],
  ])('is not approved when the stored approval %s', async (_, damage) => {
    const [name, text] = [...bench.store.files].find(([each]) => each.startsWith('approvals/'))!;
    bench.store.files.set(name, damage(text));
    bench.approval = 'declined';
    expect(await bench.run()).toMatchObject({ code: 'pack_not_approved' });
  });
});

it('the packs of the user need no approval', async () => {
  const own = new ExecutorBench('user');
  own.addProgram('');
  expect(await own.run()).toMatchObject({ status: 'ok' });
  expect(own.askedApprovals).toEqual([]);
});

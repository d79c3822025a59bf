import { beforeEach, expect, test } from 'vitest';
import { AuditLog } from '../../../capabilities/execution/audit-log';
import type { AuditEvent } from '../../../capabilities/execution/audit-record';
import { readAuditUsage, usageOutcomeOf } from '../../../capabilities/execution/audit-usage';
import { CONTEXT, DIGEST } from '../search/memory-registry';
import { HandClock, MemoryStore } from './memory-store';

const HOUR = 60 * 60 * 1000;
let store: MemoryStore;
let clock: HandClock;

beforeEach(() => {
  store = new MemoryStore();
  clock = new HandClock();
});

async function record(...events: Partial<AuditEvent>[]): Promise<void> {
  const audit = new AuditLog(store, clock, DIGEST);
  for (const event of events) {
    clock.advance(HOUR);
    const full = { kind: 'describe', resource: 'demo:a.x', workspace: '/demo', ...event } as AuditEvent;
    await audit.append(full, CONTEXT, 'buffered');
  }
}

const read = (request: { after?: number; before?: number; limit?: number } = {}) =>
  readAuditUsage(store, { root: '/demo', after: 0, before: Number.POSITIVE_INFINITY, limit: 100, ...request });

test('describes, ends of runs and refusals become uses, oldest first over all segments; the rest says nothing', async () => {
  await record({ decision: 'allowed' }, { decision: 'refused' }, { kind: 'run_intent', decision: 'allowed' });
  await record(
    { kind: 'run_outcome', outcome: 'ok' },
    { kind: 'run_outcome', outcome: 'execution_failed' },
    { kind: 'run_outcome', outcome: 'cancelled' },
    { kind: 'confirmation', decision: 'refused', outcome: 'confirmation_declined' },
    { kind: 'confirmation', decision: 'allowed' },
    { kind: 'decision', decision: 'refused', outcome: 'invalid_arguments' },
    { kind: 'run_outcome', outcome: 'ok', workspace: '/elsewhere' },
    { kind: 'run_outcome', outcome: 'ok', workspace: undefined },
  );
  const uses = await read();
  expect(uses.map(({ outcome }) => outcome)).toEqual(['described', 'succeeded', 'failed', 'declined']);
  expect(uses.every(({ id, goal }) => id === 'a.x' && goal.length === 0)).toBe(true);
  expect(uses.map(({ time }) => time)).toEqual([...uses.map(({ time }) => time)].sort((one, other) => one - other));
});

test('only the time asked for and at most the number asked for, the newest', async () => {
  await record(
    ...Array.from({ length: 5 }, (_, index) => ({ resource: `demo:a.x${index}`, decision: 'allowed' }) as const),
  );
  const start = Date.UTC(2026, 0, 1);
  expect((await read({ limit: 2 })).map(({ id }) => id)).toEqual(['a.x3', 'a.x4']);
  const middle = await read({ after: start + HOUR, before: start + 4 * HOUR });
  expect(middle.map(({ id }) => id)).toEqual(['a.x1', 'a.x2']);
});

test('torn and foreign lines are passed over', async () => {
  await record({ decision: 'allowed' });
  store.files.set('audit/9.jsonl', 'nonsense\n[1]\nnull\n{"kind":"describe"}\n{"kind":"describe","decision":"allo');
  expect(await read()).toHaveLength(1);
});

test.each([
  ['ok', 'succeeded'],
  ['timeout', 'failed'],
  ['invalid_output', 'failed'],
  ['confirmation_declined', 'declined'],
  ['cancelled', undefined],
  ['planned', undefined],
  ['execute_denied', undefined],
])('a run that ended with %s counts as %s', (outcome, expected) => {
  expect(usageOutcomeOf(outcome)).toBe(expected);
});

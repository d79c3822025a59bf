import { beforeEach, describe, expect, test } from 'vitest';
import type { ParsedQuery, UsageEvent, UsageRequest } from '../../../../capabilities/models';
import { UsageHistory } from '../../../../capabilities/search/history/usage-history';
import { HandClock, MemoryLogger, MemoryStore } from '../../execution/memory-store';
import { DIGEST, MemoryRegistry } from '../memory-registry';

const DAY = 24 * 60 * 60 * 1000;
const registry = new MemoryRegistry([{ action_id: 'shop.order' }, { action_id: 'shop.refund' }]);
const order = registry.get('demo:shop.order');
const refund = registry.get('demo:shop.refund');
const query = { concepts: [{ term: 'order', forms: [['order'], ['订单']] }] } as unknown as ParsedQuery;

let store: MemoryStore;
let clock: HandClock;
let logger: MemoryLogger;
let audited: UsageEvent[];
let requests: UsageRequest[];

beforeEach(() => {
  store = new MemoryStore();
  clock = new HandClock();
  logger = new MemoryLogger();
  audited = [];
  requests = [];
});

function open(): UsageHistory {
  const derive = (request: UsageRequest) => {
    requests.push(request);
    return Promise.resolve(audited.filter(({ time }) => time > request.after && time < request.before));
  };
  return new UsageHistory({ store, clock, digest: DIGEST, logger, derive });
}

async function use(history: UsageHistory, resource = order, session = 's'): Promise<void> {
  if (resource === undefined) throw new Error('no such resource');
  await history.recordUse(session, resource, 'succeeded');
}

const fileName = (): string => [...store.files.keys()].find((name) => name.endsWith('.jsonl')) ?? '';
const search = (found: readonly string[]) => ({ query, found, isHeld: () => false });

describe('what is kept', () => {
  test('a use, for the next process as well', async () => {
    await use(open());
    expect(await open().usesOf('/demo')).toEqual([
      { id: 'shop.order', time: clock.now(), outcome: 'succeeded', goal: [] },
    ]);
    expect(await open().usesOf('/elsewhere')).toEqual([]);
  });

  test('with the known words of the search that found it, for half an hour, in the same session', async () => {
    const history = open();
    history.rememberSearch('s', search(['demo:shop.order']));
    await use(history);
    await use(history, refund);
    await use(history, order, 'another');
    clock.advance(31 * 60 * 1000);
    await use(history);
    const goals = (await history.usesOf('/demo')).map(({ goal }) => goal);
    expect(goals).toEqual([['order'], [], [], []]);
    expect(store.files.get(fileName())).not.toContain('arguments');
  });

  test('not longer than 90 days and not more than 2,000 uses', async () => {
    await use(open());
    clock.advance(91 * DAY);
    expect(await open().usesOf('/demo')).toEqual([]);
    const line = (index: number): string =>
      JSON.stringify({ time: clock.now() - index, id: 'a', outcome: 'succeeded' });
    store.files.set(fileName(), `${Array.from({ length: 2600 }, (_, index) => line(index)).join('\n')}\n`);
    expect(await open().usesOf('/demo')).toHaveLength(2000);
    expect(store.files.get(fileName())?.trimEnd().split('\n')).toHaveLength(2001);
  });

  test('what another process has added shows within a minute', async () => {
    const [one, other] = [open(), open()];
    expect(await one.usesOf('/demo')).toEqual([]);
    await use(other);
    clock.advance(61_000);
    expect(await one.usesOf('/demo')).toHaveLength(1);
  });
});

describe('made from the audit log', () => {
  test('when there is none, with what is not older than 90 days; and only once', async () => {
    audited = [1, 100].map((days) => ({
      ...({ id: 'shop.order', outcome: 'succeeded', goal: [] } as const),
      time: clock.now() - days * DAY,
    }));
    expect(await open().usesOf('/demo')).toHaveLength(1);
    expect(await open().usesOf('/demo')).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test.each([['this folder'], ['all']])('not again after %s is cleared', async (what) => {
    audited = [{ id: 'shop.order', time: clock.now() - DAY, outcome: 'succeeded', goal: [] }];
    const history = open();
    expect(await history.usesOf('/demo')).toHaveLength(1);
    await history.clear(what === 'all' ? 'all' : ['/demo']);
    expect(await history.usesOf('/demo')).toEqual([]);
    expect(await open().usesOf('/demo')).toEqual([]);
    await use(history);
    expect(await open().usesOf('/demo')).toHaveLength(1);
  });

  test('a broken mark of the last clearing counts as one made now', async () => {
    audited = [{ id: 'shop.order', time: clock.now() - DAY, outcome: 'succeeded', goal: [] }];
    store.files.set('history/cleared.json', '{"cleared_at": "yes');
    expect(await open().usesOf('/demo')).toEqual([]);
    expect(logger.lines.join()).toContain('history/cleared.json');
  });
});

describe('a store that fails', () => {
  test('a broken file is named and replaced by what could be read', async () => {
    await use(open());
    store.files.set(fileName(), `\u0000\u0001 junk\n${store.files.get(fileName()) ?? ''}`);
    expect(await open().usesOf('/demo')).toHaveLength(1);
    expect(logger.lines.join()).toContain(fileName());
    logger.lines.length = 0;
    expect(await open().usesOf('/demo')).toHaveLength(1);
    expect(logger.lines).toEqual([]);
  });

  test('one that can be neither read nor written costs the history, nothing else', async () => {
    const history = open();
    store.failure = 'disk full';
    await use(history);
    expect((await history.usesOf('/demo')).length).toBeLessThanOrEqual(1);
    expect(logger.lines.join()).toContain('disk full');
    await expect(history.clear(['/demo'])).rejects.toThrow('disk full');
  });
});

test('while it is off, nothing is read, kept or written; what was stored stays', async () => {
  const history = open();
  await use(history);
  const before = new Map(store.files);
  history.setEnabled(false);
  history.rememberSearch('s', search(['demo:shop.order']));
  await use(history);
  expect(await history.usesOf('/demo')).toEqual([]);
  expect(store.files).toEqual(before);
  expect((await history.summarize('/demo')).uses.succeeded).toBe(1);
  history.setEnabled(true);
  expect(await history.usesOf('/demo')).toHaveLength(1);
});

test('counts what is stored', async () => {
  const history = open();
  history.rememberSearch('s', search(['demo:shop.order']));
  await use(history);
  clock.advance(DAY);
  await use(history, refund);
  expect(await history.summarize('/demo')).toEqual({
    root: '/demo',
    uses: { described: 0, succeeded: 2, failed: 0, declined: 0 },
    withGoal: 1,
    oldest: clock.now() - DAY,
    newest: clock.now(),
  });
});

import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../capabilities/models';
import type { Clock, Logger } from '../../../capabilities/ports';
import { IndexKeeper } from '../../../capabilities/search/index-keeper';
import { Lexicon } from '../../../capabilities/search/lexicon/lexicon';
import { SearchIndex } from '../../../capabilities/search/search-index';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';
import { MemoryStore } from '../execution/memory-store';
import { DIGEST, MemoryRegistry, WORKSPACE } from './memory-registry';

const LEXICON = new Lexicon();
const tools = (count: number): { action_id: string; title: string }[] =>
  Array.from({ length: count }, (_, index) => ({ action_id: `tool_${index}`, title: `Tool number ${index}` }));

/** Later each time it is asked. */
let time = 1000;

/** A disk that answers in time, or never does. */
function clockFor(disk: 'quick' | 'stuck'): Clock {
  const never = new Promise<void>(() => undefined);
  return {
    now: () => (time += 1),
    monotonic: () => time,
    sleep: (ms) => (ms === 300 && disk === 'quick' ? never : Promise.resolve()),
  };
}

interface Start {
  readonly index: SearchIndex;
  readonly log: readonly string[];
}

/** One start of a host over the registry. */
async function start(
  registry: MemoryRegistry,
  store: MemoryStore,
  given: { scopes?: readonly Scope[]; disk?: 'quick' | 'stuck' } = {},
): Promise<Start> {
  const { scopes = [WORKSPACE], disk = 'quick' } = given;
  const log: string[] = [];
  const logger: Logger = {
    log: (level, message, fields) => log.push([level, message, fields?.['reason'] ?? ''].join(' ').trim()),
  };
  const index = new SearchIndex(registry, LEXICON, DEFAULT_SEARCH_WEIGHTS);
  const keeper = new IndexKeeper(index, { store, digest: DIGEST, clock: clockFor(disk), logger });
  await keeper.prepare(disk === 'stuck' ? new Promise(() => undefined) : keeper.read(scopes));
  await keeper.keep(scopes);
  return { index, log };
}

const indexFiles = (store: MemoryStore): readonly string[] =>
  [...store.files.keys()].filter((name) => name.startsWith('search-index/'));

describe('keeping the index', () => {
  it('writes it after the first start and takes it over at the next', async () => {
    const [registry, store] = [new MemoryRegistry(tools(250)), new MemoryStore()];
    expect((await start(registry, store)).index.takenOver).toBe(0);
    expect(indexFiles(store)).toHaveLength(1);
    const [before] = indexFiles(store);
    const second = await start(registry, store);
    expect(second.index.takenOver).toBe(250);
    expect(indexFiles(store)).toEqual([before]);
  });

  it('writes nothing for a small registry', async () => {
    const store = new MemoryStore();
    await start(new MemoryRegistry(tools(199)), store);
    expect(indexFiles(store)).toEqual([]);
  });

  it('replaces it when much has changed, and not for little', async () => {
    const store = new MemoryStore();
    await start(new MemoryRegistry(tools(250)), store);
    const [first] = indexFiles(store);
    const little = tools(250).map((tool, index) => (index < 5 ? { ...tool, title: 'Changed' } : tool));
    expect((await start(new MemoryRegistry(little), store)).index.takenOver).toBe(245);
    expect(indexFiles(store)).toEqual([first]);
    const much = tools(250).map((tool, index) => (index < 50 ? { ...tool, title: 'Changed' } : tool));
    expect((await start(new MemoryRegistry(much), store)).index.takenOver).toBe(200);
    expect(indexFiles(store)).toHaveLength(1);
    expect(indexFiles(store)).not.toEqual([first]);
  });

  it.each([
    ['torn', (text: string) => text.slice(0, text.length / 2), 'it is damaged'],
    [
      'of an old version',
      (text: string) => text.replace('capability-index 1', 'capability-index 0'),
      'it is of another version (0)',
    ],
    ['foreign', () => 'something else', 'it is no index'],
  ])('passes over a file that is %s, says so, and replaces it', async (_, spoil, reason) => {
    const [registry, store] = [new MemoryRegistry(tools(250)), new MemoryStore()];
    await start(registry, store);
    const [name = ''] = indexFiles(store);
    store.files.set(name, spoil(store.files.get(name) ?? ''));
    const second = await start(registry, store);
    expect([second.index.takenOver, second.index.size]).toEqual([0, 250]);
    expect(second.log).toEqual([`warn The stored search index is of no use. ${reason}`]);
    expect((await start(registry, store)).index.takenOver).toBe(250);
    expect(indexFiles(store)).toHaveLength(1);
  });

  it('does not wait for a disk that does not answer', async () => {
    const { index } = await start(new MemoryRegistry(tools(250)), new MemoryStore(), { disk: 'stuck' });
    expect([index.takenOver, index.size]).toEqual([0, 250]);
  });

  it('goes on without a store that fails', async () => {
    const store = new MemoryStore();
    const broken = Object.assign(store, {
      list: () => Promise.reject(new Error('no such disk')),
      write: () => Promise.reject(new Error('no such disk')),
    });
    const { index, log } = await start(new MemoryRegistry(tools(250)), broken);
    expect(index.size).toBe(250);
    expect(log).toEqual([
      'info The stored search index could not be read. no such disk',
      'info The search index could not be stored. no such disk',
    ]);
  });

  it('keeps the indexes of several workspaces apart, the last eight of them', async () => {
    const [registry, store] = [new MemoryRegistry(tools(250)), new MemoryStore()];
    const scopesOf = (number: number): readonly Scope[] => [{ ...WORKSPACE, definitions: `/demo/${number}` }];
    for (let number = 0; number < 10; number += 1) await start(registry, store, { scopes: scopesOf(number) });
    expect(indexFiles(store)).toHaveLength(8);
    expect((await start(registry, store, { scopes: scopesOf(9) })).index.takenOver).toBe(250);
    expect((await start(registry, store, { scopes: scopesOf(0) })).index.takenOver).toBe(0);
  });
});

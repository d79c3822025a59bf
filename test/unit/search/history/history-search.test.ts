import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Retriever, SearchReply, UsageOutcome } from '../../../../capabilities/models';
import { UsageHistory } from '../../../../capabilities/search/history/usage-history';
import { HistoryRetriever } from '../../../../capabilities/search/retrievers/history';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../../capabilities/search/search-weights';
import { MemoryLogger, MemoryStore } from '../../execution/memory-store';
import { buildSearch, EMPTY_TRAIL, idsOf } from '../build-search';
import type { SearchBench } from '../build-search';
import { CONTEXT, DIGEST } from '../memory-registry';
import type { Sketch } from '../memory-registry';

type Uses = Readonly<Record<string, readonly UsageOutcome[]>>;

/** A search whose history holds these uses, by id. */
async function searchAfter(sketches: readonly Sketch[], uses: Uses): Promise<SearchBench & { history: UsageHistory }> {
  const late: { retriever?: Retriever } = {};
  const retriever: Retriever = {
    name: 'history',
    retrieve: (context) => late.retriever?.retrieve(context) ?? Promise.resolve([]),
  };
  const bench = buildSearch(sketches, { retrievers: [retriever] });
  const { clock, registry } = bench;
  const ports = { store: new MemoryStore(), clock, digest: DIGEST, logger: new MemoryLogger() };
  const history = new UsageHistory({ ...ports, derive: () => Promise.resolve([]) });
  late.retriever = new HistoryRetriever(registry, history, clock);
  for (const [id, outcomes] of Object.entries(uses)) {
    const resource = registry.get(`demo:${id}`);
    if (resource === undefined) throw new Error(`no ${id}`);
    for (const outcome of outcomes) await history.recordUse('earlier', resource, outcome);
  }
  return { ...bench, history };
}

const often = (outcome: UsageOutcome = 'succeeded'): readonly UsageOutcome[] =>
  Array.from({ length: 200 }, () => outcome);
const symptom = { symptoms: ['stale_cache'], entities: ['cache'] };
const broken = 'the cache is stale: stale_cache';
const twins = [
  { action_id: 'web.cache_north', title: 'Refresh the cache', summary: 'Cache of the site.', ...symptom },
  { action_id: 'web.cache_south', title: 'Refresh the cache', summary: 'Cache of the site.', ...symptom },
] as const satisfies readonly Sketch[];

describe('what past use may do', () => {
  test('of equals, what helped before goes first', async () => {
    expect(idsOf(await (await searchAfter(twins, {})).search(broken))[0]).toBe('web.cache_north');
    expect(idsOf(await (await searchAfter(twins, { 'web.cache_south': ['succeeded'] })).search(broken))[0]).toBe(
      'web.cache_south',
    );
  });

  test.each(['failed', 'declined'] as const)('what %s does not go first', async (outcome) => {
    const bench = await searchAfter(twins, { 'web.cache_south': ['succeeded', outcome, outcome] });
    expect(idsOf(await bench.search(broken))[0]).toBe('web.cache_north');
  });

  test.each(['do the usual', 'handle it'])(
    '%s: shows what is often used here, though nothing in it says so',
    async (vague) => {
      const sketches = [...twins, { action_id: 'night.backup', title: 'Nightly backup', summary: 'Copies.' }];
      const bench = await searchAfter(sketches, { 'night.backup': often() });
      expect((await trace(bench, vague)).ranking.map(({ resource }) => resource.id)).toContain('night.backup');
      expect((await trace(bench, broken)).ranking.map(({ resource }) => resource.id)).not.toContain('night.backup');
    },
  );
});

describe('what past use can never do', () => {
  test.each<[string, Partial<Extract<Sketch, { action_id: string }>>]>([
    ['a shared write', { side_effect: 'W-shared' }],
    ['what can not be undone', { side_effect: 'I', reversible: false }],
    ['a local write', { side_effect: 'W-local', reversible: true }],
    ['a read of medium risk', { risk_level: 'medium' }],
  ])('lift %s over a read of low risk', async (_case, riskier) => {
    const [read, other] = twins;
    const bench = await searchAfter([read, { ...other, ...riskier }], { 'web.cache_south': often() });
    for (const query of [broken, 'cache', 'check the cache', 'do the usual with the cache']) {
      const ids = (await trace(bench, query)).ranking.map(({ resource }) => resource.id);
      expect(ids.filter((id) => id !== 'web')).toEqual(['web.cache_north', 'web.cache_south']);
    }
  });

  test('lift a worse match over a better one', async () => {
    const worse = { action_id: 'web.cache_log', title: 'Log of the cache', summary: 'What the cache did.' };
    const bench = await searchAfter([...twins, worse], { 'web.cache_log': often() });
    expect(idsOf(await bench.search(broken)).slice(0, 2)).toEqual(['web.cache_north', 'web.cache_south']);
  });

  test('show what may not be discovered, or what the goal rules out', async () => {
    const hidden = { action_id: 'web.cache_c', title: 'Refresh the cache', ...symptom, acl: { discover: ['role:x'] } };
    const removal = { action_id: 'web.cache_d', title: 'Delete the cache', intents: ['delete'], ...symptom };
    const sketches = [...twins, hidden, { ...removal, side_effect: 'I' as const }];
    const bench = await searchAfter(sketches, { 'web.cache_c': often(), 'web.cache_d': often() });
    for (const query of [`${broken}, but do not delete anything`, 'fix it', 'web']) {
      const ids = idsOf(await bench.search({ query, limit: 10 }));
      expect(ids).not.toContain('web.cache_c');
      expect(ids.indexOf('web.cache_d')).not.toBe(0);
    }
    expect(idsOf(await bench.search({ query: `${broken}, but do not delete anything`, limit: 10 })).at(-1)).toBe(
      'web.cache_d',
    );
  });

  test('change the verdict', async () => {
    const resolution = async (uses: Uses): Promise<SearchReply['resolution']> =>
      (await (await searchAfter(twins, uses)).search(broken)).resolution;
    expect(await resolution({ 'web.cache_north': often(), 'web.cache_south': often() })).toBe(await resolution({}));
  });

  test('swap two results that are not nearly equal, whatever was used', async () => {
    const effects = ['R', 'W-local', 'W-shared', 'I'] as const;
    const words = ['cache', 'log', 'backup', 'site', 'stale'];
    const sketches = Array.from({ length: 12 }, (_, index) => ({
      action_id: `web.act_${index}`,
      title: `${words[index % 5] ?? ''} ${words[(index * 3) % 5] ?? ''}`,
      summary: `Does ${words[(index + 2) % 5] ?? ''}.`,
      side_effect: effects[index % 4] ?? 'R',
      ...(index % 3 === 0 ? symptom : {}),
    }));
    const plain = (await trace(await searchAfter(sketches, {}), broken)).ranking;
    const place = new Map(plain.map(({ resource }, index) => [resource.key, index]));
    const outcomes = fc.array(fc.constantFrom<UsageOutcome>('described', 'succeeded', 'failed'), { maxLength: 6 });
    const uses = fc.dictionary(fc.constantFrom(...sketches.map((sketch) => sketch.action_id)), outcomes);
    await fc.assert(
      fc.asyncProperty(uses, async (used) => {
        const { ranking } = await trace(await searchAfter(sketches, used), broken);
        expect(new Set(ranking.map(({ resource }) => resource.key))).toEqual(new Set(place.keys()));
        ranking.forEach((above, index) => {
          for (const below of ranking.slice(index + 1)) {
            if ((place.get(above.resource.key) ?? 0) < (place.get(below.resource.key) ?? 0)) continue;
            expect(below.score - above.score).toBeLessThanOrEqual(DEFAULT_SEARCH_WEIGHTS.history.nearTie);
            const effect = ({ resource }: typeof above): number =>
              resource.type === 'action' ? effects.indexOf(resource.definition.side_effect) : 0;
            expect(effect(above)).toBeLessThanOrEqual(effect(below));
          }
        });
      }),
      { numRuns: 40 },
    );
  });
});

test('switched off, it changes nothing', async () => {
  const bench = await searchAfter(twins, { 'web.cache_south': often() });
  bench.history.setEnabled(false);
  expect(idsOf(await bench.search(broken))[0]).toBe('web.cache_north');
});

function trace({ service }: SearchBench, query: string): ReturnType<SearchBench['service']['trace']> {
  return service.trace({ query }, CONTEXT, EMPTY_TRAIL, { signal: new AbortController().signal });
}

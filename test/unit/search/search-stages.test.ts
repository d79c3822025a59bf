import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  GatheredCandidate,
  ParsedQuery,
  RankedCandidate,
  Resolution,
  RetrievalContext,
  Retriever,
  RetrieverName,
} from '../../../capabilities/models';
import { CONFIDENCE_TABLE, judgeConfidence } from '../../../capabilities/search/confidence';
import type { ConfidenceEvidence, ConfidenceTable, LogisticModel } from '../../../capabilities/search/confidence';
import { CONFIDENCE_FEATURES } from '../../../capabilities/search/confidence-features';
import type { ConfidenceFeature, ConfidenceFeatures } from '../../../capabilities/search/confidence-features';
import { Diversifier } from '../../../capabilities/search/diversifier';
import { fuseCandidates } from '../../../capabilities/search/fusion';
import { gatherCandidates } from '../../../capabilities/search/gatherer';
import { PolicyFilter } from '../../../capabilities/search/policy-filter';
import { SearchDispatcher } from '../../../capabilities/search/search-dispatcher';
import { planSearch } from '../../../capabilities/search/search-planner';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';
import { SessionTrails } from '../../../capabilities/search/session-trail';
import { CONTEXT, LOGGER, ManualClock, MemoryPolicy, MemoryRegistry } from './memory-registry';
import type { ActionSketch, Sketch } from './memory-registry';

const ALL: ReadonlySet<RetrieverName> = new Set(['exact', 'lexical', 'semantic', 'metadata', 'hierarchy', 'history']);

function queryOf(given: Partial<ParsedQuery> = {}): ParsedQuery {
  return {
    text: 'q',
    language: 'en',
    explicitKeys: [],
    scope: undefined,
    scopeIsHard: false,
    isBrowseRequest: false,
    intents: [],
    entities: [],
    symptoms: [],
    constraints: [],
    forbiddenIntents: [],
    desiredOutcome: undefined,
    isExplicitWrite: false,
    excludedKeys: [],
    terms: ['q'],
    expansions: [],
    concepts: [{ term: 'q', forms: [['q']] }],
    ...given,
  };
}

function candidateOf(sketch: Sketch, given: Partial<RankedCandidate> = {}): RankedCandidate {
  const registry = new MemoryRegistry([sketch]);
  const resource =
    registry
      .all()
      .find(
        (each) =>
          each.definition.title === ('title' in sketch ? sketch.title : each.definition.title) && each.id.includes('.'),
      ) ?? registry.all()[0]!;
  return {
    resource,
    evidence: [
      { source: 'lexical', rank: 1, rawScore: 1, matchedFields: [] },
      { source: 'metadata', rank: 1, rawScore: 1, matchedFields: [] },
    ],
    fusionScore: 0.1,
    score: 0.8,
    matchedIntents: [],
    matchedEntities: [],
    matchedSymptoms: [],
    violates: false,
    availability: 'available',
    why: '',
    ...given,
  };
}

const action = (id: string, given: Partial<ActionSketch> = {}): ActionSketch => ({
  action_id: id,
  title: id,
  ...given,
});

describe('planSearch', () => {
  it.each<[string, Partial<ParsedQuery>, readonly RetrieverName[]]>([
    ['names', { explicitKeys: ['k'] }, ['exact', 'metadata']],
    ['a browsed pack', { isBrowseRequest: true, scope: 'p' }, ['hierarchy', 'metadata']],
    ['nothing to look for', { terms: [], concepts: [] }, ['hierarchy', 'history']],
    ['a goal with intents', { intents: ['update'] }, ['lexical', 'metadata', 'history']],
    ['an unclear goal', {}, ['lexical', 'hierarchy', 'history']],
    ['an identifier-like word', { text: 'a.b c', intents: ['update'] }, ['lexical', 'exact', 'metadata', 'history']],
  ])('plans for %s', (_, given, expected) => {
    expect(planSearch(queryOf(given), ALL).retrievers).toEqual(expected);
  });

  it('never plans everything, and only what is present', () => {
    const rich = queryOf({
      text: 'a.b',
      intents: ['x'],
      symptoms: ['y'],
      entities: ['z'],
      scope: 'p',
      concepts: Array.from({ length: 9 }, (_, index) => ({ term: `${index}`, forms: [] })),
    });
    expect(planSearch(queryOf({ intents: ['x'] }), ALL).retrievers.length).toBeLessThan(ALL.size);
    expect(planSearch(rich, new Set(['lexical'])).retrievers).toEqual(['lexical']);
    expect(planSearch(rich, ALL).reason).not.toBe('');
  });
});

describe('SearchDispatcher', () => {
  const context = (signal: AbortSignal): Omit<RetrievalContext, 'limit'> => ({
    query: queryOf(),
    admits: () => true,
    signal,
  });
  const hit = (key: string) => ({ key, rank: 1, score: 1, matchedFields: [] });
  const fixed = (name: RetrieverName, keys: readonly string[]): Retriever => ({
    name,
    retrieve: () => Promise.resolve(keys.map(hit)),
  });
  const limits = {
    ...DEFAULT_SEARCH_WEIGHTS,
    hitsPerRetriever: { ...DEFAULT_SEARCH_WEIGHTS.hitsPerRetriever, lexical: 2 },
  };

  it('goes on without a retriever that fails', async () => {
    const broken: Retriever = {
      name: 'semantic',
      retrieve: () => {
        throw new Error('422');
      },
    };
    const dispatcher = new SearchDispatcher([fixed('lexical', ['a', 'b', 'c']), broken], limits, {
      clock: new ManualClock(),
      logger: LOGGER,
    });
    const outcome = await dispatcher.dispatch(
      { retrievers: ['lexical', 'semantic'], reason: '' },
      context(new AbortController().signal),
    );
    expect(outcome.partial).toBe(true);
    expect(outcome.completed).toEqual(['lexical']);
    expect(outcome.hits.get('lexical')).toHaveLength(2);
  });

  it('gives each retriever its own time and tells the late one to stop', async () => {
    const clock = new ManualClock();
    let stopped = false;
    const late: Retriever = {
      name: 'semantic',
      retrieve: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            stopped = true;
          });
        }),
    };
    const dispatcher = new SearchDispatcher([late, fixed('exact', ['a'])], limits, { clock, logger: LOGGER });
    const pending = dispatcher.dispatch(
      { retrievers: ['semantic', 'exact'], reason: '' },
      context(new AbortController().signal),
    );
    // Every microtask of the prompt retriever runs before a timer can.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(499);
    clock.advance(1);
    const outcome = await pending;
    expect(outcome.completed).toEqual(['exact']);
    expect(outcome.partial).toBe(true);
    expect(stopped).toBe(true);
  });

  it('rejects with the reason of the caller who cancels', async () => {
    const stop = new AbortController();
    const never: Retriever = { name: 'semantic', retrieve: () => new Promise(() => undefined) };
    const dispatcher = new SearchDispatcher([never], limits, { clock: new ManualClock(), logger: LOGGER });
    const pending = dispatcher.dispatch({ retrievers: ['semantic'], reason: '' }, context(stop.signal));
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
  });
});

describe('gatherCandidates', () => {
  it('makes one candidate per resource with all evidence, drops unknown keys and caps', () => {
    const registry = new MemoryRegistry([action('p.a'), action('p.b'), action('p.c')]);
    const list = (keys: readonly string[]) =>
      keys.map((key, index) => ({ key: `demo:${key}`, rank: index + 1, score: undefined, matchedFields: [] }));
    const hits = new Map<RetrieverName, ReturnType<typeof list>>([
      ['lexical', list(['p.a', 'p.b', 'gone', 'p.a'])],
      ['metadata', list(['p.b'])],
      ['exact', list(['p.c'])],
    ]);
    const { candidates, total } = gatherCandidates(hits, registry, 2);
    expect(total).toBe(3);
    expect(candidates.map(({ resource }) => resource.id)).toEqual(['p.c', 'p.b']);
    expect(candidates[1]?.evidence.map((evidence) => evidence.source)).toEqual(['lexical', 'metadata']);
  });
});

describe('fuseCandidates', () => {
  it('adds weight / (k + rank), and breaks ties by key', () => {
    const registry = new MemoryRegistry([action('p.a'), action('p.b')]);
    const of = (key: string, source: RetrieverName, rank: number): GatheredCandidate => ({
      resource: registry.get(key)!,
      evidence: [{ source, rank, rawScore: undefined, matchedFields: [] }],
    });
    const { fusion } = DEFAULT_SEARCH_WEIGHTS;
    const [first] = fuseCandidates([of('demo:p.a', 'metadata', 3)], fusion);
    expect(first?.fusionScore).toBeCloseTo(1.4 / 63, 10);
    const tied = fuseCandidates([of('demo:p.b', 'exact', 1), of('demo:p.a', 'exact', 1)], fusion);
    expect(tied.map(({ resource }) => resource.id)).toEqual(['p.a', 'p.b']);
  });
});

describe('PolicyFilter', () => {
  const registry = new MemoryRegistry([
    action('p.plain'),
    action('p.off', { enabled: false }),
    action('p.windows', { supported_os: ['windows'] }),
    action('p.hidden', { acl: { discover: [] } }),
    action('q.other'),
    action('p.strong', { side_effect: 'I' }),
    { recipe_id: 'p.guide' },
  ]);
  const filter = new PolicyFilter(
    new MemoryPolicy(new Map([['p.plain', { availability: 'missing_executor', reasons: ['Install npm.'] }]])),
  );

  it('counts what it leaves out by reason, and never what may not be discovered', () => {
    const within = registry.get('demo:p');
    const admission = filter.admission({ within, types: ['action'], sideEffectMax: 'W-local' }, CONTEXT);
    const admitted = registry.all().filter((resource) => admission.admits(resource));
    expect(admitted.map((resource) => resource.id)).toEqual(['p.plain']);
    expect(admission.counts()).toEqual({
      disabled: 1,
      other_type: 1,
      outside_scope: 3,
      stronger_effect: 1,
      unsupported_os: 1,
    });
  });

  it('asks again after gathering, keeps the unusable marked and drops the hidden', () => {
    const candidates = registry.all().map((resource) => ({ resource, evidence: [] }));
    const kept = filter.filter(candidates, CONTEXT);
    const ids = kept.map(({ candidate }) => candidate.resource.id);
    expect(ids).toContain('p.plain');
    expect(ids).not.toContain('p.hidden');
    expect(ids).not.toContain('p.off');
    expect(kept.find(({ candidate }) => candidate.resource.id === 'p.plain')?.report.availability).toBe(
      'missing_executor',
    );
  });
});

describe('Diversifier', () => {
  const diversifier = new Diversifier(DEFAULT_SEARCH_WEIGHTS.diversity);
  const select = (ranked: readonly RankedCandidate[], query: Partial<ParsedQuery>, limit = 5): readonly string[] =>
    diversifier
      .select(ranked, {
        query: queryOf(query),
        limit,
        primaryIntentOf: ({ resource }) => resource.definition.intents?.[0],
        packsIn: () => [],
        packOf: ({ resource }) => candidateOf({ pack_id: resource.parentId ?? '' }, { score: 0.8 }),
      })
      .map(({ resource }) => resource.id);
  const many = (ids: readonly string[], given: Partial<ActionSketch> = {}): readonly RankedCandidate[] =>
    ids.map((id, index) =>
      candidateOf(action(id, { intents: [`intent${index}`], ...given }), { score: 0.9 - index / 10 }),
    );

  it('takes at most three of one parent', () => {
    expect(select(many(['p.a', 'p.b', 'p.c', 'p.d', 'q.e']), { intents: ['x'] })).toEqual(['p.a', 'p.b', 'p.c', 'q.e']);
  });

  it('takes at most two of one primary intent', () => {
    expect(select(many(['p.a', 'q.b', 'r.c'], { intents: ['update'] }), { intents: ['update'] })).toEqual([
      'p.a',
      'q.b',
    ]);
  });

  it('lets named resources through, whatever the caps', () => {
    const ranked = many(['p.a', 'p.b', 'p.c', 'p.d'], { intents: ['update'] });
    expect(select(ranked, { explicitKeys: ranked.map(({ resource }) => resource.key) })).toHaveLength(4);
  });

  it('keeps a read-only choice for unclear goals', () => {
    const writes = many(['p.a', 'q.b', 'r.c'], { side_effect: 'W-local' });
    const ranked = [...writes, candidateOf(action('s.read'), { score: 0.5 })];
    expect(select(ranked, { entities: ['e'] }, 3)).toContain('s.read');
  });

  it('never fills the page with high risk unless a write was asked for', () => {
    const risky = many(['p.a', 'q.b', 'r.c'], { side_effect: 'I', risk_level: 'high' });
    const ranked = [
      ...risky,
      candidateOf(action('s.mild', { side_effect: 'W-local', intents: ['z'] }), { score: 0.5 }),
    ];
    expect(select(ranked, { intents: ['x'] }, 3)).toEqual(['p.a', 'q.b', 's.mild']);
    expect(select(ranked, { intents: ['x'], isExplicitWrite: true }, 3)).toEqual(['p.a', 'q.b', 'r.c']);
  });

  it('puts a pack in the place of leaves that an unclear goal cannot tell apart', () => {
    const ranked = ['p.a', 'p.b', 'q.c'].map((id) => candidateOf(action(id, { intents: [id] }), { score: 0.8 }));
    expect(select(ranked, {})).toEqual(['p', 'q.c']);
  });
});

describe('judgeConfidence', () => {
  const clear = candidateOf(action('p.a'), { matchedIntents: ['x'], matchedEntities: ['y'], score: 0.9 });
  const other = candidateOf(action('p.b'), { score: 0.4 });
  const nothing = Object.fromEntries(CONFIDENCE_FEATURES.map((name) => [name, 0])) as ConfidenceFeatures;
  // One feature decides: the chances are those of its value.
  const only = (feature: ConfidenceFeature): LogisticModel => ({ bias: -5, weights: { ...nothing, [feature]: 10 } });
  const table: ConfidenceTable = {
    ...CONFIDENCE_TABLE,
    serves: only('coverage'),
    right: only('gap'),
    none_below: { authored: 0.5, plain: 0.2 },
    confident_from: 0.9,
  };
  const goal = queryOf({ intents: ['x'], entities: ['y'] });
  const good = { ...nothing, coverage: 1, gap: 1 };
  const base = { query: goal, ranked: [clear, other], features: good };
  const pack = candidateOf({ pack_id: 'docker' });
  const unsaid = (text: string) => ({
    query: queryOf({ text, explicitKeys: [pack.resource.key] }),
    ranked: [pack, other],
  });

  it('has a version and a source in its table', () => {
    expect(CONFIDENCE_TABLE.version).toBeGreaterThan(0);
    expect(CONFIDENCE_TABLE.source).not.toBe('');
  });

  it.each<[string, ConfidenceEvidence, Resolution]>([
    ['nothing was found', { ...base, ranked: [] }, 'no_confident_match'],
    ['one candidate stands out', base, 'confident'],
    ['two are near', { ...base, features: { ...good, gap: 0.5 } }, 'ambiguous'],
    ['the words are not covered', { ...base, features: { ...good, coverage: 0.4 } }, 'no_confident_match'],
    [
      'a plain tool is not covered in full',
      { ...base, features: { ...good, plain: 1, coverage: 0.4, gap: 0 } },
      'ambiguous',
    ],
    ['the goal is vague', { ...base, query: queryOf(), ranked: [candidateOf({ pack_id: 'p' })] }, 'ambiguous'],
    ['everything is ruled out', { ...base, ranked: [{ ...clear, violates: true }] }, 'no_confident_match'],
    [
      'a pack is browsed',
      { ...base, query: queryOf({ isBrowseRequest: true, scope: 'p' }), features: nothing },
      'confident',
    ],
    [
      'a resource is named',
      { ...base, query: queryOf({ explicitKeys: [clear.resource.key] }), features: nothing },
      'confident',
    ],
    ['it is not said what to do with a pack that is named', { ...base, ...unsaid('sort out docker') }, 'ambiguous'],
    ['a pack alone is named', { ...base, ...unsaid('docker') }, 'confident'],
    [
      'something is wrong with what the first candidate is about',
      { ...base, query: queryOf({ text: 'npm 不太对劲', concepts: [] }), features: { ...nothing, coverage: 0.2 } },
      'ambiguous',
    ],
  ])('judges when %s', (_, evidence, expected) => {
    expect(judgeConfidence(evidence, table)).toBe(expected);
  });

  it('takes its thresholds from the table it is given', () => {
    const near = { ...base, features: { ...good, gap: 0.5 } };
    expect(judgeConfidence(near, { ...table, confident_from: 0.4 })).toBe('confident');
    expect(judgeConfidence(base, { ...table, none_below: { authored: 1, plain: 1 } })).toBe('no_confident_match');
  });

  it('never becomes less sure when more of the goal is covered', () => {
    const order: readonly Resolution[] = ['no_confident_match', 'ambiguous', 'confident'];
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (one, two, gap) => {
        const at = (coverage: number): number =>
          order.indexOf(judgeConfidence({ ...base, features: { ...good, coverage, gap } }, table));
        return at(Math.min(one, two)) <= at(Math.max(one, two));
      }),
    );
  });
});

describe('SessionTrails', () => {
  it('counts searches in a row until something is described or run', () => {
    const trails = new SessionTrails();
    trails.recordSearch('s', ['a']);
    trails.recordSearch('s', ['b']);
    expect(trails.view('s').searchesInARow).toBe(2);
    trails.recordDescribe('s', 'a');
    expect(trails.view('s').searchesInARow).toBe(0);
    expect(trails.knows('s', 'b')).toBe(true);
    expect(trails.view('other').searchesInARow).toBe(0);
  });

  it('remembers what a run recommends, newest first, and forgets what has been run', () => {
    const trails = new SessionTrails();
    trails.recordRun('s', { key: 'diagnose', recommended: ['repair', 'guide'], verifying: [] });
    trails.recordRun('s', { key: 'repair', recommended: ['restart'], verifying: ['diagnose'] });
    expect(trails.view('s')).toEqual({
      recommended: ['restart', 'guide'],
      verifying: ['diagnose'],
      lastRunKey: 'repair',
      searchesInARow: 0,
    });
  });

  it('keeps a bounded number of sessions and keys', () => {
    const trails = new SessionTrails();
    trails.recordSearch('first', ['a']);
    for (let index = 0; index < 300; index += 1) trails.recordSearch(`s${index}`, ['a']);
    trails.recordRun('s299', {
      key: 'k',
      recommended: Array.from({ length: 500 }, (_, index) => `r${index}`),
      verifying: [],
    });
    expect(trails.knows('first', 'a')).toBe(false);
    expect(trails.view('s299').recommended.length).toBeLessThanOrEqual(50);
  });
});

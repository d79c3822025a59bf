import { expect, test } from 'vitest';
import type { LoadedSample } from '../../../capabilities/evaluation/sample-loader';
import { failingSamples, showSampleScores } from '../../../capabilities/evaluation/sample-report';
import { runSamples, runUsageLines, type SampleSearch } from '../../../capabilities/evaluation/sample-run';
import { scoreSamples } from '../../../capabilities/evaluation/sample-scores';
import type { EvaluationSample, RankedCandidate, SearchReply, SearchTrace } from '../../../capabilities/models';
import { MemoryRegistry } from '../search/memory-registry';

const registry = new MemoryRegistry([
  { action_id: 'tools.check', next_actions: ['tools.fix'], verify: ['tools.check'] },
  { action_id: 'tools.fix', when_not_to_use: ['nobody has looked yet', 'it is fine'] },
  { action_id: 'tools.drop', side_effect: 'I', risk_level: 'high' },
]);

interface Answer {
  readonly ranking: readonly string[];
  readonly resolution: SearchReply['resolution'];
  readonly advice?: string;
  readonly completed?: readonly string[];
}

function traceOf({ ranking, resolution, advice, completed = ['lexical'] }: Answer): SearchTrace {
  const candidates = ranking.map((id) => ({ resource: registry.get(`demo:${id}`) }) as RankedCandidate);
  const matches = ranking.map((id, index) => ({ rank: index + 1, resource_id: id }) as SearchReply['matches'][number]);
  const meta = {
    planned_retrievers: ['lexical'],
    completed_retrievers: [...completed],
    candidate_count: ranking.length,
  };
  const reply = { query: 'x', scope: null, resolution, matches, search_meta: meta } as unknown as SearchReply;
  return {
    ranking: candidates,
    query: {} as SearchTrace['query'],
    features: undefined,
    reply: advice === undefined ? reply : { ...reply, advice },
  };
}

/** Answers each query as told; what is hidden is left out, unless the answer is leaky. */
function searchWith(answers: Readonly<Record<string, Answer>>, guard: 'tight' | 'leaky' = 'tight'): SampleSearch {
  return {
    trace: ({ query }, { hidden }) => {
      const answer = answers[query] ?? { ranking: [], resolution: 'no_confident_match' };
      const isShown = (id: string): boolean => guard === 'leaky' || hidden?.has(`demo:${id}`) !== true;
      return Promise.resolve(traceOf({ ...answer, ranking: answer.ranking.filter(isShown) }));
    },
  };
}

const load = (sample: EvaluationSample, index: number): LoadedSample => ({ sample, path: 'own.yaml', line: index + 1 });
const clock = { monotonic: () => 0, sleep: () => Promise.resolve() };

const samples = [
  { query: 'right', expected_top_actions: ['tools.check'], expected_resolution: 'confident' },
  {
    query: 'harmful',
    expected_top_actions: ['tools.fix'],
    forbidden_actions: ['tools.drop'],
    expected_resolution: 'confident',
  },
  { query: 'pizza', kind: 'nothing', expected_top_actions: [], expected_resolution: 'no_confident_match' },
] satisfies readonly EvaluationSample[];

const answers: Readonly<Record<string, Answer>> = {
  right: { ranking: ['tools.check', 'tools.fix'], resolution: 'confident' },
  harmful: { ranking: ['tools.drop', 'tools.fix'], resolution: 'ambiguous', completed: [] },
  pizza: { ranking: [], resolution: 'no_confident_match' },
};

test('outcomes add up to scores, and what went wrong is told sample by sample', async () => {
  const parts = { search: searchWith(answers), registry, clock };
  const outcomes = await runSamples(samples.map(load), parts);
  const scores = scoreSamples(outcomes, await runUsageLines(parts), registry);
  expect(scores).toMatchObject({
    samples: 3,
    ...{ top1: 50, recall1: 50, recall5: 100, mrr: 75, pack_hit: 100, forbidden_in_top1: 100, leaks: 0 },
    ...{ resolution: 66.7, resolution_confident: 50, resolution_no_confident_match: 100, confident_right: 100 },
    ...{ retriever_timeouts: 33.3, partial_successes: 100, candidates: 1.3, not_to_use_violations: 0 },
  });
  expect(failingSamples(outcomes)).toEqual([
    {
      path: 'own.yaml',
      line: 2,
      query: 'harmful',
      problems: [
        'forbidden first: tools.drop',
        'expected tools.fix at 2; got tools.drop, tools.fix',
        'ambiguous instead of confident',
      ],
    },
  ]);
  expect(showSampleScores(scores, outcomes, [])).toMatch(/1 of 3 samples fail:\nown\.yaml:2 harmful/);
});

test('a resource that shows up although the caller may not know of it is a leak, in the advice as well', async () => {
  const leaky = await runSamples(samples.map(load), { search: searchWith(answers, 'leaky'), registry, clock });
  expect(leaky.map(({ leaked }) => leaked)).toEqual([['tools.check'], ['tools.fix'], []]);
  const named = {
    right: { ranking: ['tools.check'], resolution: 'ambiguous', advice: 'Nearest: tools.check.' },
  } as const;
  const [inAdvice] = await runSamples(samples.slice(0, 1).map(load), { search: searchWith(named), registry, clock });
  expect(inAdvice?.leaked).toEqual(['tools.check']);
});

test('a line of when_not_to_use is violated when its own resource comes first for it', async () => {
  const search = searchWith({
    'nobody has looked yet': { ranking: ['tools.fix'], resolution: 'confident' },
    'it is fine': { ranking: ['tools.fix'], resolution: 'no_confident_match' },
  });
  expect(await runUsageLines({ search, registry, clock })).toEqual([
    { id: 'tools.fix', line: 'nobody has looked yet', isViolated: true },
    { id: 'tools.fix', line: 'it is fine', isViolated: false },
  ]);
});

test('the circumstances of a sample reach the search', async () => {
  const seen: unknown[] = [];
  const search: SampleSearch = {
    trace: (input, circumstances) => {
      seen.push({ input, circumstances });
      return Promise.resolve(traceOf({ ranking: [], resolution: 'ambiguous' }));
    },
  };
  const sample: EvaluationSample = {
    query: 'and now?',
    within: 'tools',
    side_effect_max: 'R',
    runtime_context: {
      ...{ os: 'macos', principals: ['guest'], feature_flags: ['beta'], workspace_trusted: false },
      ...{ missing_executors: ['docker'], ran: 'tools.check', searches_in_a_row: 2 },
    },
    expected_top_actions: ['tools.fix'],
    expected_resolution: 'confident',
  };
  await runSamples([load(sample, 0)], { search, registry, clock });
  expect(seen[0]).toEqual({
    input: { query: 'and now?', within: 'tools', side_effect_max: 'R' },
    circumstances: {
      context: { os: 'macos', principals: ['guest'], featureFlags: new Set(['beta']), workspaceTrusted: false },
      trail: {
        recommended: ['demo:tools.fix'],
        verifying: ['demo:tools.check'],
        lastRunKey: 'demo:tools.check',
        searchesInARow: 2,
      },
      missingExecutors: new Set(['docker']),
    },
  });
});

import type { EvaluationSample, RegistryView, Resolution, Resource, SearchInput, SearchTrace } from '../models';
import type { Clock } from '../ports';
import { yieldToOthers } from './ranker';
import { circumstancesOf } from './sample-circumstances';
import type { SampleCircumstances } from './sample-circumstances';
import type { LoadedSample } from './sample-loader';

/** The search that is measured. */
export interface SampleSearch {
  trace(input: SearchInput, circumstances: SampleCircumstances): Promise<SearchTrace>;
}

/** What came of a sample. */
export interface SampleOutcome {
  readonly loaded: LoadedSample;
  readonly resolution: Resolution;
  /** Ids in the order of the pipeline; what the reply shows comes first. */
  readonly ranking: readonly string[];
  /** How many of them the reply shows. */
  readonly shown: number;
  /** Ids of resources that showed up although the caller may not know of them. */
  readonly leaked: readonly string[];
  readonly planned: number;
  readonly completed: number;
  readonly candidates: number;
  readonly durationMs: number;
}

/** A `when_not_to_use` line asked as a goal, and whether the very resource that it stands in came first. */
export interface UsageLineOutcome {
  readonly id: string;
  readonly line: string;
  readonly isViolated: boolean;
}

/** What a run over samples needs. */
export interface SampleRunParts {
  readonly search: SampleSearch;
  readonly registry: RegistryView;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
}

/** The request that a sample stands for. */
export function inputOf(sample: EvaluationSample): SearchInput {
  const { query, within, side_effect_max: sideEffectMax } = sample;
  return {
    query,
    ...(within === undefined ? {} : { within }),
    ...(sideEffectMax === undefined ? {} : { side_effect_max: sideEffectMax }),
  };
}

/**
 * Asks every sample once for its answer and, when it expects something, once more as a caller who may not discover what is expected:
 * nothing of that may show then.
 */
export async function runSamples(
  samples: readonly LoadedSample[],
  { search, registry, clock }: SampleRunParts,
): Promise<readonly SampleOutcome[]> {
  for (const { sample } of samples) await search.trace(inputOf(sample), circumstancesOf(sample, registry));
  const outcomes: SampleOutcome[] = [];
  for (const loaded of samples) {
    const { sample } = loaded;
    await yieldToOthers(clock, outcomes.length);
    const circumstances = circumstancesOf(sample, registry);
    const start = clock.monotonic();
    const { reply, ranking } = await search.trace(inputOf(sample), circumstances);
    const durationMs = clock.monotonic() - start;
    const hidden = resourcesOf(sample.expected_top_actions, registry);
    const keys = new Set(hidden.map(({ key }) => key));
    const guarded = await search.trace(inputOf(sample), { ...circumstances, hidden: keys });
    const { search_meta: meta } = reply;
    outcomes.push({
      loaded,
      resolution: reply.resolution,
      ranking: ranking.map(({ resource }) => resource.id),
      shown: reply.matches.length,
      leaked: leakedIds(guarded, hidden),
      planned: meta.planned_retrievers.length,
      completed: meta.completed_retrievers.length,
      candidates: meta.candidate_count,
      durationMs,
    });
  }
  return outcomes;
}

/** Asks for what resources say they are not for; an unguarded search answers with those very resources. */
export async function runUsageLines({ search, registry, clock }: SampleRunParts): Promise<readonly UsageLineOutcome[]> {
  const outcomes: UsageLineOutcome[] = [];
  for (const { id, type, definition } of registry.all()) {
    if (type === 'pack') continue;
    for (const line of definition.when_not_to_use ?? []) {
      await yieldToOthers(clock, outcomes.length);
      const { reply } = await search.trace({ query: line }, {});
      const isFirst = reply.matches[0]?.resource_id === id;
      outcomes.push({ id, line, isViolated: isFirst && reply.resolution !== 'no_confident_match' });
    }
  }
  return outcomes;
}

/** The resources that ids mean. */
export function resourcesOf(ids: readonly string[], registry: RegistryView): readonly Resource[] {
  return ids.flatMap((id) => {
    const found = registry.lookup(id);
    return found.kind === 'found' ? [found.resource] : [];
  });
}

/**
 * The hidden resources that a search lets through: as a result, as its scope, or in its advice. What authors write about other resources
 * is theirs; the query is the caller's own.
 */
function leakedIds({ reply, ranking }: SearchTrace, hidden: readonly Resource[]): readonly string[] {
  const ranked = new Set(ranking.map(({ resource }) => resource.key));
  const words = new Set((reply.advice ?? '').match(/[\w-]+(?:\.[\w-]+)*/g));
  return hidden
    .filter(({ key, id }) => ranked.has(key) || reply.scope === id || (words.has(id) && id.includes('.')))
    .map(({ id }) => id);
}

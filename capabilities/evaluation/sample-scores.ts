import type { RegistryView, Resolution } from '../models';
import { roundTo } from './ranker';
import { meanQuality, percentile, rateRanking } from './ranking-metrics';
import { resourcesOf } from './sample-run';
import type { SampleOutcome, UsageLineOutcome } from './sample-run';

/** How good the search is on a workspace's own samples (§25): shares in percent, times in milliseconds. */
export interface SampleScores {
  readonly samples: number;
  /** Of the samples that expect something. */
  readonly top1: number;
  readonly recall1: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly mrr: number;
  readonly ndcg10: number;
  /** The first is in the pack of an expected one. */
  readonly pack_hit: number;
  /** Of the samples that forbid something: a forbidden one comes first. */
  readonly forbidden_in_top1: number;
  /** Of all samples: something showed that the caller may not discover. */
  readonly leaks: number;
  /** Of the lines of `when_not_to_use` in the registry, asked as goals: the resource that excludes the goal comes first. */
  readonly not_to_use_violations: number;
  /** The right resolution, of all samples and of those that expect each. */
  readonly resolution: number;
  readonly resolution_confident: number;
  readonly resolution_ambiguous: number;
  readonly resolution_no_confident_match: number;
  /** Of the replies that say `confident`: an expected one comes first. */
  readonly confident_right: number;
  readonly ms_p50: number;
  readonly ms_p95: number;
  /** Retrievers that did not answer in time, of those planned. */
  readonly retriever_timeouts: number;
  /** Of the replies without every retriever: with a match all the same. 100 when there are none. */
  readonly partial_successes: number;
  /** Candidates gathered for a search, on average. */
  readonly candidates: number;
  /** Bytes of argument schema that describing the first match discloses, on average; search itself discloses none. */
  readonly schema_bytes: number;
}

/** Share of what fits, in percent with one decimal; `empty` when there is nothing to count. */
function shareOf<T>(list: readonly T[], fits: (item: T) => boolean, empty = 100): number {
  return list.length === 0 ? empty : roundTo((100 * list.filter(fits).length) / list.length, 1);
}

const expectedOf = ({ loaded }: SampleOutcome): readonly string[] => loaded.sample.expected_top_actions;

/** Whether the first match is one that the sample expects. */
export function isTopRight(outcome: SampleOutcome): boolean {
  const [first] = outcome.ranking;
  return first !== undefined && expectedOf(outcome).includes(first);
}

/** Whether the first match is one that the sample forbids. */
export function isTopForbidden({ loaded, ranking }: SampleOutcome): boolean {
  return (loaded.sample.forbidden_actions ?? []).includes(ranking[0] ?? '');
}

/** Whether the verdict is the one the sample expects. */
export function isResolutionRight({ loaded, resolution }: SampleOutcome): boolean {
  return resolution === loaded.sample.expected_resolution;
}

const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));

function isPackRight(outcome: SampleOutcome): boolean {
  const [first = ''] = outcome.ranking;
  const packs = new Set(expectedOf(outcome).flatMap((id) => [id, parentOf(id)]));
  return packs.has(first) || packs.has(parentOf(first));
}

/** Adds up outcomes. Expects at least one. */
export function scoreSamples(
  outcomes: readonly SampleOutcome[],
  lines: readonly UsageLineOutcome[],
  registry: RegistryView,
): SampleScores {
  return {
    samples: outcomes.length,
    ...qualityOf(outcomes.filter((outcome) => expectedOf(outcome).length > 0)),
    forbidden_in_top1: shareOf(
      outcomes.filter(({ loaded }) => loaded.sample.forbidden_actions),
      isTopForbidden,
      0,
    ),
    leaks: shareOf(outcomes, ({ leaked }) => leaked.length > 0, 0),
    not_to_use_violations: shareOf(lines, ({ isViolated }) => isViolated, 0),
    ...resolutionsOf(outcomes),
    ...systemOf(outcomes),
    schema_bytes: Math.round(mean(outcomes.map(({ ranking }) => schemaBytes(ranking[0], registry)))),
  };
}

type Quality = 'top1' | 'recall1' | 'recall5' | 'recall10' | 'mrr' | 'ndcg10' | 'pack_hit';

function qualityOf(outcomes: readonly SampleOutcome[]): Pick<SampleScores, Quality> {
  const ratings = outcomes.map((outcome) => rateRanking(outcome.ranking, expectedOf(outcome)));
  const { top1, r1, r5, r10, mrr, ndcg10 } =
    ratings.length > 0 ? meanQuality(ratings) : { top1: 1, r1: 1, r5: 1, r10: 1, mrr: 1, ndcg10: 1 };
  const percent = (share: number): number => roundTo(share * 100, 1);
  return {
    top1: percent(top1),
    recall1: percent(r1),
    recall5: percent(r5),
    recall10: percent(r10),
    mrr: percent(mrr),
    ndcg10: percent(ndcg10),
    pack_hit: shareOf(outcomes, isPackRight),
  };
}

type Resolutions = 'resolution' | `resolution_${Resolution}` | 'confident_right';

function resolutionsOf(outcomes: readonly SampleOutcome[]): Pick<SampleScores, Resolutions> {
  const of = (resolution: Resolution): number =>
    shareOf(
      outcomes.filter(({ loaded }) => loaded.sample.expected_resolution === resolution),
      isResolutionRight,
    );
  return {
    resolution: shareOf(outcomes, isResolutionRight),
    resolution_confident: of('confident'),
    resolution_ambiguous: of('ambiguous'),
    resolution_no_confident_match: of('no_confident_match'),
    confident_right: shareOf(
      outcomes.filter(({ resolution }) => resolution === 'confident'),
      isTopRight,
    ),
  };
}

type System = 'ms_p50' | 'ms_p95' | 'retriever_timeouts' | 'partial_successes' | 'candidates';

function systemOf(outcomes: readonly SampleOutcome[]): Pick<SampleScores, System> {
  const durations = outcomes.map(({ durationMs }) => durationMs);
  const total = (pick: (outcome: SampleOutcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + pick(outcome), 0);
  const planned = total((outcome) => outcome.planned);
  const missed = planned - total((outcome) => outcome.completed);
  return {
    ms_p50: roundTo(percentile(durations, 0.5), 2),
    ms_p95: roundTo(percentile(durations, 0.95), 2),
    retriever_timeouts: planned === 0 ? 0 : roundTo((100 * missed) / planned, 1),
    partial_successes: shareOf(
      outcomes.filter((outcome) => outcome.completed < outcome.planned),
      ({ shown }) => shown > 0,
    ),
    candidates: roundTo(mean(outcomes.map(({ candidates }) => candidates)), 1),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function schemaBytes(id: string | undefined, registry: RegistryView): number {
  const [resource] = id === undefined ? [] : resourcesOf([id], registry);
  if (resource?.type !== 'action') return 0;
  return new TextEncoder().encode(JSON.stringify(resource.definition.arguments_schema)).length;
}

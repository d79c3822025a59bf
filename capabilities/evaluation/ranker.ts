import type { Clock } from '../ports';
import type { PlainDataset, PlainQuery } from './plain-dataset';
import { QUALITY_MEASURES, meanQuality, percentile, rateRanking } from './ranking-metrics';
import type { RankingQuality } from './ranking-metrics';

/** Something that orders tools for a goal. */
export interface Ranker {
  /** Tool ids, best first; entries that are no tool (packs) keep their place under a name of their own. */
  rank(query: string): Promise<readonly string[]>;
}

/** Makes a ranker over a dataset's tools, ready to answer. It is never shown the labels. */
export type RankerFactory = (tools: PlainDataset['tools']) => Promise<Ranker>;

/** What a ranker reaches on a set: in percent with one decimal, and milliseconds. */
export interface SetScores extends RankingQuality {
  readonly n: number;
  readonly ms_p50: number;
  readonly ms_p95: number;
}

/** The quality of a set's queries, one by one, and the time each took. */
export interface Measurement {
  readonly scores: SetScores;
  readonly ratings: readonly RankingQuality[];
  readonly durations: readonly number[];
}

/** Queries that run before the clock counts: the first ones pay for compilation. */
const WARM_UP = 100;

/** Runs every query, one after the other. `queries` must not be empty. */
export async function measureRanker(
  ranker: Ranker,
  queries: readonly PlainQuery[],
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  warmUp = WARM_UP,
): Promise<Measurement> {
  for (const { query } of queries.slice(0, warmUp)) await ranker.rank(query);
  const ratings: RankingQuality[] = [];
  const durations: number[] = [];
  for (const { query, relevant } of queries) {
    await yieldToOthers(clock, durations.length);
    const start = clock.monotonic();
    const ranking = await ranker.rank(query);
    durations.push(clock.monotonic() - start);
    ratings.push(rateRanking(ranking, relevant));
  }
  await clock.sleep(0);
  return { scores: toScores(ratings, durations), ratings, durations };
}

/** Searches in a row before the event loop gets its turn: a search alone never leaves it one, and what it holds weakly is kept until then. */
const TURN = 20;

/** Gives the event loop a turn now and then, as it has between two calls of a real caller. */
export async function yieldToOthers(clock: Pick<Clock, 'sleep'>, count: number): Promise<void> {
  if (count % TURN === 0) await clock.sleep(0);
}

function toScores(ratings: readonly RankingQuality[], durations: readonly number[]): SetScores {
  const time = { ms_p50: roundTo(percentile(durations, 0.5), 2), ms_p95: roundTo(percentile(durations, 0.95), 2) };
  return { n: ratings.length, ...toPercent(meanQuality(ratings)), ...time };
}

/** Shares as percent with one decimal. */
export function toPercent(quality: RankingQuality): RankingQuality {
  const percent = { ...quality };
  for (const measure of QUALITY_MEASURES) percent[measure] = roundTo(quality[measure] * 100, 1);
  return percent;
}

/** Rounds to a number of decimals. */
export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

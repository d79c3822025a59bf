import type { AblationRun } from '../../capabilities/evaluation/ablation';
import { sampleQueries } from '../../capabilities/evaluation/plain-dataset';
import { measureRanker, type Ranker, type SetScores } from '../../capabilities/evaluation/ranker';
import type { NamedScores } from '../../capabilities/evaluation/set-groups';
import { ALL_ON } from '../../capabilities/search/search-switches';
import type { Variant } from './ablation-variants';
import { readDataset } from './dataset-folder';
import type { PlainRun } from './plain-evaluation';
import { ProductRankers } from './product-ranker';

/** A whole ablation: the search as it is, and each variant, over the same queries. */
export interface PlainAblation {
  readonly whole: readonly NamedScores[];
  readonly runs: readonly AblationRun[];
}

/** How an ablation is made. */
export interface PlainAblationRun extends PlainRun {
  readonly variants: readonly Variant[];
  /** Hears of each step that is done. */
  readonly onStep: (step: string) => void;
}

/** Queries before the clock counts: one process runs every variant, so its code is warm after the first. */
const WARM_UP = 10;

/** Runs every variant over every folder. */
export async function ablateFolders(folders: readonly string[], run: PlainAblationRun): Promise<PlainAblation> {
  const whole: NamedScores[] = [];
  const runs = run.variants.map(({ without }) => ({ without, sets: [] as NamedScores[] }));
  for (const folder of folders) {
    const dataset = readDataset(folder);
    const queries = sampleQueries(dataset.queries, run.queries ?? dataset.queries.length);
    const measure = async (ranker: Ranker): Promise<SetScores> =>
      (await measureRanker(ranker, queries, run.ports.clock, WARM_UP)).scores;
    const rankers = await ProductRankers.open(run.ports, dataset.tools);
    whole.push({ set: dataset.name, scores: await measure(await rankers.with(ALL_ON)) });
    for (const [index, { without, switches }] of run.variants.entries()) {
      runs[index]?.sets.push({ set: dataset.name, scores: await measure(await rankers.with(switches)) });
      run.onStep(`${dataset.name} without ${without} (${index + 1} of ${run.variants.length})`);
    }
  }
  return { whole, runs };
}

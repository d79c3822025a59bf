import { MiniSearchRanker } from '../../capabilities/evaluation/baselines/plain-minisearch';
import { OkapiRanker } from '../../capabilities/evaluation/baselines/okapi';
import { RegexRanker } from '../../capabilities/evaluation/baselines/regex';
import { sampleQueries } from '../../capabilities/evaluation/plain-dataset';
import { measureRanker, type RankerFactory, type SetScores } from '../../capabilities/evaluation/ranker';
import type { SetResult } from '../../capabilities/evaluation/score-table';
import type { MeasuredSearchPorts } from '../../capabilities/measured-search';
import { ALL_ON } from '../../capabilities/search/search-switches';
import { readDataset } from './dataset-folder';
import { productRanker } from './product-ranker';

/** What the product can be measured beside, by the name on the command line. */
export const BASELINES: Readonly<Record<string, RankerFactory>> = {
  okapi: (tools) => Promise.resolve(new OkapiRanker(tools)),
  minisearch: (tools) => Promise.resolve(new MiniSearchRanker(tools)),
  regex: (tools) => Promise.resolve(new RegexRanker(tools)),
};

/** How a run over plain datasets is made. */
export interface PlainRun {
  readonly ports: MeasuredSearchPorts;
  /** Queries taken of each set; all of them when undefined. */
  readonly queries: number | undefined;
  /** Names out of {@link BASELINES}. */
  readonly baselines: readonly string[];
}

/** Measures the product, and the baselines beside it, on the dataset of a folder. */
export async function evaluateFolder(folder: string, run: PlainRun): Promise<SetResult> {
  const dataset = readDataset(folder);
  const queries = sampleQueries(dataset.queries, run.queries ?? dataset.queries.length);
  const measure = async (factory: RankerFactory): Promise<SetScores> =>
    (await measureRanker(await factory(dataset.tools), queries, run.ports.clock)).scores;
  const product = await measure(productRanker(run.ports, ALL_ON));
  const baselines: Record<string, SetScores> = {};
  for (const name of run.baselines) {
    const factory = BASELINES[name];
    if (factory) baselines[name] = await measure(factory);
  }
  return { set: dataset.name, tools: dataset.tools.length, product, baselines };
}

import { MiniSearchRanker } from '../../capabilities/evaluation/baselines/plain-minisearch';
import { OkapiRanker } from '../../capabilities/evaluation/baselines/okapi';
import { RegexRanker } from '../../capabilities/evaluation/baselines/regex';
import { sampleQueries, type PlainDataset, type PlainQuery } from '../../capabilities/evaluation/plain-dataset';
import { measureRanker, yieldToOthers, type RankerFactory, type SetScores } from '../../capabilities/evaluation/ranker';
import type { SetResult } from '../../capabilities/evaluation/score-table';
import { scoreVerdicts, type JudgedGoal } from '../../capabilities/evaluation/verdict-scores';
import type { MeasuredSearchPorts } from '../../capabilities/measured-search';
import type { Resolution } from '../../capabilities/models';
import { ALL_ON } from '../../capabilities/search/search-switches';
import { readDataset } from './dataset-folder';
import { productRanker, type ReplyListener } from './product-ranker';

/** What the product can be measured beside, by the name on the command line. */
export const BASELINES: Readonly<Record<string, RankerFactory>> = {
  okapi: (tools) => Promise.resolve(new OkapiRanker(tools)),
  minisearch: (tools) => Promise.resolve(new MiniSearchRanker(tools)),
  regex: (tools) => Promise.resolve(new RegexRanker(tools)),
};

/** Goals of each set that are put to foreign tools. */
const FOREIGN_GOALS = 100;

/** How a run over plain datasets is made. */
export interface PlainRun {
  readonly ports: MeasuredSearchPorts;
  /** Queries taken of each set; all of them when undefined. */
  readonly queries: number | undefined;
  /** Names out of {@link BASELINES}. */
  readonly baselines: readonly string[];
}

/** Measures the product, and the baselines beside it, on the dataset of a folder; with `foreign`, also on tools that serve none of its goals. */
export async function evaluateFolder(folder: string, run: PlainRun, foreign?: PlainDataset): Promise<SetResult> {
  const dataset = readDataset(folder);
  const queries = sampleQueries(dataset.queries, run.queries ?? dataset.queries.length);
  const measure = async (factory: RankerFactory): Promise<SetScores> =>
    (await measureRanker(await factory(dataset.tools), queries, run.ports.clock)).scores;
  const relevant = new Map(queries.map((query) => [query.query, query.relevant]));
  const judged = new Map<string, JudgedGoal>();
  const onReply: ReplyListener = (query, resolution, first) => {
    judged.set(query, { resolution, isRight: relevant.get(query)?.includes(first ?? '') === true });
  };
  const product = await measure(productRanker(run.ports, ALL_ON, onReply));
  const baselines: Record<string, SetScores> = {};
  for (const name of run.baselines) {
    const factory = BASELINES[name];
    if (factory) baselines[name] = await measure(factory);
  }
  const unserved = foreign ? await askForeign(queries, foreign, run) : [];
  const verdicts = scoreVerdicts([...judged.values()], unserved);
  return { set: dataset.name, tools: dataset.tools.length, product, baselines, verdicts };
}

/** The verdicts on goals that nothing serves. */
async function askForeign(
  queries: readonly PlainQuery[],
  { tools }: PlainDataset,
  { ports }: PlainRun,
): Promise<readonly Resolution[]> {
  const resolutions: Resolution[] = [];
  const ranker = await productRanker(ports, ALL_ON, (_, resolution) => resolutions.push(resolution))(tools);
  for (const [index, { query }] of sampleQueries(queries, FOREIGN_GOALS).entries()) {
    await yieldToOthers(ports.clock, index);
    await ranker.rank(query);
  }
  return resolutions;
}

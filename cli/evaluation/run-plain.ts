import { foreignPairs } from '../../capabilities/evaluation/foreign-goals';
import { compareRuns, showAblation } from '../../capabilities/evaluation/ablation';
import { ablationSections } from '../../capabilities/evaluation/report/ablation-report';
import { plainSections } from '../../capabilities/evaluation/report/plain-report';
import { byRanker, showScores, type SetResult } from '../../capabilities/evaluation/score-table';
import type { PlainDataset } from '../../capabilities/evaluation/plain-dataset';
import { meansByGroup } from '../../capabilities/evaluation/set-groups';
import { showVerdicts } from '../../capabilities/evaluation/verdict-scores';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { chosenVariants } from './ablation-variants';
import { readDataset } from './dataset-folder';
import { foldersOf, plainRun } from './eval-options';
import { ablateFolders } from './plain-ablation';
import { evaluateFolder } from './plain-evaluation';
import { writeReport } from './report-file';

/** Queries of each set where an ablation is not told otherwise: it runs every set once for each part. */
const ABLATION_QUERIES = 60;

/** `capability eval --dataset DIR`: one JSON object. */
export async function evaluateDataset(folder: string, options: CommandOptions, terminal: Terminal): Promise<ExitCode> {
  const result = await evaluateFolder(folder, plainRun(options, terminal));
  const { product, baselines } = result;
  const beside = Object.keys(baselines).length > 0 ? { baselines } : {};
  terminal.write(JSON.stringify({ ...product, ...beside }));
  writeReport(options, terminal, { title: `Search on ${result.set}`, sections: plainSections([result]) });
  return 0;
}

/** `capability eval --all DIR`: a table, or one JSON object a line, with the means of the groups at the end. */
export async function evaluateDatasets(options: CommandOptions, terminal: Terminal): Promise<ExitCode> {
  const run = plainRun(options, terminal);
  const folders = foldersOf(options);
  const foreign = options.values['foreign'] === true ? foreignTools(folders) : undefined;
  const results: SetResult[] = [];
  for (const folder of folders) {
    const result = await evaluateFolder(folder, run, foreign?.get(folder));
    results.push(result);
    if (options.json) terminal.write(JSON.stringify(lineOf(result)));
    else terminal.tell(`${result.set}: NDCG@10 ${result.product.ndcg10}`);
  }
  if (options.json) for (const line of meanLines(results)) terminal.write(JSON.stringify(line));
  else terminal.write(`${showScores(results)}\n\n${showVerdicts(results)}`);
  writeReport(options, terminal, { title: 'Search on retrieval datasets', sections: plainSections(results) });
  return 0;
}

/** `capability eval --ablate` on plain datasets. */
export async function ablateDatasets(options: CommandOptions, terminal: Terminal): Promise<ExitCode> {
  const given = plainRun(options, terminal);
  const queries = given.queries ?? ABLATION_QUERIES;
  const variants = chosenVariants(options.positionals);
  const onStep = (step: string): void => {
    terminal.tell(step);
  };
  const { whole, runs } = await ablateFolders(foldersOf(options), { ...given, queries, variants, onStep });
  const deltas = compareRuns(whole, runs);
  if (options.json) for (const delta of deltas) terminal.write(JSON.stringify(delta));
  else
    terminal.write(
      `At most ${queries} queries of each set; --queries N takes another number.\n\n${showAblation(whole, deltas)}`,
    );
  writeReport(options, terminal, { title: 'Search with parts left out', sections: ablationSections(deltas) });
  return 0;
}

/** For each folder, the tools of another that serve none of its goals. */
function foreignTools(folders: readonly string[]): ReadonlyMap<string, PlainDataset> {
  const sets = new Map(folders.map((folder) => [readDataset(folder), folder]));
  return new Map(foreignPairs([...sets.keys()]).map(({ queries, tools }) => [sets.get(queries) ?? '', tools]));
}

function lineOf({ set, tools, product, baselines, verdicts }: SetResult): object {
  return {
    set,
    tools,
    ...product,
    ...(verdicts && { verdicts }),
    ...(Object.keys(baselines).length > 0 ? { baselines } : {}),
  };
}

function meanLines(results: readonly SetResult[]): readonly object[] {
  return [...byRanker(results)].flatMap(([ranker, scores]) =>
    meansByGroup(scores).map(({ group, sets, scores: mean }) => ({ mean: group, ranker, sets, ...mean })),
  );
}

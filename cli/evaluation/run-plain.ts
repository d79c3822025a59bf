import { compareRuns, showAblation } from '../../capabilities/evaluation/ablation';
import { ablationSections } from '../../capabilities/evaluation/report/ablation-report';
import { plainSections } from '../../capabilities/evaluation/report/plain-report';
import { byRanker, showScores, type SetResult } from '../../capabilities/evaluation/score-table';
import { meansByGroup } from '../../capabilities/evaluation/set-groups';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { foldersOf, plainRun } from './eval-options';
import { ablateFolders } from './plain-ablation';
import { evaluateFolder } from './plain-evaluation';
import { writeReport } from './report-file';

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
  const results: SetResult[] = [];
  for (const folder of foldersOf(options)) {
    const result = await evaluateFolder(folder, run);
    results.push(result);
    if (options.json) terminal.write(JSON.stringify(lineOf(result)));
    else terminal.tell(`${result.set}: NDCG@10 ${result.product.ndcg10}`);
  }
  if (options.json) for (const line of meanLines(results)) terminal.write(JSON.stringify(line));
  else terminal.write(showScores(results));
  writeReport(options, terminal, { title: 'Search on retrieval datasets', sections: plainSections(results) });
  return 0;
}

/** `capability eval --ablate` on plain datasets. */
export async function ablateDatasets(options: CommandOptions, terminal: Terminal): Promise<ExitCode> {
  const { whole, runs } = await ablateFolders(foldersOf(options), plainRun(options, terminal), (set) => {
    terminal.tell(`${set}: done`);
  });
  const deltas = compareRuns(whole, runs);
  if (options.json) for (const delta of deltas) terminal.write(JSON.stringify(delta));
  else terminal.write(showAblation(whole, deltas));
  writeReport(options, terminal, { title: 'Search with parts left out', sections: ablationSections(deltas) });
  return 0;
}

function lineOf({ set, tools, product, baselines }: SetResult): object {
  return { set, tools, ...product, ...(Object.keys(baselines).length > 0 ? { baselines } : {}) };
}

function meanLines(results: readonly SetResult[]): readonly object[] {
  return [...byRanker(results)].flatMap(([ranker, scores]) =>
    meansByGroup(scores).map(({ group, sets, scores: mean }) => ({ mean: group, ranker, sets, ...mean })),
  );
}

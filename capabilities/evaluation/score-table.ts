import type { SetScores } from './ranker';
import type { NamedScores } from './set-groups';
import { meansByGroup } from './set-groups';
import { layOutTable } from './text-table';
import type { Column, Row } from './text-table';
import type { VerdictScores } from './verdict-scores';

/** Scores of one set: the product's, and those of each baseline in the same run. */
export interface SetResult {
  readonly set: string;
  readonly tools: number;
  readonly product: SetScores;
  readonly baselines: Readonly<Record<string, SetScores>>;
  readonly verdicts?: VerdictScores;
}

const MEASURES = ['n', 'top1', 'r1', 'r5', 'r10', 'ndcg10', 'mrr', 'comp10', 'ms_p50', 'ms_p95'] as const;

/** What the product is called in a table. */
export const PRODUCT = 'product';

function cellsOf(scores: SetScores): readonly string[] {
  return MEASURES.map((measure) => {
    const decimals = measure === 'n' ? 0 : measure.startsWith('ms_') ? 2 : 1;
    return scores[measure].toFixed(decimals);
  });
}

/** How many times the baseline's time the product takes. */
function timesOf(product: SetScores, baseline: SetScores): string {
  return baseline.ms_p95 > 0 ? `${(product.ms_p95 / baseline.ms_p95).toFixed(1)}x` : '';
}

/** Scores of every ranker of a run, by its name; the product first. */
export function byRanker(results: readonly SetResult[]): ReadonlyMap<string, readonly NamedScores[]> {
  const baselines = [...new Set(results.flatMap((result) => Object.keys(result.baselines)))];
  const scoresOf = (name: string): readonly NamedScores[] =>
    results.flatMap(({ set, product, baselines: all }) => {
      const scores = name === PRODUCT ? product : all[name];
      return scores === undefined ? [] : [{ set, scores }];
    });
  return new Map([PRODUCT, ...baselines].map((name) => [name, scoresOf(name)]));
}

/** Every set with every ranker, then the macro means of the groups. The last column is the product's P95 against the row's. */
export function showScores(results: readonly SetResult[]): string {
  const columns: readonly Column[] = [
    { heading: 'set', align: 'left' },
    { heading: 'tools', align: 'right' },
    { heading: 'ranker', align: 'left' },
    ...MEASURES.map((heading): Column => ({ heading, align: 'right' })),
    { heading: 'p95 ratio', align: 'right' },
  ];
  const rows: Row[] = results.flatMap(({ set, tools, product, baselines }) => [
    [set, String(tools), PRODUCT, ...cellsOf(product), ''],
    ...Object.entries(baselines).map(([name, scores]) => ['', '', name, ...cellsOf(scores), timesOf(product, scores)]),
  ]);
  const rankers = byRanker(results);
  const means = [...rankers].flatMap(([name, scores]) => meansByGroup(scores).map((mean) => ({ name, ...mean })));
  const product = new Map(means.filter(({ name }) => name === PRODUCT).map((mean) => [mean.group, mean.scores]));
  for (const group of product.keys()) {
    rows.push('line');
    for (const { name, sets, scores } of means.filter((mean) => mean.group === group)) {
      const ratio = name === PRODUCT ? '' : timesOf(product.get(group) ?? scores, scores);
      rows.push([name === PRODUCT ? `mean ${group} (${sets} sets)` : '', '', name, ...cellsOf(scores), ratio]);
    }
  }
  return layOutTable(columns, rows);
}

import type { SetScores } from '../ranker';
import { byRanker, PRODUCT } from '../score-table';
import type { SetResult } from '../score-table';
import { meansByGroup } from '../set-groups';
import { drawBars } from './bar-chart';
import { htmlTable } from './html-text';
import type { PageSection } from './html-page';
import { drawLatencies } from './latency-chart';

const MEASURES = ['n', 'top1', 'r1', 'r5', 'r10', 'ndcg10', 'mrr', 'comp10', 'ms_p50', 'ms_p95'] as const;
const PLOTTED = [
  { measure: 'ndcg10', name: 'NDCG@10' },
  { measure: 'top1', name: 'Top-1' },
  { measure: 'r5', name: 'Recall@5' },
] as const;

/** The sections of a report on plain datasets: means, quality of each set, times, and every figure. */
export function plainSections(results: readonly SetResult[]): readonly PageSection[] {
  const rankers = byRanker(results);
  const series = [...rankers.keys()];
  const scoresOf = ({ product, baselines }: SetResult, name: string): SetScores | undefined =>
    name === PRODUCT ? product : baselines[name];
  const quality = PLOTTED.slice(0, 1).map(({ measure, name }) =>
    drawBars({
      title: `${name} of each set, in percent`,
      series,
      groups: results.map((result) => ({
        label: result.set,
        values: series.map((ranker) => scoresOf(result, ranker)?.[measure]),
      })),
      maximum: 100,
      unit: '',
    }),
  );
  const times = results.map((result) => ({
    label: result.set,
    ranges: series.map((ranker) => {
      const scores = scoresOf(result, ranker);
      return scores && { p50: scores.ms_p50, p95: scores.ms_p95 };
    }),
  }));
  const rows = results.flatMap((result) =>
    series.flatMap((ranker) => {
      const scores = scoresOf(result, ranker);
      return scores ? [[result.set, String(result.tools), ranker, ...figures(scores)]] : [];
    }),
  );
  return [
    { heading: 'Means of the groups', html: drawMeans(rankers) },
    { heading: 'Quality of each set (NDCG@10)', html: quality.join('\n') },
    { heading: 'Time a search takes, P50 to P95', html: drawLatencies('Time a search takes', series, times) },
    { heading: 'Every figure', html: htmlTable(['set', 'tools', 'ranker', ...MEASURES], rows) },
  ];
}

function figures(scores: SetScores): readonly string[] {
  return MEASURES.map((measure) => String(scores[measure]));
}

function drawMeans(rankers: ReturnType<typeof byRanker>): string {
  const means = new Map([...rankers].map(([name, scores]) => [name, meansByGroup(scores)]));
  const groups = means.get(PRODUCT) ?? [];
  return drawBars({
    title: 'Macro means of the groups, in percent',
    series: [...means.keys()],
    groups: groups.flatMap(({ group, sets }) =>
      PLOTTED.map(({ measure, name }) => ({
        label: `${group} (${sets}) ${name}`,
        values: [...means.values()].map((own) => own.find((mean) => mean.group === group)?.scores[measure]),
      })),
    ),
    maximum: 100,
    unit: '',
  });
}

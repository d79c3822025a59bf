import { roundTo } from './ranker';
import type { SampleScores } from './sample-scores';
import { layOutTable } from './text-table';
import type { Column } from './text-table';

/** The scores of one run over the samples with something left out. */
export interface SampleAblationRun {
  readonly without: string;
  readonly scores: SampleScores;
}

const MEASURES = [
  'top1',
  'recall5',
  'mrr',
  'ndcg10',
  'forbidden_in_top1',
  'not_to_use_violations',
  'resolution',
  'confident_right',
  'resolution_no_confident_match',
] as const;

/** One row per part left out: what changes, in points. Most costly to lose first, by the sum of Top-1, NDCG and resolution. */
export function showSampleAblation(whole: SampleScores, runs: readonly SampleAblationRun[]): string {
  const columns: readonly Column[] = [
    { heading: 'without', align: 'left' },
    ...MEASURES.map((measure): Column => ({ heading: measure, align: 'right' })),
  ];
  const delta = (scores: SampleScores, measure: (typeof MEASURES)[number]): number =>
    roundTo(scores[measure] - whole[measure], 1);
  const worth = ({ scores }: SampleAblationRun): number =>
    delta(scores, 'top1') + delta(scores, 'ndcg10') + delta(scores, 'resolution');
  const rows = runs
    .toSorted((one, other) => worth(one) - worth(other))
    .map(({ without, scores }) => [without, ...MEASURES.map((measure) => signed(delta(scores, measure)))]);
  return layOutTable(columns, [['(nothing)', ...MEASURES.map((measure) => String(whole[measure]))], ...rows]);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

import type { AblationDelta } from '../ablation';
import { SET_GROUPS } from '../set-groups';
import { drawDeltas } from './delta-chart';
import { htmlTable } from './html-text';
import type { PageSection } from './html-page';

/** The sections of a report on an ablation: what leaving each part out does to the NDCG@10 of each group, and every figure. */
export function ablationSections(deltas: readonly AblationDelta[]): readonly PageSection[] {
  const plots = SET_GROUPS.flatMap((group): PageSection[] => {
    const own = deltas.filter((delta) => delta.group === group).toSorted((one, other) => one.ndcg10 - other.ndcg10);
    if (own.length === 0) return [];
    const bars = own.map(({ without, ndcg10 }) => ({ label: without, value: ndcg10 }));
    const heading = `Without each part: change of NDCG@10, ${group}`;
    return [{ heading, html: drawDeltas(heading, bars) }];
  });
  const rows = deltas.map(({ without, group, ndcg10, top1, r5, ms_p50: time }) => [
    without,
    group,
    ...[ndcg10, top1, r5, time].map(String),
  ]);
  const headings = ['without', 'group', 'NDCG@10', 'Top-1', 'Recall@5', 'ms P50'];
  return [...plots, { heading: 'Every change', html: htmlTable(headings, rows) }];
}

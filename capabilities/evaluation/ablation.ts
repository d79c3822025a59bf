import type { SetScores } from './ranker';
import { roundTo } from './ranker';
import { meansByGroup } from './set-groups';
import type { NamedScores, SetGroup } from './set-groups';
import { layOutTable } from './text-table';
import type { Column } from './text-table';

/** The scores of one run over every set, with something left out. */
export interface AblationRun {
  /** What was left out. */
  readonly without: string;
  readonly sets: readonly NamedScores[];
}

/** What leaving a part out changes in one group: below 0, the part is worth having. */
export interface AblationDelta {
  readonly without: string;
  readonly group: SetGroup;
  /** Points against the whole search. */
  readonly top1: number;
  readonly r5: number;
  readonly ndcg10: number;
  /** Milliseconds against the whole search. */
  readonly ms_p50: number;
}

const MEASURES = ['ndcg10', 'top1', 'r5', 'ms_p50'] as const;

/** Compares runs with parts left out against the whole search, by the macro means of the groups. */
export function compareRuns(whole: readonly NamedScores[], runs: readonly AblationRun[]): readonly AblationDelta[] {
  const reference = new Map(meansByGroup(whole).map(({ group, scores }) => [group, scores]));
  return runs.flatMap(({ without, sets }) =>
    meansByGroup(sets).flatMap(({ group, scores }) => {
      const full = reference.get(group);
      return full ? [{ without, group, ...differenceOf(scores, full) }] : [];
    }),
  );
}

function differenceOf(scores: SetScores, full: SetScores): Pick<AblationDelta, (typeof MEASURES)[number]> {
  return {
    ndcg10: roundTo(scores.ndcg10 - full.ndcg10, 1),
    top1: roundTo(scores.top1 - full.top1, 1),
    r5: roundTo(scores.r5 - full.r5, 1),
    ms_p50: roundTo(scores.ms_p50 - full.ms_p50, 2),
  };
}

/** One row per part left out, the most valuable first; one block of columns per group. Above, the whole search. */
export function showAblation(whole: readonly NamedScores[], deltas: readonly AblationDelta[]): string {
  const means = meansByGroup(whole);
  const columns: readonly Column[] = [
    { heading: 'without', align: 'left' },
    ...means.flatMap(({ group }) =>
      MEASURES.map((measure): Column => ({ heading: `${group} ${measure}`, align: 'right' })),
    ),
  ];
  const full = ['(nothing)', ...means.flatMap(({ scores }) => MEASURES.map((measure) => String(scores[measure])))];
  const rows = [...new Set(deltas.map(({ without }) => without))].map((without) => {
    const own = deltas.filter((delta) => delta.without === without);
    const cells = means.flatMap(({ group }) => {
      const delta = own.find((one) => one.group === group);
      return MEASURES.map((measure) => (delta ? signed(delta[measure]) : ''));
    });
    return { cells: [without, ...cells], worth: own.reduce((sum, delta) => sum + delta.ndcg10, 0) };
  });
  const sorted = rows.toSorted((one, other) => one.worth - other.worth).map(({ cells }) => cells);
  return layOutTable(columns, [full, ...sorted]);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

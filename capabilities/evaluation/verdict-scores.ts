import type { Resolution } from '../models';
import { roundTo } from './ranker';
import { layOutTable } from './text-table';
import type { Row } from './text-table';

/** The verdict on one goal of a set, and whether the first tool serves it. */
export interface JudgedGoal {
  readonly resolution: Resolution;
  readonly isRight: boolean;
}

/** How far the verdicts of a set can be believed, in percent with one decimal. */
export interface VerdictScores {
  /** Of the goals that a tool serves: answered `confident`. */
  readonly confident: number;
  /** Of those: the first tool serves the goal. Undefined when none was. */
  readonly confident_right: number | undefined;
  /** Of the goals that a tool serves: answered `no_confident_match`, which is wrong. */
  readonly false_none: number;
  /** Of the goals of this set put to tools about other things: answered `no_confident_match`. Undefined when none were. */
  readonly foreign_none: number | undefined;
}

function percentOf<T>(list: readonly T[], fits: (item: T) => boolean): number | undefined {
  return list.length === 0 ? undefined : roundTo((100 * list.filter(fits).length) / list.length, 1);
}

/** Adds verdicts up: those on the set's own tools, and those on foreign ones. `served` must not be empty. */
export function scoreVerdicts(served: readonly JudgedGoal[], foreign: readonly Resolution[]): VerdictScores {
  const confident = served.filter(({ resolution }) => resolution === 'confident');
  return {
    confident: percentOf(served, ({ resolution }) => resolution === 'confident') ?? 0,
    confident_right: percentOf(confident, ({ isRight }) => isRight),
    false_none: percentOf(served, ({ resolution }) => resolution === 'no_confident_match') ?? 0,
    foreign_none: percentOf(foreign, (resolution) => resolution === 'no_confident_match'),
  };
}

/** The verdicts of every set that has some, and their means. */
export function showVerdicts(results: readonly { readonly set: string; readonly verdicts?: VerdictScores }[]): string {
  const sets = results.flatMap(({ set, verdicts }) => (verdicts ? [{ set, verdicts }] : []));
  const measures = ['confident', 'confident_right', 'false_none', 'foreign_none'] as const;
  const cell = (value: number | undefined): string => value?.toFixed(1) ?? '-';
  const mean = (measure: keyof VerdictScores): number | undefined => {
    const known = sets.map(({ verdicts }) => verdicts[measure]).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const rows: Row[] = [
    ...sets.map(({ set, verdicts }) => [set, ...measures.map((measure) => cell(verdicts[measure]))]),
    'line',
    ['mean', ...measures.map((measure) => cell(mean(measure)))],
  ];
  const headings = ['confident %', 'of them right %', 'none, though served %', 'none on foreign goals %'];
  return layOutTable(
    [{ heading: 'verdicts', align: 'left' }, ...headings.map((heading) => ({ heading, align: 'right' }) as const)],
    rows,
  );
}

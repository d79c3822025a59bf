import { isConfident, isNone } from './calibration';
import type { Calibration, JudgedCase, Thresholds } from './calibration';
import { layOutTable } from './text-table';

const BINS = 10;

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : ((100 * part) / whole).toFixed(1);
}

/** How the verdicts of a list of cases come out. */
function verdictLine(name: string, cases: readonly JudgedCase[], thresholds: Thresholds): readonly string[] {
  const isRefused = (each: JudgedCase): boolean => isNone(each, thresholds);
  const confident = cases.filter((each) => isConfident(each, thresholds));
  const served = cases.filter(({ isServed }) => isServed);
  const foreign = cases.filter(({ isServed }) => !isServed);
  return [
    name,
    String(cases.length),
    percent(confident.length, served.length),
    percent(confident.filter(({ isRight }) => isRight).length, confident.length),
    percent(foreign.filter(isRefused).length, foreign.length),
    percent(served.filter(isRefused).length, served.length),
  ];
}

function reliability(cases: readonly JudgedCase[], chance: 'serves' | 'right'): readonly (readonly string[])[] {
  const isTrue = chance === 'serves' ? 'isServed' : 'isRight';
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = cases.filter((each) => Math.min(BINS - 1, Math.floor(each[chance] * BINS)) === bin);
    const predicted = inside.reduce((sum, each) => sum + each[chance], 0);
    return [
      `${bin * 10}–${bin * 10 + 10} %`,
      String(inside.length),
      percent(predicted, inside.length),
      percent(inside.filter((each) => each[isTrue]).length, inside.length),
    ];
  }).filter(([, count]) => count !== '0');
}

function layOut(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return layOutTable(
    headings.map((heading, index) => ({ heading, align: index === 0 ? ('left' as const) : ('right' as const) })),
    rows,
  );
}

/** A calibration for a person: verdicts by set on models that have not seen the set, and how the chances hold. */
export function showCalibration({ fitted, held, judged }: Calibration): string {
  const sets = [...new Set(held.map(({ set }) => set))];
  const own = judged.filter(({ isOwn }) => isOwn);
  const lines = [
    ...sets.map((set) =>
      verdictLine(
        set,
        held.filter((each) => each.set === set),
        fitted,
      ),
    ),
    verdictLine('all sets', held, fitted),
    verdictLine('own samples, as fitted', own, fitted),
  ];
  const head = ['set', 'cases', 'confident %', 'of them right %', 'foreign: none %', 'served: none %'];
  const bins = ['chance', 'cases', 'predicted %', 'observed %'];
  return [
    'Verdicts, by models that have not seen the collection, or that part of the own samples:',
    layOut(head, lines),
    '',
    'Chance that the goal is served:',
    layOut(bins, reliability(held, 'serves')),
    '',
    'Chance that the first is right:',
    layOut(bins, reliability(held, 'right')),
    '',
    `none below ${fitted.none_below.authored} (plain tools ${fitted.none_below.plain}), confident from ${fitted.confident_from}`,
  ].join('\n');
}

import { roundTo } from '../ranker';
import { layOutTable } from '../text-table';
import type { Row } from '../text-table';
import type { Tuning } from './cross-validation';
import { weightAt } from './tunable-weights';

const points = (value: number): string => value.toFixed(1);
const signed = (value: number): string => `${value >= 0.05 ? '+' : ''}${points(value)}`;

function table(headings: readonly string[], rows: readonly Row[]): string {
  const columns = headings.map((heading, index) => ({ heading, align: index === 0 ? 'left' : 'right' }) as const);
  return layOutTable(columns, rows);
}

/** The weights that changed, and what they are worth on sets that they were not learnt from. */
export function showTuning(tuning: Tuning, weights: object): string {
  const { whole, scores, before, heldOut, trials, isComplete } = tuning;
  const changed = Object.entries(whole.overrides).map(([path, value]) => {
    const gain = whole.moves.filter((move) => move.path === path).reduce((sum, move) => sum + move.gain, 0);
    return [path, String(weightAt(weights, path) ?? ''), String(value), `+${gain.toFixed(2)}`];
  });
  const held = scores.map(({ name, group, ...score }) => [
    ...[name, group, points(score.before), points(score.heldOut), signed(score.heldOut - score.before)],
    ...[points(score.fitted), signed(score.fitted - score.before)],
  ]);
  const seen = scores.length === 0 ? '' : ` Held out: ${before.toFixed(2)} → ${heldOut.toFixed(2)}.`;
  const verdict = heldOut - before > 0 ? 'They are worth something on what they have not seen.' : 'Keep what is there.';
  return [
    changed.length === 0 ? 'No step raises the objective.' : table(['weight', 'was', 'is', 'gain as fitted'], changed),
    '',
    ...(held.length === 0 ? [] : [table(['set', 'group', 'before', 'held out', 'gain', 'fitted', 'gain'], held), '']),
    `Objective as fitted: ${whole.start.toFixed(2)} → ${whole.score.toFixed(2)}.${seen} ${trials} trials.`,
    isComplete ? verdict : 'Stopped before the end: this is the best so far, and not every set was held out.',
  ].join('\n');
}

/** What is written for later use: the overrides, and how they came about. */
export function tuningFile({ whole, before, heldOut, trials, isComplete }: Tuning, source: string): string {
  const gains = { fitted: roundTo(whole.score - whole.start, 2), held_out: roundTo(heldOut - before, 2) };
  const content = { source, trials, complete: isComplete, gain_in_points: gains, overrides: whole.overrides };
  return `${JSON.stringify(content, null, 2)}\n`;
}

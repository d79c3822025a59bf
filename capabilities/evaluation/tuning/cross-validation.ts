import { ascend } from './coordinate-ascent';
import type { Ascent } from './coordinate-ascent';
import { objectiveOf } from './tuning-objective';
import type { ScoreMemory, TuningGroup, TuningSubject } from './tuning-objective';
import type { Overrides, TunableWeight } from './tunable-weights';

/** What a subject scores with weights that were learnt without it. */
export interface HeldOutScore {
  readonly name: string;
  readonly group: TuningGroup;
  readonly before: number;
  readonly heldOut: number;
  /** With the weights learnt from everything. */
  readonly fitted: number;
}

/** What tuning gives. */
export interface Tuning {
  /** Learnt from every subject. */
  readonly whole: Ascent;
  readonly scores: readonly HeldOutScore[];
  /** The objective over all subjects: as it is, and with weights that had not seen them. */
  readonly before: number;
  readonly heldOut: number;
  readonly trials: number;
  /** False when it was stopped: then nothing is known about subjects that were not held out yet. */
  readonly isComplete: boolean;
}

/** What tuning works with. */
export interface TuningParts {
  readonly subjects: readonly TuningSubject[];
  readonly weights: object;
  readonly tunable: readonly TunableWeight[];
  readonly memory: ScoreMemory;
  readonly signal: AbortSignal;
}

/** Learns weights from all subjects, and from all but one family at a time, to see what they are worth on what they have not seen. */
export async function tune(parts: TuningParts): Promise<Tuning> {
  const { subjects, memory, signal } = parts;
  const base = await memory.scores(subjects, {});
  const whole = await climb(parts, subjects);
  const scores: HeldOutScore[] = [];
  try {
    const fitted = await memory.scores(subjects, whole.overrides);
    for (const family of new Set(subjects.map((subject) => subject.family))) {
      const [others, held] = [subjects.filter(isNotOf(family)), subjects.filter((each) => each.family === family)];
      const heldOut = await memory.scores(held, await learntFrom(parts, others));
      signal.throwIfAborted();
      for (const { name, group } of held) {
        const scoreIn = (all: ReadonlyMap<string, number>): number => all.get(name) ?? 0;
        scores.push({ name, group, before: scoreIn(base), heldOut: scoreIn(heldOut), fitted: scoreIn(fitted) });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const seen = subjects.filter(({ name }) => scores.some((score) => score.name === name));
  const heldOut = new Map(scores.map((score) => [score.name, score.heldOut]));
  return {
    ...{ whole, scores, trials: memory.trials, isComplete: !signal.aborted },
    ...{ before: objectiveOf(seen, base), heldOut: objectiveOf(seen, heldOut) },
  };
}

const isNotOf =
  (family: string) =>
  (subject: TuningSubject): boolean =>
    subject.family !== family;

/** Nothing can be learnt from no subject. */
async function learntFrom(parts: TuningParts, subjects: readonly TuningSubject[]): Promise<Overrides> {
  return subjects.length === 0 ? {} : (await climb(parts, subjects)).overrides;
}

function climb({ memory, ...parts }: TuningParts, subjects: readonly TuningSubject[]): Promise<Ascent> {
  const objective = async (overrides: Overrides): Promise<number> =>
    objectiveOf(subjects, await memory.scores(subjects, overrides));
  return ascend({ ...parts, objective });
}

import type { SetGroup } from '../set-groups';
import type { Overrides } from './tunable-weights';

/** Which mean a subject belongs to: sets of one language, or the project's own samples. */
export type TuningGroup = SetGroup | 'own';

/** Something whose score is to be raised: a dataset, or the own samples. */
export interface TuningSubject {
  readonly name: string;
  readonly group: TuningGroup;
  /** Subjects of one family share tools or goals; they are held out together. */
  readonly family: string;
  /** The score in points, 0 to 100, with other weights. The same each time. */
  measure(overrides: Overrides): Promise<number>;
}

/** Scores by subject. */
export type SubjectScores = ReadonlyMap<string, number>;

/** Remembers every score, so that folds which try the same weights pay once. */
export class ScoreMemory {
  readonly #known = new Map<string, number>();
  readonly #signal: AbortSignal;
  readonly #onTrial: (trials: number) => void;
  #trials = 0;

  /** `onTrial` hears of the number of weights tried so far. Every measurement rejects once `signal` is aborted. */
  constructor(signal: AbortSignal, onTrial: (trials: number) => void = () => undefined) {
    this.#signal = signal;
    this.#onTrial = onTrial;
  }

  /** Weights tried, whatever the number of subjects. */
  get trials(): number {
    return this.#trials;
  }

  /** The scores of subjects with other weights. */
  async scores(subjects: readonly TuningSubject[], overrides: Overrides): Promise<SubjectScores> {
    const variant = JSON.stringify(Object.entries(overrides).sort(([one], [other]) => (one < other ? -1 : 1)));
    const scores = new Map<string, number>();
    let isNew = false;
    for (const subject of subjects) {
      const key = `${subject.name}\n${variant}`;
      const known = this.#known.get(key);
      isNew ||= known === undefined;
      const score = known ?? (await this.#measure(subject, overrides));
      this.#known.set(key, score);
      scores.set(subject.name, score);
    }
    if (isNew) this.#onTrial((this.#trials += 1));
    return scores;
  }

  async #measure(subject: TuningSubject, overrides: Overrides): Promise<number> {
    this.#signal.throwIfAborted();
    return subject.measure(overrides);
  }
}

/** The mean of the groups' macro means: a group with many sets counts no more than one with few. 0 without subjects. */
export function objectiveOf(subjects: readonly TuningSubject[], scores: SubjectScores): number {
  const groups = [...new Set(subjects.map(({ group }) => group))];
  const means = groups.map((group) => {
    const members = subjects.filter((subject) => subject.group === group);
    return members.reduce((sum, { name }) => sum + (scores.get(name) ?? 0), 0) / members.length;
  });
  return means.length === 0 ? 0 : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

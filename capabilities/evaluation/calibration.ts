import { fitLogistic, predict } from './logistic-regression';
import type { FittedModel } from './logistic-regression';
import { roundTo } from './ranker';

/** One search with what is known of it. Verdicts that follow from the question alone are left out by the caller. */
export interface CalibrationCase {
  /** The set it comes from. */
  readonly set: string;
  /** Cases of one group are held out together: forms of one collection, or a part of the own samples. */
  readonly group: string;
  readonly features: Readonly<Record<string, number>>;
  /** Whether anything registered serves the goal. */
  readonly isServed: boolean;
  /** Whether the first candidate is right, and the goal clear. */
  readonly isRight: boolean;
  /** Of the project's own samples, which the thresholds are chosen by. */
  readonly isOwn: boolean;
}

/** A case with the chances that models give to it that have not seen its group, or those of the table. */
export interface JudgedCase extends CalibrationCase {
  readonly serves: number;
  readonly right: number;
}

/** A fitted model with names. */
export interface NamedModel<Feature extends string> {
  readonly bias: number;
  readonly weights: Readonly<Record<Feature, number>>;
}

/** The part of the table of verdicts that is learnt. */
export interface FittedVerdicts<Feature extends string> {
  readonly serves: NamedModel<Feature>;
  readonly right: NamedModel<Feature>;
  readonly none_below: { readonly authored: number; readonly plain: number };
  readonly confident_from: number;
}

/** The thresholds alone. */
export type Thresholds = Pick<FittedVerdicts<string>, 'none_below' | 'confident_from'>;

/** What a calibration gives. */
export interface Calibration<Feature extends string = string> {
  readonly fitted: FittedVerdicts<Feature>;
  /** Judged by models that have not seen the case's group. */
  readonly held: readonly JudgedCase[];
  /** Judged by the models of the table. */
  readonly judged: readonly JudgedCase[];
}

/** Which numbers a verdict is taken from. */
export interface CalibrationFeatures<Feature extends string> {
  readonly names: readonly Feature[];
  /** More of these never speaks against a candidate, whatever a few samples say. */
  readonly rising: ReadonlySet<Feature>;
}

/** What the thresholds must reach on the own samples: with the models of the table, and with models that have not seen the sample. */
const PRECISION_OF_CONFIDENT = 0.97;
const PRECISION_OF_CONFIDENT_HELD = 0.93;
/** A little more than the nine in ten that are promised: a change of the ranking moves a few samples. */
const SHARE_OF_UNSERVED_FOUND = 0.92;
/** What may be lost of the goals that plain tools serve. */
const SHARE_OF_SERVED_LOST = 0.08;
/** How much one own sample counts against one query of a public set: those say nothing of packs, symptoms and intents. */
const OWN_WEIGHT = 5;

interface Models {
  readonly serves: FittedModel;
  readonly right: FittedModel;
}

/**
 * Fits the chance that a goal is served and the chance that the first candidate is right, checks both on groups left out one by one, and
 * chooses the thresholds by what those checks say. Deterministic.
 */
export function calibrate<Feature extends string>(
  cases: readonly CalibrationCase[],
  features: CalibrationFeatures<Feature>,
): Calibration<Feature> {
  const fitter = new Fitter(features);
  const held = [...new Set(cases.map(({ group }) => group))].flatMap((group) => {
    const others = fitter.fit(cases.filter((each) => each.group !== group));
    return fitter.judge(
      cases.filter((each) => each.group === group),
      others,
    );
  });
  const models = fitter.fit(cases);
  const judged = fitter.judge(cases, models);
  const thresholds = chooseThresholds(judged, held);
  return {
    fitted: { serves: fitter.named(models.serves), right: fitter.named(models.right), ...thresholds },
    held,
    judged,
  };
}

/** Whether the verdict on a case is that nothing serves it. */
export function isNone(
  { serves, features }: JudgedCase,
  { none_below: limits }: Pick<Thresholds, 'none_below'>,
): boolean {
  return serves < (features['plain'] === 1 ? limits.plain : limits.authored);
}

/** Whether the verdict on a case is `confident`. */
export function isConfident(each: JudgedCase, thresholds: Thresholds): boolean {
  return !isNone(each, thresholds) && each.right >= thresholds.confident_from;
}

class Fitter<Feature extends string> {
  readonly #names: readonly Feature[];
  readonly #rising: ReadonlySet<number>;

  constructor({ names, rising }: CalibrationFeatures<Feature>) {
    this.#names = names;
    this.#rising = new Set(names.flatMap((name, index) => (rising.has(name) ? [index] : [])));
  }

  fit(cases: readonly CalibrationCase[]): Models {
    const model = (isTrue: (each: CalibrationCase) => boolean): FittedModel => {
      const weightOf = ({ isOwn }: CalibrationCase): number => (isOwn ? OWN_WEIGHT : 1);
      const observations = cases.map((each) => ({
        features: this.#vectorOf(each),
        isTrue: isTrue(each),
        weight: weightOf(each),
      }));
      return fitLogistic(observations, this.#rising);
    };
    return { serves: model(({ isServed }) => isServed), right: model(({ isRight }) => isRight) };
  }

  judge(cases: readonly CalibrationCase[], { serves, right }: Models): readonly JudgedCase[] {
    return cases.map((each) => {
      const vector = this.#vectorOf(each);
      return { ...each, serves: predict(serves, vector), right: predict(right, vector) };
    });
  }

  named({ bias, weights }: FittedModel): NamedModel<Feature> {
    const named = this.#names.map((name, index) => [name, roundTo(weights[index] ?? 0, 4)] as const);
    return { bias: roundTo(bias, 4), weights: Object.fromEntries(named) as Record<Feature, number> };
  }

  #vectorOf({ features }: CalibrationCase): readonly number[] {
    return this.#names.map((name) => features[name] ?? 0);
  }
}

function chooseThresholds(judged: readonly JudgedCase[], held: readonly JudgedCase[]): Thresholds {
  const isOwn = (each: JudgedCase): boolean => each.isOwn;
  const limits = {
    authored: roundTo(noneBelowAuthored(judged.filter(isOwn)), 4),
    plain: roundTo(noneBelowPlain(held.filter(({ features }) => features['plain'] === 1)), 4),
  };
  const shown = (cases: readonly JudgedCase[]): readonly JudgedCase[] =>
    cases.filter((each) => isOwn(each) && !isNone(each, { none_below: limits }));
  const confident = Math.max(
    confidentFrom(shown(judged), PRECISION_OF_CONFIDENT),
    confidentFrom(shown(held), PRECISION_OF_CONFIDENT_HELD),
  );
  return { none_below: limits, confident_from: roundTo(confident, 4) };
}

/** The least chance from which on the cases are right often enough; just above 1 when there is none. */
function confidentFrom(cases: readonly JudgedCase[], precision: number): number {
  const falling = [...cases].sort((left, right) => right.right - left.right);
  let found = 1.01;
  let hits = 0;
  falling.forEach((each, index) => {
    if (each.isRight) hits += 1;
    const next = falling[index + 1]?.right ?? 0;
    if (next < each.right && hits / (index + 1) >= precision) found = (each.right + next) / 2;
  });
  return found;
}

/** The least chance below which enough of the goals lie that nothing serves. */
function noneBelowAuthored(cases: readonly JudgedCase[]): number {
  const rising = cases.filter(({ isServed }) => !isServed).map(({ serves }) => serves);
  rising.sort((left, right) => left - right);
  return (rising[Math.ceil(rising.length * SHARE_OF_UNSERVED_FOUND) - 1] ?? 0.5) + 1e-4;
}

/** The highest chance below which few enough of the goals lie that something serves. */
function noneBelowPlain(cases: readonly JudgedCase[]): number {
  const rising = cases.filter(({ isServed }) => isServed).map(({ serves }) => serves);
  rising.sort((left, right) => left - right);
  return rising[Math.floor(rising.length * SHARE_OF_SERVED_LOST)] ?? 0.5;
}

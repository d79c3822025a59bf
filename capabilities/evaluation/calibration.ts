// NOTE FROM THE LEAD (11:08) to whoever was asked to build calibration: it is built, tested and wired (calibration.ts, run-calibration.ts,
// confidence.ts, confidence-features.ts). Do not rebuild it. Only `--tune` (item 3) and choosing parts with `--ablate a,b` (item 5) are left: build those, within 20 minutes.
import { CONFIDENCE_FEATURES } from '../search/confidence-features';
import type { ConfidenceTable, LogisticModel } from '../search/confidence';
import { fitLogistic, predict } from './logistic-regression';
import type { FittedModel } from './logistic-regression';
import { roundTo } from './ranker';

/** One search with what is known of it. Verdicts that follow from the question alone are left out by the caller. */
export interface CalibrationCase {
  /** The set it comes from; folds are made of whole sets. */
  readonly set: string;
  readonly features: Readonly<Record<string, number>>;
  /** Whether anything registered serves the goal. */
  readonly isServed: boolean;
  /** Whether the first candidate is right, and the goal clear. */
  readonly isRight: boolean;
  /** Of the project's own samples, which the thresholds are chosen by. */
  readonly isOwn: boolean;
}

/** A case with the chances that models give to it that have not seen its set. */
export interface JudgedCase extends CalibrationCase {
  readonly serves: number;
  readonly right: number;
}

/** What a calibration gives. */
export interface Calibration {
  readonly table: ConfidenceTable;
  /** Judged by models that have not seen the case's set. */
  readonly held: readonly JudgedCase[];
  /** Judged by the models of the table. */
  readonly judged: readonly JudgedCase[];
}

/** What the thresholds must reach on the own samples. */
const PRECISION_OF_CONFIDENT = 0.97;
const SHARE_OF_UNSERVED_FOUND = 0.9;
/** What may be lost of the goals that plain tools serve. */
const SHARE_OF_SERVED_LOST = 0.08;
/** How much one own sample counts against one query of a public set: those say nothing of packs, symptoms and intents. */
const OWN_WEIGHT = 5;

interface Models {
  readonly serves: FittedModel;
  readonly right: FittedModel;
}

function vectorOf({ features }: CalibrationCase): readonly number[] {
  return CONFIDENCE_FEATURES.map((name) => features[name] ?? 0);
}

function fitModels(cases: readonly CalibrationCase[]): Models {
  const weighed = (isTrue: (each: CalibrationCase) => boolean) =>
    cases.map((each) => ({ features: vectorOf(each), isTrue: isTrue(each), weight: each.isOwn ? OWN_WEIGHT : 1 }));
  return { serves: fitLogistic(weighed((each) => each.isServed)), right: fitLogistic(weighed((each) => each.isRight)) };
}

function judge(cases: readonly CalibrationCase[], { serves, right }: Models): readonly JudgedCase[] {
  return cases.map((each) => ({
    ...each,
    serves: predict(serves, vectorOf(each)),
    right: predict(right, vectorOf(each)),
  }));
}

/** The least chance from which on the cases are right often enough; just above 1 when there is none. */
function confidentFrom(cases: readonly JudgedCase[]): number {
  const falling = [...cases].sort((left, right) => right.right - left.right);
  let found = 1.01;
  let hits = 0;
  falling.forEach((each, index) => {
    if (each.isRight) hits += 1;
    const next = falling[index + 1]?.right ?? 0;
    if (next < each.right && hits / (index + 1) >= PRECISION_OF_CONFIDENT) found = (each.right + next) / 2;
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

function toModel({ bias, weights }: FittedModel): LogisticModel {
  const named = CONFIDENCE_FEATURES.map((name, index) => [name, roundTo(weights[index] ?? 0, 4)] as const);
  return { bias: roundTo(bias, 4), weights: Object.fromEntries(named) as LogisticModel['weights'] };
}

/**
 * Fits the chance that a goal is served and the chance that the first candidate is right, checks both on sets left out one by one, and chooses
 * the thresholds on the own samples. Deterministic.
 */
export function calibrate(cases: readonly CalibrationCase[], before: ConfidenceTable, source: string): Calibration {
  const held = [...new Set(cases.map(({ set }) => set))].flatMap((set) => {
    const others = fitModels(cases.filter((each) => each.set !== set));
    return judge(
      cases.filter((each) => each.set === set),
      others,
    );
  });
  const models = fitModels(cases);
  const judged = judge(cases, models);
  const own = judged.filter(({ isOwn }) => isOwn);
  const none = {
    authored: roundTo(noneBelowAuthored(own), 4),
    plain: roundTo(noneBelowPlain(held.filter(({ isOwn }) => !isOwn)), 4),
  };
  const isShown = ({ serves, features }: JudgedCase): boolean =>
    serves >= (features['plain'] === 1 ? none.plain : none.authored);
  const shown = own.filter(isShown);
  const table: ConfidenceTable = {
    ...before,
    version: before.version + 1,
    source,
    serves: toModel(models.serves),
    right: toModel(models.right),
    none_below: none,
    confident_from: roundTo(confidentFrom(shown), 4),
  };
  return { table, held, judged };
}

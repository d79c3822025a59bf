/** One observation: features between 0 and 1, whether it came true, and how much it counts. */
export interface Observation {
  readonly features: readonly number[];
  readonly isTrue: boolean;
  readonly weight: number;
}

/** A fitted model: chance = 1 / (1 + exp(−(bias + Σ weight × feature))). */
export interface FittedModel {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** Strength of the pull of the weights to 0, against one observation's loss. */
const RIDGE = 1;
const STEPS = 25;

/**
 * Logistic regression with a ridge penalty, by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani, Friedman 2009, 4.4.1).
 * The bias is not penalised. Features in `rising` get no weight below 0: whichever would fall the most is left out, one after the other.
 * Deterministic. `observations` must not be empty and of one length.
 */
export function fitLogistic(
  observations: readonly Observation[],
  rising: ReadonlySet<number> = new Set(),
): FittedModel {
  const size = observations[0]?.features.length ?? 0;
  let kept = Array.from({ length: size }, (_, index) => index);
  for (;;) {
    const { bias, weights } = fitFreely(observations.map((each) => narrowed(each, kept)));
    const falling = kept.map((feature, index) => ({ feature, weight: weights[index] ?? 0 }));
    const [worst] = falling
      .filter(({ feature, weight }) => rising.has(feature) && weight < 0)
      .sort((one, other) => one.weight - other.weight);
    if (worst === undefined) {
      const byFeature = new Map(falling.map(({ feature, weight }) => [feature, weight]));
      return { bias, weights: Array.from({ length: size }, (_, feature) => byFeature.get(feature) ?? 0) };
    }
    kept = kept.filter((feature) => feature !== worst.feature);
  }
}

function narrowed({ features, ...rest }: Observation, kept: readonly number[]): Observation {
  return { ...rest, features: kept.map((feature) => features[feature] ?? 0) };
}

function fitFreely(observations: readonly Observation[]): FittedModel {
  const size = (observations[0]?.features.length ?? 0) + 1;
  let parameters: readonly number[] = Array.from({ length: size }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const { gradient, curvature } = slopesAt(parameters, observations);
    const change = solve(curvature, gradient);
    parameters = parameters.map((value, index) => value + (change[index] ?? 0));
    if (Math.max(...change.map(Math.abs)) < 1e-8) break;
  }
  const [bias = 0, ...weights] = parameters;
  return { bias, weights };
}

/** The chance that a model gives. */
export function predict({ bias, weights }: FittedModel, features: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, weight, index) => sum + weight * (features[index] ?? 0), bias)));
}

interface Slopes {
  readonly gradient: number[];
  readonly curvature: number[][];
}

function slopesAt([bias = 0, ...weights]: readonly number[], observations: readonly Observation[]): Slopes {
  const size = weights.length + 1;
  const gradient = [0, ...weights.map((value) => -RIDGE * value)];
  const pull = (row: number): number => (row === 0 ? 1e-9 : RIDGE);
  const curvature: number[][] = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (row === column ? pull(row) : 0)),
  );
  for (const { features, isTrue, weight } of observations) {
    const row = [1, ...features];
    const chance = predict({ bias, weights }, features);
    const error = weight * ((isTrue ? 1 : 0) - chance);
    const spread = weight * Math.max(1e-9, chance * (1 - chance));
    for (let one = 0; one < size; one += 1) {
      gradient[one] = (gradient[one] ?? 0) + error * (row[one] ?? 0);
      const line = curvature[one] ?? [];
      for (let other = 0; other < size; other += 1)
        line[other] = (line[other] ?? 0) + spread * (row[one] ?? 0) * (row[other] ?? 0);
    }
  }
  return { gradient, curvature };
}

/** Solves a symmetric positive system by Gaussian elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const size = right.length;
  const rows = matrix.map((row, index) => [...row, right[index] ?? 0]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const pivotRow = rows[pivot] ?? [];
    for (let below = pivot + 1; below < size; below += 1) {
      const row = rows[below] ?? [];
      const factor = (row[pivot] ?? 0) / (pivotRow[pivot] ?? 1);
      for (let column = pivot; column <= size; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivotRow[column] ?? 0);
    }
  }
  const solution = Array.from({ length: size }, () => 0);
  for (let index = size - 1; index >= 0; index -= 1) {
    const row = rows[index] ?? [];
    let value = row[size] ?? 0;
    for (let column = index + 1; column < size; column += 1) value -= (row[column] ?? 0) * (solution[column] ?? 0);
    solution[index] = value / (row[index] ?? 1);
  }
  return solution;
}

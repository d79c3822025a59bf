import { describe, expect, it } from 'vitest';
import { calibrate, type CalibrationCase } from '../../../capabilities/evaluation/calibration';
import { showCalibration } from '../../../capabilities/evaluation/calibration-report';
import { fitLogistic, predict } from '../../../capabilities/evaluation/logistic-regression';
import { CONFIDENCE_TABLE, chanceOf } from '../../../capabilities/search/confidence';
import { CONFIDENCE_FEATURES, type ConfidenceFeatures } from '../../../capabilities/search/confidence-features';

/** The same numbers in every run, spread evenly between 0 and 1. */
function numbers(count: number, seed: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => ((index + 1) * seed) % 1);
}

describe('fitLogistic', () => {
  it('finds the model that made the observations', () => {
    const first = numbers(4000, 0.6180339);
    const second = numbers(4000, 0.7548776);
    const draws = numbers(4000, 0.5698402);
    const truth = { bias: -1, weights: [4, -2] };
    const observations = first.map((value, index) => {
      const features = [value, second[index] ?? 0];
      return { features, isTrue: (draws[index] ?? 0) < predict(truth, features), weight: 1 };
    });
    const fitted = fitLogistic(observations);
    expect(fitted.bias).toBeCloseTo(-1, 0);
    expect(fitted.weights[0]).toBeCloseTo(4, 0);
    expect(fitted.weights[1]).toBeCloseTo(-2, 0);
  });

  it.each([true, false])('stays finite when every observation is %s', (isTrue) => {
    const fitted = fitLogistic(numbers(20, 0.37).map((value) => ({ features: [value], isTrue, weight: 1 })));
    expect(Number.isFinite(fitted.bias)).toBe(true);
    expect(predict(fitted, [0.5]) > 0.5).toBe(isTrue);
  });

  it('counts an observation of weight three like three of them', () => {
    const one = [
      { features: [0.1], isTrue: false, weight: 3 },
      { features: [0.9], isTrue: true, weight: 1 },
    ];
    const three = [one[0]!, one[0]!, one[0]!, one[1]!].map((each) => ({ ...each, weight: 1 }));
    expect(fitLogistic(one).bias).toBeCloseTo(fitLogistic(three).bias, 6);
  });
});

describe('calibrate', () => {
  const nothing = Object.fromEntries(CONFIDENCE_FEATURES.map((name) => [name, 0]));
  const cases: readonly CalibrationCase[] = numbers(300, 0.6180339).flatMap((coverage, index) => {
    const known = { isServed: coverage > 0.4, isRight: coverage > 0.7 };
    return (['one', 'two', 'own samples'] as const).map((set) => ({
      ...{ set, ...known, isOwn: set === 'own samples' },
      features: { ...nothing, coverage, length: (index % 7) / 7, plain: set === 'own samples' ? 0 : 1 },
    }));
  });
  const { table, held } = calibrate(cases, CONFIDENCE_TABLE, 'a test');
  const at = (coverage: number): ConfidenceFeatures => ({ ...nothing, coverage }) as ConfidenceFeatures;

  it('learns what decides, and says where the figures come from', () => {
    expect(table.version).toBe(CONFIDENCE_TABLE.version + 1);
    expect(table.source).toBe('a test');
    expect(chanceOf(table.serves, at(0.9))).toBeGreaterThan(chanceOf(table.serves, at(0.1)));
    expect(Object.keys(table.right.weights)).toEqual([...CONFIDENCE_FEATURES]);
  });

  it('chooses thresholds that keep what they promise on the own samples', () => {
    const own = cases.filter(({ isOwn }) => isOwn);
    const confident = own.filter(
      ({ features }) => chanceOf(table.right, features as ConfidenceFeatures) >= table.confident_from,
    );
    expect(confident.length).toBeGreaterThan(20);
    expect(confident.filter(({ isRight }) => isRight).length / confident.length).toBeGreaterThanOrEqual(0.97);
    const unserved = own.filter(({ isServed }) => !isServed);
    const none = unserved.filter(
      ({ features }) => chanceOf(table.serves, features as ConfidenceFeatures) < table.none_below.authored,
    );
    expect(none.length / unserved.length).toBeGreaterThanOrEqual(0.9);
  });

  it('judges every case by models that have not seen its set, and shows each set', () => {
    expect(held).toHaveLength(cases.length);
    const shown = showCalibration({ table, held, judged: held });
    for (const set of ['one', 'two', 'own samples', 'all sets']) expect(shown).toContain(`| ${set}`);
  });
});

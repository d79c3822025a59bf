import { describe, expect, it } from 'vitest';
import { calibrate, isConfident, type CalibrationCase } from '../../../capabilities/evaluation/calibration';
import { showCalibration } from '../../../capabilities/evaluation/calibration-report';
import { fitLogistic, predict } from '../../../capabilities/evaluation/logistic-regression';
import { chanceOf } from '../../../capabilities/search/confidence';
import {
  CONFIDENCE_FEATURES,
  RISING_FEATURES,
  type ConfidenceFeatures,
} from '../../../capabilities/search/confidence-features';

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

  it('leaves out what must not fall, and only that', () => {
    const observations = numbers(400, 0.6180339).map((value) => {
      return { features: [value, 1 - value / 2], isTrue: value < 0.5, weight: 1 };
    });
    const fitted = fitLogistic(observations, new Set([0]));
    expect(fitLogistic(observations).weights[0]).toBeLessThan(0);
    expect(fitted.weights[0]).toBe(0);
    expect(fitted.weights[1]).toBeGreaterThan(0);
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
      group: set === 'own samples' ? `${set} ${index % 3}` : set,
      features: { ...nothing, coverage, length: (index % 7) / 7, plain: set === 'own samples' ? 0 : 1 },
    }));
  });
  const names = { names: CONFIDENCE_FEATURES, rising: RISING_FEATURES };
  const { fitted, held, judged } = calibrate(cases, names);
  const at = (coverage: number): ConfidenceFeatures => ({ ...nothing, coverage }) as ConfidenceFeatures;

  it('learns what decides, and gives every feature a weight', () => {
    expect(chanceOf(fitted.serves, at(0.9))).toBeGreaterThan(chanceOf(fitted.serves, at(0.1)));
    expect(Object.keys(fitted.right.weights)).toEqual([...CONFIDENCE_FEATURES]);
  });

  it('gives the same for the same', () => {
    expect(calibrate(cases, names)).toEqual(calibrate(cases, names));
  });

  it('never holds against a candidate what should speak for it', () => {
    const misled = cases.map((each) => ({ ...each, isServed: !each.isServed, isRight: !each.isRight }));
    const { serves, right } = calibrate(misled, names).fitted;
    for (const name of RISING_FEATURES) {
      expect(serves.weights[name], name).toBeGreaterThanOrEqual(0);
      expect(right.weights[name], name).toBeGreaterThanOrEqual(0);
    }
  });

  it('chooses thresholds that keep what they promise on the own samples', () => {
    const own = judged.filter(({ isOwn }) => isOwn);
    const confident = own.filter((each) => isConfident(each, fitted));
    expect(confident.length).toBeGreaterThan(20);
    expect(confident.filter(({ isRight }) => isRight).length / confident.length).toBeGreaterThanOrEqual(0.97);
    const unserved = own.filter(({ isServed }) => !isServed);
    const none = unserved.filter(({ serves }) => serves < fitted.none_below.authored);
    expect(none.length / unserved.length).toBeGreaterThanOrEqual(0.9);
  });

  it('says nothing with confidence when no threshold is right often enough', () => {
    const random = cases.map((each, index) => ({ ...each, isRight: index % 2 === 0 && each.isServed }));
    expect(calibrate(random, names).fitted.confident_from).toBeGreaterThan(0.3);
    const wrong = cases.map((each) => ({ ...each, isRight: false }));
    expect(calibrate(wrong, names).fitted.confident_from).toBeGreaterThan(1);
  });

  it('judges every case by models that have not seen its set, and shows each set', () => {
    expect(held).toHaveLength(cases.length);
    const shown = showCalibration({ fitted, held, judged });
    for (const set of ['one', 'two', 'own samples', 'all sets']) expect(shown).toContain(`| ${set}`);
  });
});

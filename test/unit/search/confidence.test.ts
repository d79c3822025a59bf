import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedQuery, RankedCandidate, Resolution } from '../../../capabilities/models';
import { CONFIDENCE_TABLE, chanceOf, judgeConfidence } from '../../../capabilities/search/confidence';
import {
  CONFIDENCE_FEATURES,
  RISING_FEATURES,
  type ConfidenceFeature,
  type ConfidenceFeatures,
} from '../../../capabilities/search/confidence-features';
import stored from '../../../capabilities/search/confidence-table.json';

const MODELS = ['serves', 'right'] as const;
const ORDER: readonly Resolution[] = ['no_confident_match', 'ambiguous', 'confident'];

const query = {
  ...{ text: 'clean the disk', language: 'en', explicitKeys: [], scope: undefined, scopeIsHard: false },
  ...{ isBrowseRequest: false, intents: ['clean'], entities: ['disk'], symptoms: [], constraints: [] },
  ...{ forbiddenIntents: [], desiredOutcome: undefined, isExplicitWrite: false, excludedKeys: [] },
  ...{ terms: ['clean', 'disk'], expansions: [], concepts: [] },
} as const satisfies ParsedQuery;
const ranked = [
  { resource: { type: 'action', key: 'demo:disk.clean' }, violates: false, matchedEntities: [] },
] as unknown as RankedCandidate[];

const anyFeatures = fc.record(
  Object.fromEntries(CONFIDENCE_FEATURES.map((name) => [name, fc.double({ min: 0, max: 1, noNaN: true })])),
) as fc.Arbitrary<ConfidenceFeatures>;

function place(features: ConfidenceFeatures): number {
  return ORDER.indexOf(judgeConfidence({ query, ranked, features }));
}

describe('the stored table', () => {
  test('says its version and where its figures come from', () => {
    expect(CONFIDENCE_TABLE.version).toBeGreaterThanOrEqual(3);
    expect(CONFIDENCE_TABLE.source).toMatch(/^capability eval --calibrate/);
  });

  test.each(MODELS)('%s has a finite weight for each feature and for nothing else', (model) => {
    expect(Object.keys(stored[model].weights).sort()).toEqual([...CONFIDENCE_FEATURES].sort());
    expect(Object.values(stored[model].weights).every(Number.isFinite)).toBe(true);
    expect(Number.isFinite(stored[model].bias)).toBe(true);
  });

  test('has thresholds that are chances', () => {
    const { none_below: none, confident_from: confident } = CONFIDENCE_TABLE;
    for (const limit of [none.authored, none.plain, confident]) {
      expect(limit).toBeGreaterThan(0);
      expect(limit).toBeLessThan(1);
    }
  });

  test.each(MODELS)('%s holds nothing against a candidate that should speak for it', (model) => {
    const against = [...RISING_FEATURES].filter((name) => CONFIDENCE_TABLE[model].weights[name] < 0);
    expect(against).toEqual([]);
  });
});

describe('the verdict', () => {
  test.each([...RISING_FEATURES])('never gets worse with more %s', (name: ConfidenceFeature) => {
    fc.assert(
      fc.property(anyFeatures, fc.double({ min: 0, max: 1, noNaN: true }), (features, more) => {
        const better = { ...features, [name]: Math.max(features[name], more) };
        expect(place(better)).toBeGreaterThanOrEqual(place(features));
      }),
    );
  });

  test('depends on nothing but its arguments', () => {
    fc.assert(
      fc.property(anyFeatures, (features) => {
        expect(place(features)).toBe(place({ ...features }));
      }),
    );
  });

  test('chances are between 0 and 1', () => {
    fc.assert(
      fc.property(anyFeatures, (features) => {
        for (const model of MODELS) {
          const chance = chanceOf(CONFIDENCE_TABLE[model], features);
          expect(chance).toBeGreaterThan(0);
          expect(chance).toBeLessThan(1);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  QUALITY_MEASURES,
  meanQuality,
  percentile,
  rateRanking,
} from '../../../capabilities/evaluation/ranking-metrics';

describe('rateRanking', () => {
  test.each([
    { ranking: ['a', 'b'], relevant: ['a'], quality: { top1: 1, r1: 1, r5: 1, ndcg10: 1, mrr: 1, comp10: 1 } },
    { ranking: ['x', 'a'], relevant: ['a'], quality: { top1: 0, r1: 0, r5: 1, mrr: 0.5, ndcg10: 1 / Math.log2(3) } },
    { ranking: ['a', 'x', 'b'], relevant: ['a', 'b'], quality: { top1: 1, r1: 0.5, r5: 1, comp10: 1 } },
    { ranking: ['a'], relevant: ['a', 'b'], quality: { top1: 1, r10: 0.5, comp10: 0 } },
    { ranking: [], relevant: ['a'], quality: { top1: 0, r10: 0, ndcg10: 0, mrr: 0, comp10: 0 } },
    { ranking: ['x', 'x', 'a'], relevant: ['a'], quality: { mrr: 0.5 } },
  ])('$ranking for $relevant', ({ ranking, relevant, quality }) => {
    expect(rateRanking(ranking, relevant)).toMatchObject(quality);
  });

  test('a hit at place 11 counts for the reciprocal rank alone, one beyond 100 for nothing', () => {
    const others = Array.from({ length: 200 }, (_, index) => `other-${index}`);
    expect(rateRanking([...others.slice(0, 10), 'a'], ['a'])).toMatchObject({ r10: 0, ndcg10: 0, mrr: 1 / 11 });
    expect(rateRanking([...others.slice(0, 100), 'a'], ['a']).mrr).toBe(0);
  });

  test('every measure lies between 0 and 1, and the ideal order reaches 1', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.nat(), (list, seed) => {
        const relevant = list.filter((_, index) => index % ((seed % 4) + 1) === 0);
        const rated = rateRanking(list, relevant);
        for (const measure of QUALITY_MEASURES) {
          expect(rated[measure]).toBeGreaterThanOrEqual(0);
          expect(rated[measure]).toBeLessThanOrEqual(1);
        }
        const ideal = [...relevant, ...list.filter((id) => !relevant.includes(id))];
        expect(rateRanking(ideal, relevant)).toMatchObject({ top1: 1, mrr: 1 });
        expect(rateRanking(ideal, relevant).ndcg10).toBeCloseTo(1, 10);
      }),
    );
  });
});

test('means are taken measure by measure', () => {
  const mean = meanQuality([rateRanking(['a'], ['a']), rateRanking(['x', 'a'], ['a'])]);
  expect(mean).toMatchObject({ top1: 0.5, mrr: 0.75, r5: 1 });
});

test.each([
  { values: [], share: 0.5, expected: 0 },
  { values: [3], share: 0.95, expected: 3 },
  { values: [4, 1, 3, 2], share: 0.5, expected: 2 },
  { values: Array.from({ length: 100 }, (_, index) => index + 1), share: 0.95, expected: 95 },
])('percentile $share of $values.length values is $expected', ({ values, share, expected }) => {
  expect(percentile(values, share)).toBe(expected);
});

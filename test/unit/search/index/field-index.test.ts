import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestDocuments } from '../../../../capabilities/search/index/best-documents';
import { DocumentTable } from '../../../../capabilities/search/index/document-table';
import { FieldIndex } from '../../../../capabilities/search/index/field-index';
import { GramIndex } from '../../../../capabilities/search/index/gram-index';

type Fields = Readonly<Record<'name' | 'text', readonly string[]>>;

const weights = { name: { weight: 2, lengthShare: 0.2 }, text: { weight: 1, lengthShare: 0.5 } };
const newIndex = (documents: readonly Fields[]): FieldIndex<'name' | 'text'> => {
  const index = new FieldIndex(weights);
  documents.forEach((document, number) => {
    index.add(number, document);
  });
  return index;
};
const scoresOf = (index: FieldIndex<'name' | 'text'>, size: number, ...tokens: string[]): number[] => {
  const scores = new Float64Array(size);
  for (const token of tokens) index.accumulate(token, 1, scores);
  return [...scores];
};
const doc = (name: string, text: string): Fields => ({ name: name.split(' '), text: text.split(' ') });

describe('FieldIndex', () => {
  test('scores by the formula of BM25F', () => {
    const index = newIndex([doc('a', 'b b c'), doc('c', 'd')]);
    // Field lengths: name 1 and 1; text 3 and 1, mean 2. One document of two holds "b".
    const frequency = 2 / (1 - 0.5 + 0.5 * (3 / 2));
    const rarity = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
    expect(scoresOf(index, 2, 'b')).toEqual([rarity * ((2.2 * frequency) / (frequency + 1.2)), 0]);
  });

  test('a rare word counts more than a common one, a name more than a text, a short text more than a long one', () => {
    const index = newIndex([
      doc('x', 'common rare'),
      doc('x', 'common'),
      doc('rare', 'y'),
      doc('x', 'common z z z z z z'),
    ]);
    const rare = scoresOf(index, 4, 'rare');
    const common = scoresOf(index, 4, 'common');
    expect(rare[0]).toBeGreaterThan(common[0] ?? 0);
    expect(rare[2]).toBeGreaterThan(rare[0] ?? 0);
    expect(common[1]).toBeGreaterThan(common[3] ?? 0);
  });

  const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const fields = fc.record({ name: fc.array(word, { maxLength: 3 }), text: fc.array(word, { maxLength: 20 }) });

  test('after any additions and removals it scores as an index made of what is left', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fields, fc.boolean()), { maxLength: 12 }), (documents) => {
        const index = newIndex(documents.map(([document]) => document));
        documents.forEach(([, isRemoved], number) => {
          if (isRemoved) index.remove(number);
        });
        const kept = documents.filter(([, isRemoved]) => !isRemoved).map(([document]) => document);
        const fresh = newIndex(kept);
        for (const token of ['a', 'b', 'c', 'd', 'e']) {
          expect(index.frequency(token)).toBe(fresh.frequency(token));
          const scores = scoresOf(index, documents.length, token);
          const left = scores.filter((_, number) => documents[number]?.[1] !== true);
          const expected = scoresOf(fresh, kept.length, token);
          left.forEach((score, place) => {
            expect(score).toBeCloseTo(expected[place] ?? 0, 10);
          });
          expect(scores.filter((score, number) => documents[number]?.[1] === true && score > 0)).toEqual([]);
        }
      }),
    );
  });
});

describe('GramIndex', () => {
  const similarities = (texts: readonly string[], text: string): number[] => {
    const index = new GramIndex();
    texts.forEach((own, number) => {
      index.add(number, own);
    });
    const scores = new Float64Array(texts.length);
    index.accumulate(text, scores);
    return [...scores];
  };

  test('a text is most like itself, near spellings come next, foreign texts have nothing', () => {
    const [same = 0, near = 0, other = 0] = similarities(['configuration', 'configure', 'weather'], 'configuration');
    expect(same).toBeCloseTo(1, 6);
    expect(near).toBeGreaterThan(0.3);
    expect(other).toBe(0);
  });

  test('Chinese is compared by characters and pairs', () => {
    const [same = 0, shares = 0, other = 0] = similarities(['修复路径冲突', '路径检查', '天气'], '修复路径冲突');
    expect(same).toBeCloseTo(1, 6);
    expect(shares).toBeGreaterThan(0);
    expect(other).toBe(0);
  });

  test('similarities stay between 0 and 1, and what was removed has none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 10 }),
        fc.string({ maxLength: 30 }),
        (texts, query) => {
          const index = new GramIndex();
          texts.forEach((text, number) => {
            index.add(number, text);
          });
          const [first] = texts;
          if (first !== undefined) index.remove(0, first);
          const scores = new Float64Array(texts.length);
          index.accumulate(query, scores);
          expect(scores[0] ?? 0).toBe(0);
          // Rarities drift between two refreshes of the norms.
          for (const score of scores) expect(score).toBeLessThanOrEqual(1.2);
        },
      ),
    );
  });
});

test('bestDocuments gives what sorting all gives, and asks only for what would make the list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 6 }), (numbers, limit) => {
      const admits = (document: number): boolean => document % 3 !== 1;
      const expected = numbers
        .map((score, document) => ({ document, score }))
        .filter(({ document, score }) => score > 0 && admits(document))
        .sort((left, right) => right.score - left.score || left.document - right.document)
        .slice(0, limit);
      expect(bestDocuments(Float64Array.from(numbers), limit, admits)).toEqual(expected);
    }),
  );
});

test('a document number is never used twice', () => {
  const table = new DocumentTable();
  expect([table.add('a'), table.add('b'), table.remove('a'), table.add('a')]).toEqual([0, 1, 0, 2]);
  expect([table.keyOf(0), table.keyOf(2), table.size, table.capacity, table.remove('gone')]).toEqual([
    undefined,
    'a',
    2,
    3,
    undefined,
  ]);
});

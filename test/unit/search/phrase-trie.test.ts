import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PhraseTrie } from '../../../capabilities/search/language/phrase-trie';

const unit = fc.constantFrom('a', 'b', 'c');
const phrase = fc.array(unit, { minLength: 1, maxLength: 4 });

function filled(phrases: readonly (readonly string[])[]): PhraseTrie<number> {
  const trie = new PhraseTrie<number>();
  phrases.forEach((units, value) => {
    trie.add(units, value);
  });
  return trie;
}

test('finds the leftmost longest phrases, none overlapping another', () => {
  const trie = filled([['open'], ['open', 'file'], ['file', 'list']]);
  const matches = trie.longestMatches(['please', 'open', 'file', 'list', 'open']);
  expect(matches.map(({ start, end, values }) => [start, end, values])).toEqual([
    [1, 3, [1]],
    [4, 5, [0]],
  ]);
});

test('a phrase counts only with a value that is accepted', () => {
  const trie = filled([['open'], ['open', 'file']]);
  expect(trie.longestMatches(['open', 'file'], (value) => value !== 1).map(({ end }) => end)).toEqual([1]);
});

test('after any additions and removals it finds what a trie of what is left finds', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(phrase, fc.boolean())), fc.array(unit, { maxLength: 12 }), (phrases, text) => {
      const trie = filled(phrases.map(([units]) => units));
      phrases.forEach(([units, isRemoved], value) => {
        if (isRemoved) trie.remove(units, (other) => other === value);
      });
      const left = new PhraseTrie<number>();
      phrases.forEach(([units, isRemoved], value) => {
        if (!isRemoved) left.add(units, value);
      });
      expect(trie.longestMatches(text)).toEqual(left.longestMatches(text));
      for (const [units] of phrases) expect(trie.get(units)).toEqual(left.get(units));
    }),
  );
});

test('removing what is not there changes nothing', () => {
  const trie = filled([['a', 'b']]);
  trie.remove(['a'], () => true);
  trie.remove(['a', 'c'], () => true);
  trie.remove(['a', 'b'], () => false);
  expect(trie.get(['a', 'b'])).toEqual([0]);
});

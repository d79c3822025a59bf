import fc from 'fast-check';
import { expect, test } from 'vitest';
import { condenseQuery } from '../../../capabilities/search/query-condenser';

const filler = (length: number): string => 'the build is broken and I do not know why '.repeat(length).slice(0, length);

test('a query of ordinary length is only normalised and trimmed', () => {
  expect(condenseQuery('  ｇｉｔ status\n')).toBe('git status');
});

test.each(['maintenance.npm.cache_verify', 'git_status', 'workspace:git.status', 'cache-verify'])(
  'the name %s is kept wherever it stands in a long query',
  (name) => {
    for (const at of [0, 1500, 5000, 9000]) {
      const query = `${filler(at)} ${name} ${filler(10_000 - at)}`;
      expect(condenseQuery(query).split(' ')).toContain(name);
    }
  },
);

test('what a long query forbids at its end is kept', () => {
  expect(condenseQuery(`${filler(9000)} but do not reinstall anything`)).toMatch(/but do not reinstall anything$/);
});

test('a cut through a character leaves no half of it', () => {
  expect(condenseQuery(`x${'🎉'.repeat(5000)}`)).not.toMatch(/\p{Surrogate}/u);
});

test('whatever is sent, the result is bounded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12_000, size: 'max' }), (query) => {
      // 40 names of at most 200 characters each, beside the beginning and the end.
      expect(condenseQuery(query).length).toBeLessThanOrEqual(1000 + 40 * 201 + 2);
    }),
    { numRuns: 200 },
  );
});

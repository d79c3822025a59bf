import { describe, expect, test } from 'vitest';
import { foreignPairs, isForeign } from '../../../capabilities/evaluation/foreign-goals';
import type { PlainDataset } from '../../../capabilities/evaluation/plain-dataset';
import { scoreVerdicts, showVerdicts, type JudgedGoal } from '../../../capabilities/evaluation/verdict-scores';

function set(name: string, description: string): PlainDataset {
  return { name, tools: [{ id: 't', name: 't', description }], queries: [] };
}

describe('foreign goals', () => {
  test.each([
    ['tldr-en', 'metatool-single', true],
    ['tldr-zh', 'ultratool-zh', true],
    ['tldr-zh', 'ultratool-en', false],
    ['tldr-zh', 'ultratool-zh2en', false],
    ['metatool-single', 'metatool-multi', false],
    ['ultratool-en', 'metatool-multi', false],
    ['kitchen-en', 'garden-en', true],
    ['constructor-en', 'garden-en', true],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(isForeign(one, other)).toBe(expected);
    expect(isForeign(other, one)).toBe(expected);
  });

  test('each set is put to the one that shares the fewest words with it; one without a partner is left out', () => {
    const sets = [
      set('kitchen-en', 'knead the dough in a bowl'),
      set('bakery-en', 'knead the dough'),
      set('garden-en', 'water every flower'),
      set('kitchen-zh', '揉面'),
    ];
    const pairs = foreignPairs(sets).map(({ queries, tools }) => [queries.name, tools.name]);
    expect(pairs).toEqual([
      ['kitchen-en', 'garden-en'],
      ['bakery-en', 'garden-en'],
      ['garden-en', 'bakery-en'],
    ]);
  });
});

describe('scores of verdicts', () => {
  const goal = (resolution: JudgedGoal['resolution'], isRight: boolean): JudgedGoal => ({ resolution, isRight });

  test('confidence is measured on what is served, silence on what is not', () => {
    const served = [
      goal('confident', true),
      goal('confident', false),
      goal('ambiguous', true),
      goal('no_confident_match', false),
    ];
    expect(scoreVerdicts(served, ['no_confident_match', 'ambiguous', 'ambiguous', 'no_confident_match'])).toEqual({
      confident: 50,
      confident_right: 50,
      false_none: 25,
      foreign_none: 50,
    });
  });

  test('what was not asked is a dash, and no part of the mean', () => {
    const results = [
      { set: 'a', verdicts: scoreVerdicts([goal('confident', true)], ['no_confident_match']) },
      { set: 'b', verdicts: scoreVerdicts([goal('ambiguous', true)], []) },
      { set: 'c' },
    ];
    const shown = showVerdicts(results);
    expect(shown).toMatch(/\| b +\| +0\.0 \| +- \| +0\.0 \| +- \|/);
    expect(shown).toMatch(/\| mean +\| +50\.0 \| +100\.0 \| +0\.0 \| +100\.0 \|/);
    expect(shown).not.toMatch(/\| c /);
  });
});

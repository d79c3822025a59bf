import { describe, expect, test } from 'vitest';
import type { QueryConcept, UsageEvent, UsageOutcome } from '../../../../capabilities/models';
import { goalWordsOf } from '../../../../capabilities/search/history/goal-words';
import { commonScores, HALF_LIFE, likeness, similarScores } from '../../../../capabilities/search/history/usage-scores';

const NOW = Date.UTC(2026, 5, 1);
const use = (outcome: UsageOutcome, age = 0, goal: readonly string[] = []): UsageEvent => ({
  ...{ id: 'a', outcome, goal },
  time: NOW - age,
});
const concept = (...forms: string[][]): QueryConcept => ({ term: forms[0]?.join(' ') ?? '', forms });

describe('how much past use counts', () => {
  test.each<[string, UsageEvent[], number | undefined]>([
    ['a success today', [use('succeeded')], 1],
    ['a success one half-life ago', [use('succeeded', HALF_LIFE)], 0.5],
    ['a success two half-lives ago', [use('succeeded', 2 * HALF_LIFE)], 0.25],
    ['a success long ago', [use('succeeded', 4 * HALF_LIFE)], undefined],
    ['a success of a clock that was set back', [use('succeeded', -HALF_LIFE)], 1],
    ['a contract that was read', [use('described')], 0.25],
    ['a success and a failure', [use('succeeded'), use('failed')], 0.5],
    ['a success and a refusal', [use('succeeded'), use('declined')], undefined],
    ['an old success and a new failure', [use('succeeded', HALF_LIFE), use('failed')], undefined],
  ])('%s', (_case, events, expected) => {
    expect(commonScores(events, NOW).get('a')).toEqual(expected === undefined ? undefined : expect.closeTo(expected));
  });

  test.each([
    ['the same words', [['path'], ['fix']], ['path', 'fix'], 1],
    ['another language, through the lexicon', [['修复'], ['路径']], ['fix', 'path'], 1],
    ['half of it', [['path'], ['fix']], ['path'], 0.75],
    ['a third of it', [['path'], ['fix'], ['shell']], ['path'], 0],
    ['a small part of the earlier goal', [['path']], ['path', 'order', 'room'], 0],
    ['nothing', [['order']], ['path'], 0],
    ['a goal of which nothing was kept', [['order']], [], 0],
  ])('goals with %s in common', (_case, asked, kept, expected) => {
    const translations: Record<string, string[]> = { 修复: ['fix'], 路径: ['path'] };
    const concepts = asked.map(([word = '']) => concept([word], ...(translations[word] ? [translations[word]] : [])));
    expect(likeness(concepts, new Set(kept))).toBeCloseTo(expected);
    const scores = similarScores([use('succeeded', 0, kept)], concepts, NOW);
    expect(scores.get('a') ?? 0).toBeCloseTo(expected);
  });
});

describe('what is kept of a goal', () => {
  const held = new Set(['deploy', 'staging', 'hunter2', 'the']);
  test.each<[string, QueryConcept[], string[]]>([
    ['words of the registry', [concept(['deploy']), concept(['staging'])], ['deploy', 'staging']],
    ['words of the lexicon, as written', [concept(['回滚'], ['rollback'])], ['回滚']],
    ['no word that nothing knows', [concept(['acme-corp']), concept(['alice@example.com'])], []],
    ['no password', [concept(['s3cr3tpassw0rd'])], []],
    ['no number, though a definition holds it', [concept(['4111111111111111'], ['card'])], []],
    ['no key, though the lexicon has it', [concept(['a'.repeat(40)], ['x'])], []],
    ['no stop words', [concept(['the'])], []],
  ])('%s', (_case, concepts, expected) => {
    expect(goalWordsOf({ concepts }, (word) => held.has(word))).toEqual(expected);
  });

  test('each word once, at most 16', () => {
    const concepts = Array.from({ length: 40 }, (_, index) =>
      concept([`word${String.fromCharCode(97 + (index % 26))}`]),
    );
    expect(goalWordsOf({ concepts }, () => true)).toHaveLength(16);
  });
});

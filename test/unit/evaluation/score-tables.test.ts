import { describe, expect, test } from 'vitest';
import { compareRuns, showAblation } from '../../../capabilities/evaluation/ablation';
import { measureRanker, type SetScores } from '../../../capabilities/evaluation/ranker';
import { byRanker, showScores } from '../../../capabilities/evaluation/score-table';
import { groupOf, meansByGroup } from '../../../capabilities/evaluation/set-groups';
import { layOutTable } from '../../../capabilities/evaluation/text-table';

function scores(ndcg10: number, p95 = 2): SetScores {
  return { n: 10, top1: ndcg10, r1: 0, r5: ndcg10, r10: 0, ndcg10, mrr: 0, comp10: 0, ms_p50: 1, ms_p95: p95 };
}

test.each([
  ['tldr-zh', 'zh'],
  ['tldr-zh2en', 'zh2en'],
  ['some-en2zh', 'zh2en'],
  ['tldr-en', 'en'],
  ['metatool-single', 'en'],
])('%s belongs to %s', (set, group) => {
  expect(groupOf(set)).toBe(group);
});

test('macro means weigh every set alike and leave out groups without one', () => {
  const means = meansByGroup([
    { set: 'a-en', scores: scores(40) },
    { set: 'b', scores: { ...scores(61), n: 1000 } },
    { set: 'c-zh', scores: scores(10) },
  ]);
  expect(means.map(({ group, sets }) => [group, sets])).toEqual([
    ['en', 2],
    ['zh', 1],
  ]);
  expect(means[0]?.scores).toMatchObject({ n: 1010, ndcg10: 50.5 });
});

test('the ranker is asked every query, and its scores are percents', async () => {
  let now = 0;
  const clock = { monotonic: () => (now += 2), sleep: () => Promise.resolve() };
  const asked: string[] = [];
  const ranker = {
    rank: (query: string) => {
      asked.push(query);
      return Promise.resolve(query === 'one' ? ['a'] : ['x', 'b']);
    },
  };
  const queries = [
    { id: '1', query: 'one', relevant: ['a'] },
    { id: '2', query: 'two', relevant: ['b'] },
  ];
  const { scores: measured } = await measureRanker(ranker, queries, clock);
  expect(measured).toMatchObject({ n: 2, top1: 50, r5: 100, mrr: 75, ms_p50: 2, ms_p95: 2 });
  // The warm-up comes before.
  expect(asked).toEqual(['one', 'two', 'one', 'two']);
});

describe('tables', () => {
  const results = [
    { set: 'a-en', tools: 5, product: scores(50, 4), baselines: { okapi: scores(40, 2) } },
    { set: 'b-zh', tools: 7, product: scores(30, 3), baselines: { okapi: scores(20, 1) } },
  ];

  test('a baseline stands beside the product with the ratio of the times, and so do the means', () => {
    const table = showScores(results);
    expect(table).toMatch(/a-en\s+\|\s+5 \| product .*50\.0/);
    expect(table).toMatch(/okapi .*40\.0.*2\.0x/);
    expect(table).toMatch(/mean zh \(1 sets\).*30\.0/);
    expect([...byRanker(results).keys()]).toEqual(['product', 'okapi']);
  });

  test('an ablation shows what is lost, the worst loss first', () => {
    const whole = [{ set: 'a-en', scores: scores(50) }];
    const deltas = compareRuns(whole, [
      { without: 'useless', sets: [{ set: 'a-en', scores: scores(51.5) }] },
      { without: 'needed', sets: [{ set: 'a-en', scores: scores(30) }] },
    ]);
    expect(deltas).toMatchObject([
      { without: 'useless', group: 'en', ndcg10: 1.5 },
      { without: 'needed', ndcg10: -20 },
    ]);
    const lines = showAblation(whole, deltas).split('\n');
    expect(lines[3]).toMatch(/needed .*-20/);
    expect(lines[4]).toMatch(/useless .*\+1\.5/);
  });

  test('columns are as wide as their widest cell', () => {
    const table = layOutTable(
      [
        { heading: 'a', align: 'left' },
        { heading: 'long', align: 'right' },
      ],
      [['xyz', '1'], 'line', ['', '22']],
    );
    expect(table).toBe(
      ['| a   | long |', '|-----|-----:|', '| xyz |    1 |', '|     |      |', '|     |   22 |'].join('\n'),
    );
  });
});

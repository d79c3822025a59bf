import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OkapiRanker } from '../../../capabilities/evaluation/baselines/okapi';
import { MiniSearchRanker } from '../../../capabilities/evaluation/baselines/plain-minisearch';
import { RegexRanker } from '../../../capabilities/evaluation/baselines/regex';
import type { PlainTool } from '../../../capabilities/evaluation/plain-dataset';
import type { Ranker } from '../../../capabilities/evaluation/ranker';

const tools: readonly PlainTool[] = [
  { id: 'weather', name: 'get_weather', description: 'Tells the weather of a city.' },
  { id: 'flight', name: 'book_flight', description: 'Books a flight to a city, whatever the weather.' },
  { id: 'meeting', name: '创建会议', description: '在日程中创建一个会议' },
];
const rankers: readonly (readonly [string, (list: readonly PlainTool[]) => Ranker])[] = [
  ['okapi', (list) => new OkapiRanker(list)],
  ['minisearch', (list) => new MiniSearchRanker(list)],
  ['regex', (list) => new RegexRanker(list)],
];

describe.each(rankers)('%s', (_, make) => {
  test.each([
    ['weather in Paris', 'weather'],
    ['book me a flight', 'flight'],
    ['帮我创建会议', 'meeting'],
  ])('%s: the tool that says so comes first', async (query, id) => {
    expect((await make(tools).rank(query))[0]).toBe(id);
  });

  test('nothing in common gives an empty list', async () => {
    expect(await make(tools).rank('zzz')).toEqual([]);
  });

  test('any text is answered, with known tools only and each once', async () => {
    const ranker = make(tools);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (query) => {
        const ranking = await ranker.rank(`${query} city`);
        expect(new Set(ranking).size).toBe(ranking.length);
        expect(ranking.every((id) => tools.some((tool) => tool.id === id))).toBe(true);
      }),
    );
  });
});

test('okapi: the rarer word decides, and shorter texts win', async () => {
  const ranker = new OkapiRanker([
    { id: 'long', name: 'x', description: 'city city of many words which say nothing that matters here at all' },
    { id: 'short', name: 'y', description: 'city' },
    { id: 'rare', name: 'z', description: 'glacier and a city far away from everything else there is' },
  ]);
  expect(await ranker.rank('glacier city')).toEqual(['rare', 'short', 'long']);
});

test('regex: argument names are looked at too', async () => {
  const withArguments = [
    ...tools,
    { id: 'pay', name: 'pay', description: 'Pays.', args: { properties: { iban: {} } } },
  ];
  expect(await new RegexRanker(withArguments).rank('iban')).toEqual(['pay']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlainActions } from '../../../capabilities/evaluation/plain-actions';
import { parsePlainDataset, sampleQueries } from '../../../capabilities/evaluation/plain-dataset';

const tool =
  '{"id":"a","name":"first_tool","description":"Does it.","category":"Some Area","args":{"properties":{"x":{}}}}';
const query = '{"id":"q","query":"do it","relevant":["a"],"split":"dev"}';

describe('parsePlainDataset', () => {
  test('reads tools and queries, and ignores keys it does not know', () => {
    const parsed = parsePlainDataset('set', { tools: `${tool}\n`, queries: `${query}\n\n` });
    expect(parsed).toMatchObject({ ok: true, value: { name: 'set', tools: [{ id: 'a' }], queries: [{ id: 'q' }] } });
  });

  test.each([
    { tools: 'no json', queries: query, problem: /tools\.jsonl:1: is no JSON object/ },
    { tools: '{"id":"","name":"n","description":""}', queries: query, problem: /tools\.jsonl:1: `id`/ },
    { tools: '{"id":"a","name":"n"}', queries: query, problem: /`description`/ },
    { tools: `${tool}\n${tool}`, queries: query, problem: /"a" stands twice/ },
    { tools: tool, queries: '{"id":"q","query":"x","relevant":[]}', problem: /queries\.jsonl:1: `relevant`/ },
    { tools: tool, queries: `${query}\n{"id":"q"}`, problem: /queries\.jsonl:2: `query`/ },
    { tools: '', queries: query, problem: /there is no tool/ },
    { tools: tool, queries: '', problem: /there is no query/ },
  ])('says what is wrong: $problem', ({ tools, queries, problem }) => {
    const parsed = parsePlainDataset('set', { tools, queries });
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : parsed.problem.join('\n')).toMatch(problem);
  });
});

test('a sample is spread over the whole list and the same each time', () => {
  const queries = Array.from({ length: 10 }, (_, index) => ({ id: String(index), query: 'x', relevant: ['a'] }));
  expect(sampleQueries(queries, 4).map(({ id }) => id)).toEqual(['0', '2', '5', '7']);
  expect(sampleQueries(queries, 10)).toBe(queries);
  expect(sampleQueries(queries, 99)).toBe(queries);
});

describe('toPlainActions', () => {
  test('the publisher’s texts become title, summary and arguments; a title of its own keeps the name as an alias', () => {
    const [action] = toPlainActions([
      {
        id: 'Hass::TurnOn',
        name: 'HassTurnOn',
        title: 'Turn on',
        description: 'Turns on.',
        category: 'Home Assistant',
      },
    ]);
    expect(action).toMatchObject({
      toolId: 'Hass::TurnOn',
      actionId: 'home_assistant.hass_turn_on',
      definition: { title: 'Turn on', aliases: ['HassTurnOn'], summary: 'Turns on.', side_effect: 'R' },
    });
  });

  test('every tool gets a legal id of its own, whatever its id and category are', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const tools = fc.uniqueArray(fc.record({ id: text, category: fc.option(text, { nil: undefined }) }), {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(tools, (list) => {
        const actions = toPlainActions(
          list.map(({ id, category }) => ({ id, name: id, description: '', ...(category ? { category } : {}) })),
        );
        expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(list.length);
        for (const { actionId, definition } of actions) {
          expect(actionId).toMatch(/^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)?$/);
          expect(definition.action_id).toBe(actionId);
        }
      }),
    );
  });
});

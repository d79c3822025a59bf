import { describe, expect, it } from 'vitest';
import type { GoalReader } from '../../../capabilities/ports';
import { buildSearch, idsOf } from './build-search';
import { DEMO } from './demo-workspace';

const RUSSIAN = 'удали завтрашнюю встречу';

/** A model that answers one thing and remembers what it was asked. */
function answering(text: string | undefined): GoalReader & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    restate(goal) {
      asked.push(goal);
      return Promise.resolve(text);
    },
  };
}

describe('a goal that the rules cannot read', () => {
  it('is searched for in the words of a model', async () => {
    const goalReader = answering('delete the meeting tomorrow');
    const reply = await buildSearch(DEMO, { goalReader }).search(RUSSIAN);
    expect(idsOf(reply)[0]).toBe('myapp.schedule.delete');
    expect(reply.query).toBe(RUSSIAN);
    expect(goalReader.asked).toEqual([RUSSIAN]);
  });

  it('is sent to the model once, however often it is asked', async () => {
    const goalReader = answering('delete the meeting tomorrow');
    const bench = buildSearch(DEMO, { goalReader });
    await bench.search(RUSSIAN);
    await bench.search(RUSSIAN);
    expect(goalReader.asked).toHaveLength(1);
  });

  it('is never silently empty without one', async () => {
    const reply = await buildSearch(DEMO).search(RUSSIAN);
    expect(reply.resolution).toBe('no_confident_match');
    expect(reply.advice).toMatch(/\S/u);
  });

  it.each<[string, GoalReader]>([
    ['fails', { restate: () => Promise.reject(new Error('no chat model is available')) }],
    [
      'throws',
      {
        restate() {
          throw new Error('broken');
        },
      },
    ],
    ['can not say', answering(undefined)],
    ['answers nothing', answering('  ')],
  ])('goes on by the rules alone when the model %s', async (_, goalReader) => {
    const reply = await buildSearch(DEMO, { goalReader }).search(RUSSIAN);
    const without = await buildSearch(DEMO).search(RUSSIAN);
    expect({ ...reply, search_meta: {} }).toEqual({ ...without, search_meta: {} });
  });

  it('does not wait for a model that never answers', async () => {
    const silent: GoalReader = { restate: () => new Promise(() => undefined) };
    const bench = buildSearch(DEMO, { goalReader: silent });
    const pending = bench.search(RUSSIAN);
    await new Promise((resolve) => setImmediate(resolve));
    bench.clock.advance(4000);
    expect((await pending).resolution).toBe('no_confident_match');
  });

  it('takes no name from a model', async () => {
    const goalReader = answering('maintenance.codex.update');
    const reply = await buildSearch(DEMO, { goalReader }).search(RUSSIAN);
    expect(reply.matches.every(({ why }) => why !== 'named in the query')).toBe(true);
  });
});

it.each(['delete the meeting tomorrow', 'maintenance.codex.update', '更新 Codex', '???', '有哪些能力'])(
  'a model is not asked about %s, which the rules can read or which says nothing',
  async (query) => {
    const goalReader = answering('update codex');
    await buildSearch(DEMO, { goalReader }).search(query);
    expect(goalReader.asked).toEqual([]);
  },
);

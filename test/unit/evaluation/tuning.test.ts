import { describe, expect, test } from 'vitest';
import { ascend } from '../../../capabilities/evaluation/tuning/coordinate-ascent';
import { tune } from '../../../capabilities/evaluation/tuning/cross-validation';
import { showTuning, tuningFile } from '../../../capabilities/evaluation/tuning/tuning-report';
import {
  ScoreMemory,
  objectiveOf,
  type TuningGroup,
  type TuningSubject,
} from '../../../capabilities/evaluation/tuning/tuning-objective';
import {
  TUNABLE_WEIGHTS,
  weightAt,
  withOverrides,
  type Overrides,
} from '../../../capabilities/evaluation/tuning/tunable-weights';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';

const weights = { text: { name: 1, summary: 1 }, penalty: -0.1 };
const tunable = [
  { path: 'text.name', least: 0.1, most: 8 },
  { path: 'text.summary', least: 0.1, most: 8 },
  { path: 'penalty', least: -0.5, most: 0 },
];

/** A hill whose top is where the name weighs `top`; the other weights change nothing. */
function hill(top: number, overrides: Overrides): number {
  return 50 - 10 * Math.abs(Math.log((overrides['text.name'] ?? 1) / top));
}

function subject(name: string, group: TuningGroup, score: (overrides: Overrides) => number): TuningSubject {
  return { name, group, family: name.split('-')[0] ?? name, measure: (given) => Promise.resolve(score(given)) };
}

function parts(subjects: readonly TuningSubject[], controller = new AbortController(), onTrial?: () => void) {
  const { signal } = controller;
  return { subjects, weights, tunable, signal, memory: new ScoreMemory(signal, onTrial) };
}

describe('the weights that can be tuned', () => {
  test.each(TUNABLE_WEIGHTS)('$path is there and inside its bounds', ({ path, least, most }) => {
    const value = weightAt(DEFAULT_SEARCH_WEIGHTS, path);
    expect(value).toBeGreaterThanOrEqual(least);
    expect(value).toBeLessThanOrEqual(most);
  });

  test('overrides change what they name in a copy', () => {
    const changed = withOverrides(weights, { 'text.name': 3, penalty: 0 });
    expect(changed).toEqual({ text: { name: 3, summary: 1 }, penalty: 0 });
    expect(weights).toEqual({ text: { name: 1, summary: 1 }, penalty: -0.1 });
  });

  test.each(['text', 'text.title', 'name', '__proto__.x', 'text.name.x'])('%s names no weight', (path) => {
    expect(() => withOverrides(weights, { [path]: 1 })).toThrow(`There is no weight ${path}.`);
  });
});

describe('coordinate ascent', () => {
  const { signal } = new AbortController();

  test('climbs to the top and leaves alone what does not matter', async () => {
    const objective = (given: Overrides): Promise<number> => Promise.resolve(hill(4, given));
    const { overrides, start, score, moves } = await ascend({ weights, tunable, objective, signal });
    expect(Object.keys(overrides)).toEqual(['text.name']);
    expect(overrides['text.name']).toBeGreaterThan(3);
    expect(overrides['text.name']).toBeLessThan(5.5);
    expect(score - start).toBeCloseTo(
      moves.reduce((sum, { gain }) => sum + gain, 0),
      6,
    );
  });

  test('stays within the bounds', async () => {
    const objective = (given: Overrides): Promise<number> => Promise.resolve(hill(1000, given));
    const { overrides } = await ascend({ weights, tunable, objective, signal });
    expect(overrides['text.name']).toBeLessThanOrEqual(8);
  });

  test('takes no step for less than noise', async () => {
    const objective = (given: Overrides): Promise<number> => Promise.resolve(hill(4, given) / 1000);
    expect((await ascend({ weights, tunable, objective, signal })).overrides).toEqual({});
  });

  test('resolves with the best so far when it is stopped', async () => {
    const controller = new AbortController();
    let trials = 0;
    const objective = (given: Overrides): Promise<number> => {
      controller.signal.throwIfAborted();
      if ((trials += 1) === 9) controller.abort();
      return Promise.resolve(hill(8, given));
    };
    const { overrides, score, start } = await ascend({ weights, tunable, objective, signal: controller.signal });
    expect(trials).toBe(9);
    expect(overrides['text.name']).toBeGreaterThan(1);
    expect(score).toBeGreaterThan(start);
  });

  test('a failure is no stop', async () => {
    const objective = (given: Overrides): Promise<number> =>
      Object.keys(given).length > 0 ? Promise.reject(new Error('broken')) : Promise.resolve(1);
    await expect(ascend({ weights, tunable, objective, signal })).rejects.toThrow('broken');
  });
});

describe('the objective', () => {
  test('each group counts the same, whatever its number of sets', () => {
    const subjects = [subject('a', 'en', () => 0), subject('b', 'en', () => 0), subject('c', 'zh', () => 0)];
    const scores = new Map([...['a', 'b'].map((name) => [name, 20] as const), ['c', 80] as const]);
    expect(objectiveOf(subjects, scores)).toBe(50);
  });

  test('the same weights are measured once, in whatever order they are given', async () => {
    let measured = 0;
    const only = subject('a', 'en', () => (measured += 1));
    const memory = new ScoreMemory(new AbortController().signal);
    await memory.scores([only], { x: 1, y: 2 });
    await memory.scores([only], { y: 2, x: 1 });
    expect(measured).toBe(1);
    expect(memory.trials).toBe(1);
  });
});

describe('tuning', () => {
  test('improves what all sets share, also where they were not seen', async () => {
    const sets = ['a-en', 'b-en', 'c-zh'].map((name) =>
      subject(name, name.endsWith('zh') ? 'zh' : 'en', (given) => hill(3, given)),
    );
    const tuning = await tune(parts(sets));
    expect(tuning.isComplete).toBe(true);
    expect(tuning.scores.map(({ name }) => name)).toEqual(['a-en', 'b-en', 'c-zh']);
    expect(tuning.heldOut).toBeGreaterThan(tuning.before + 5);
    expect(showTuning(tuning, weights)).toMatch(/\| text\.name +\| +1 \|/);
  });

  test('what helps one family alone shows as nothing won on the others', async () => {
    const sets = [subject('a-en', 'en', (given) => hill(6, given)), subject('b-en', 'en', () => 40)];
    const tuning = await tune(parts(sets));
    expect(tuning.whole.score).toBeGreaterThan(tuning.whole.start);
    expect(tuning.heldOut).toBeLessThanOrEqual(tuning.before);
    expect(showTuning(tuning, weights)).toContain('Keep what is there.');
  });

  test('sets of one family are held out together', async () => {
    const seen: string[] = [];
    const sets = ['a-en', 'a-zh', 'b-en'].map((name) =>
      subject(name, 'en', (given) => {
        if (Object.keys(given).length > 0) seen.push(name);
        return hill(name.startsWith('a') ? 4 : 0.25, given);
      }),
    );
    const tuning = await tune(parts(sets));
    const gainOf = (name: string): number => {
      const score = tuning.scores.find((each) => each.name === name);
      return (score?.heldOut ?? 0) - (score?.before ?? 0);
    };
    expect(gainOf('a-en')).toBeLessThan(0);
    expect(gainOf('a-zh')).toBeLessThan(0);
    expect(gainOf('b-en')).toBeLessThan(0);
  });

  test('stopped, it says so and keeps what it has', async () => {
    const controller = new AbortController();
    let trials = 0;
    const tuning = await tune(
      parts([subject('a-en', 'en', (given) => hill(4, given))], controller, () => {
        if ((trials += 1) === 8) controller.abort();
      }),
    );
    expect(tuning.isComplete).toBe(false);
    expect(showTuning(tuning, weights)).toContain('Stopped before the end');
    expect(JSON.parse(tuningFile(tuning, 'a test'))).toMatchObject({ source: 'a test', complete: false });
  });
});

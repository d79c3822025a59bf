import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSnapshot, writeSnapshot } from '../../../capabilities/search/index/index-snapshot';
import { tokenize } from '../../../capabilities/search/language/tokenizer';
import { Lexicon } from '../../../capabilities/search/lexicon/lexicon';
import { RegistryVocabulary } from '../../../capabilities/search/lexicon/registry-vocabulary';
import { SearchIndex } from '../../../capabilities/search/search-index';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';
import { DIGEST, MemoryRegistry } from './memory-registry';
import type { ActionSketch } from './memory-registry';

const LEXICON = new Lexicon();
const word = fc.constantFrom('show', 'log', 'delete', 'invoice', 'cluster', '日志', '查看', '删除', 'HTTPServer', 'x1');
const phrase = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const sketch = fc.record(
  {
    action_id: fc.constantFrom('a', 'b', 'c', 'p.a', 'p.b', 'p.q.c'),
    title: phrase,
    summary: phrase,
    aliases: fc.array(phrase, { maxLength: 2 }),
    intents: fc.array(fc.constantFrom('delete', 'inspect'), { maxLength: 1 }),
    entities: fc.array(fc.constantFrom('Invoice', '日志', 'cluster'), { maxLength: 2 }),
    symptoms: fc.array(fc.constantFrom('slow start', 'not_loading'), { maxLength: 1 }),
  },
  { requiredKeys: ['action_id', 'title', 'summary'] },
);
const sketches = fc.uniqueArray(sketch, { selector: ({ action_id: id }) => id, maxLength: 6 });
const GOALS = ['show log', 'delete invoice cluster', '查看日志', 'httpserver x1', 'slow start of p.a', 'clustre'];

interface Built {
  readonly index: SearchIndex;
  readonly vocabulary: RegistryVocabulary;
}

function build(registry: MemoryRegistry): Built {
  const index = new SearchIndex(registry, LEXICON, DEFAULT_SEARCH_WEIGHTS);
  return { index, vocabulary: new RegistryVocabulary(index, LEXICON) };
}

/** Everything that a search could ask. */
function answers({ index, vocabulary }: Built, registry: MemoryRegistry): unknown {
  index.refresh();
  const goals = GOALS.map((goal) => ({
    hits: index.search({ text: goal, terms: tokenize(goal), expansions: tokenize('remove 删除') }, () => true, 4),
    names: vocabulary.namesIn(goal, () => true).map(({ form, resources }) => [form, resources.map(({ key }) => key)]),
    entities: vocabulary.entitiesIn(goal),
    symptoms: vocabulary.symptomsIn(goal),
    frequencies: tokenize(goal).map((token) => index.frequency(token)),
  }));
  const profiles = registry.all().map((resource) => {
    const { intents, entities, symptoms, declaresIntents, words, fields } = index.profile(resource);
    const held = GOALS.flatMap((goal) => tokenize(goal)).map((token) => words.has(token));
    return { intents, entities: [...entities], symptoms: [...symptoms], declaresIntents, held, name: fields.name };
  });
  const keys = ['delete', 'inspect'].map((value) => [...index.keysWith({ kind: 'intent', value })].sort());
  return { size: index.size, goals, profiles, keys };
}

async function snapshotOf(index: SearchIndex): Promise<string> {
  return writeSnapshot(index.content(), DIGEST, () => Promise.resolve());
}

function offerTo(index: SearchIndex, text: string): void {
  const read = readSnapshot(text, DIGEST);
  if (read.ok) index.offer(read.value);
}

describe('an index that starts from what was stored', () => {
  it('gives exactly what one made from the definitions gives, whatever has changed meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (before, after) => {
        const stored = build(new MemoryRegistry(before));
        const text = await snapshotOf(stored.index);
        const registry = new MemoryRegistry(after);
        const [warm, cold] = [build(registry), build(registry)];
        offerTo(warm.index, text);
        expect(answers(warm, registry)).toEqual(answers(cold, registry));
        const same = after.filter((one) => before.some((other) => JSON.stringify(other) === JSON.stringify(one)));
        expect(warm.index.takenOver).toBeGreaterThanOrEqual(same.length);
      }),
      { numRuns: 60 },
    );
  });

  it('works nothing out again when nothing has changed', async () => {
    const actions = Array.from({ length: 30 }, (_, index) => ({
      action_id: `pack.tool_${index}`,
      title: `Tool ${index}`,
    }));
    const registry = new MemoryRegistry(actions);
    const text = await snapshotOf(build(registry).index);
    const warm = build(registry).index;
    offerTo(warm, text);
    warm.refresh();
    expect([warm.takenOver, warm.size]).toEqual([31, 31]);
  });

  it('does not trust what a program that reads definitions differently has stored', async () => {
    const registry = new MemoryRegistry([{ action_id: 'a', title: 'Show the log' }]);
    const content = build(registry).index.content();
    const tokens = content.fullText.tokens.map((token) => (token === 'show' ? 'shown' : token));
    const forged = { ...content, fullText: { ...content.fullText, tokens } };
    const warm = build(registry);
    offerTo(warm.index, await writeSnapshot(forged, DIGEST, () => Promise.resolve()));
    expect(answers(warm, registry)).toEqual(answers(build(registry), registry));
    expect(warm.index.takenOver).toBe(0);
  });

  it('does not use what was made with other word lists', async () => {
    const registry = new MemoryRegistry([{ action_id: 'a', title: 'Show the log' }]);
    const content = { ...build(registry).index.content(), fingerprint: 'other' };
    const warm = build(registry).index;
    offerTo(warm, await writeSnapshot(content, DIGEST, () => Promise.resolve()));
    warm.refresh();
    expect(warm.takenOver).toBe(0);
  });
});

describe('an index that follows its registry', () => {
  it('gives what one made anew gives, up to the drift of rarities', () => {
    fc.assert(
      fc.property(
        sketches,
        fc.array(fc.oneof(sketch, fc.constantFrom('a', 'b', 'p.a')), { maxLength: 8 }),
        (first, changes) => {
          const registry = new MemoryRegistry(first);
          const live = build(registry);
          live.index.refresh();
          for (const change of changes) {
            if (typeof change === 'string') registry.remove(`demo:${change}`);
            else registry.set([change]);
            live.index.refresh();
          }
          expect(answers(live, registry)).toEqual(answers(build(registry), registry));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('reading a snapshot', () => {
  const text = snapshotOf(build(new MemoryRegistry([{ action_id: 'a', title: 'Show 日志' }] as ActionSketch[])).index);

  it.each([
    ['nothing', () => '', 'it is no index'],
    ['something else', () => 'vectors\n1 2 3', 'it is no index'],
    [
      'another version',
      (whole: string) => whole.replace('capability-index 1 ', 'capability-index 0 '),
      'it is of another version (0)',
    ],
    ['a torn file', (whole: string) => whole.slice(0, -9), 'it is damaged'],
    ['a changed byte', (whole: string) => whole.replace('show', 'shew'), 'it is damaged'],
  ])('says what is wrong with %s', async (_, spoil, problem) => {
    expect(readSnapshot(spoil(await text), DIGEST)).toEqual({ ok: false, problem });
  });

  it('never throws and never takes a spoilt file for a whole one', async () => {
    const whole = await text;
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.string({ minLength: 1, maxLength: 3 }), (at, inserted) => {
        const spoilt = whole.slice(0, at) + inserted + whole.slice(at + inserted.length);
        if (spoilt !== whole) expect(readSnapshot(spoilt, DIGEST).ok).toBe(false);
      }),
    );
  });
});

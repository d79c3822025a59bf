import { describe, expect, test } from 'vitest';
import type { WorkspaceLexicon } from '../../../capabilities/models';
import { Lexicon } from '../../../capabilities/search/lexicon/lexicon';
import { buildSearch, EMPTY_TRAIL, idsOf } from './build-search';
import type { SearchBench } from './build-search';
import { CONTEXT, MemoryRegistry } from './memory-registry';
import type { Sketch } from './memory-registry';

const sketches: readonly Sketch[] = [
  {
    action_id: 'env.refresh',
    title: 'Refresh the preproduction environment',
    summary: 'Copies the newest build there.',
  },
  { action_id: 'env.logs', title: 'Read the logs', summary: 'Shows what the services wrote.', entities: ['loki'] },
  {
    action_id: 'shop.close',
    title: 'Close the shop',
    summary: 'Takes it off.',
    intents: ['stop'],
    symptoms: ['double_charge'],
  },
];

/** A search whose registry has lexicons. */
function searchWith(
  lexicons: readonly WorkspaceLexicon[],
): SearchBench & { say(words: readonly WorkspaceLexicon[]): void } {
  const bench = buildSearch(sketches);
  const say = (words: readonly WorkspaceLexicon[]): void => {
    Object.assign(bench.registry, { lexicons: words, revision: bench.registry.revision + 1 });
  };
  say(lexicons);
  return { ...bench, say };
}

const parsed = async ({ service }: SearchBench, query: string) =>
  (await service.trace({ query }, CONTEXT, EMPTY_TRAIL, { signal: new AbortController().signal })).query;

describe('a workspace’s own words', () => {
  test.each<[string, WorkspaceLexicon, string, string]>([
    ['a synonym, in another language', { synonyms: [['沙盒', 'preproduction']] }, '沙盒', 'env.refresh'],
    [
      'a synonym of several words',
      { synonyms: [['dress rehearsal', 'preproduction']] },
      'the dress rehearsal is old',
      'env.refresh',
    ],
    ['another spelling of an entity', { entities: { loki: ['洛基', 'lokki'] } }, 'lokki', 'env.logs'],
    ['a way to ask', { intents: { stop: ['pull the shutters'] } }, 'pull the shutters', 'shop.close'],
    ['a complaint', { symptoms: { 'double-charge': ['paid twice'] } }, 'customers paid twice', 'shop.close'],
  ])('%s finds what is written otherwise', async (_case, words, query, id) => {
    expect(idsOf(await searchWith([]).search(query))[0]).not.toBe(id);
    expect(idsOf(await searchWith([words]).search(query))[0]).toBe(id);
  });

  test('are read as what they stand for', async () => {
    const words = { intents: { stop: ['pull the shutters'] }, symptoms: { double_charge: ['paid twice'] } };
    const query = await parsed(searchWith([words]), 'people paid twice: pull the shutters');
    expect([query.intents[0], query.symptoms]).toEqual(['stop', ['double_charge']]);
  });

  test('forbid as other words do', async () => {
    const query = await parsed(searchWith([{ intents: { deploy: ['ship it'] } }]), "build it but don't ship it");
    expect(query.forbiddenIntents).toContain('deploy');
  });

  test('count after a change, and no longer when they are gone', async () => {
    const bench = searchWith([]);
    const first = async (): Promise<string | undefined> => idsOf(await bench.search('lokki'))[0];
    expect(await first()).toBeUndefined();
    bench.say([{ entities: { loki: ['lokki'] } }]);
    expect(await first()).toBe('env.logs');
    bench.registry.set([{ action_id: 'env.more', title: 'More of loki', entities: ['loki'] }]);
    expect(idsOf(await bench.search('lokki'))).toEqual(expect.arrayContaining(['env.logs', 'env.more']));
    bench.say([]);
    expect(await first()).toBeUndefined();
  });

  test('of several folders count together; of two meanings the first holds', async () => {
    const words = [
      { synonyms: [['alpha ray', 'preproduction']] },
      {
        synonyms: [
          ['alpha ray', 'shop'],
          ['beta ray', 'logs'],
        ],
      },
    ];
    const bench = searchWith(words);
    expect(idsOf(await bench.search('alpha ray'))[0]).toBe('env.refresh');
    expect(idsOf(await bench.search('beta ray'))[0]).toBe('env.logs');
  });
});

describe('hostile words', () => {
  test('never change what a built-in word asks for, and one word never leads to many', () => {
    const lexicon = new Lexicon();
    const common = ['update', 'check', 'list', 'show', 'status', 'find', 'install', 'server', 'file', 'data'];
    lexicon.adopt([
      { synonyms: common.map((word) => [word, 'evil']), intents: { delete: ['show', 'the', 'x', 'wipe slate'] } },
    ]);
    expect(lexicon.intents.mentions('show the x').map(({ intent }) => intent)).toEqual(['show']);
    expect(lexicon.intents.mentions('wipe slate').map(({ intent }) => intent)).toEqual(['delete']);
    expect(lexicon.glossary.translations('evil')).toEqual(['update']);
    expect(lexicon.glossary.translations('server')).not.toContain('evil');
  });

  test('a group is cut, and an unknown intent is passed over', () => {
    const lexicon = new Lexicon();
    const group = Array.from({ length: 40 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))}${index}`);
    lexicon.adopt([{ synonyms: [group], intents: { conquer: ['take over'] } as WorkspaceLexicon['intents'] & object }]);
    expect(lexicon.glossary.translations(group[0] ?? '')).toHaveLength(11);
    expect(lexicon.intents.mentions('take over')).toEqual([]);
  });

  test('an exactly named action stays first whatever the words say', async () => {
    const bench = searchWith([
      {
        synonyms: [
          ['env.logs', 'preproduction'],
          ['read the logs', 'shop'],
        ],
      },
    ]);
    expect(idsOf(await bench.search('env.logs'))[0]).toBe('env.logs');
    expect(idsOf(await bench.search('Read the logs'))[0]).toBe('env.logs');
  });
});

test('a registry that has no lexicons searches as before', async () => {
  const bench = buildSearch(sketches);
  expect('lexicons' in new MemoryRegistry([])).toBe(false);
  expect(idsOf(await bench.search('preproduction'))[0]).toBe('env.refresh');
});

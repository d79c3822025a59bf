import { describe, expect, test } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { provideCompletion } from '../../../server/features/completion-provider';
import { provideHover } from '../../../server/features/hover-provider';
import { accept, itemNamed, labelsOf, withCursor } from './cursor-text';
import { action, registryOf } from './registry-double';

const registry = registryOf([
  action('shop.order', { entities: ['cart', 'order'], symptoms: ['double charge'] }),
  action('shop.pay', { entities: ['order'], symptoms: ['double charge', 'card_refused'] }),
]);

function complete(marked: string): { readonly text: string; readonly list: CompletionList } {
  const { text, offset } = withCursor(marked);
  return { text, list: provideCompletion({ text, offset, registry, kind: 'lexicon' }) };
}

describe('completion in a lexicon', () => {
  // source, label, text after the item is accepted
  test.each([
    ['the first key', '|', 'synonyms', 'synonyms:\n  - '],
    ['a half-typed key', 'ent|', 'entities', 'entities:\n  '],
    ['a known intent', 'intents:\n  dep|', 'deploy', 'intents:\n  deploy:\n    - '],
    ['an intent in brackets', 'intents: { | }', 'deploy', 'intents: { deploy: [$0] }'],
    ['an entity in use', 'entities:\n  |', 'order', 'entities:\n  order:\n    - '],
    ['a symptom in use', 'symptoms:\n  dou|', 'double charge', 'symptoms:\n  double charge:\n    - '],
  ])('offers %s', (_case, marked, label, expected) => {
    const { text, list } = complete(marked);
    expect(accept(text, itemNamed(list, label))).toBe(expected);
  });

  test.each([
    ['keys, in the order of the schema', '|', ['synonyms', 'intents', 'entities', 'symptoms']],
    ['keys that are not there yet', 'synonyms: []\nintents: {}\n|', ['entities', 'symptoms']],
    ['entities, most used first', 'entities:\n  |', ['order', 'cart']],
    ['entities that are not there yet', 'entities:\n  order: [x]\n  |', ['cart']],
    ['nothing for people’s own words', 'entities:\n  order:\n    - |', []],
    ['nothing in a group', 'synonyms:\n  - [a, |]', []],
    ['nothing in a comment', '# |', []],
  ])('offers %s', (_case, marked, expected) => {
    expect(labelsOf(complete(marked).list)).toEqual(expected);
  });

  test('says what an intent knows already', () => {
    const documentation = itemNamed(complete('intents:\n  dep|').list, 'deploy').documentation;
    expect(JSON.stringify(documentation)).toContain('More ways to ask for this. Known already: deploy');
  });

  test('leaves definitions as they are', () => {
    const { text, offset } = withCursor('|');
    const labels = labelsOf(provideCompletion({ text, offset, registry }));
    expect(labels).toContain('action_id');
    expect(labels).not.toContain('synonyms');
  });
});

describe('hover in a lexicon', () => {
  test.each([
    ['syno|nyms: []', 'Groups of words'],
    ['intents:\n  dep|loy: [x]', 'Known already: deploy'],
    ['enti|ties: {}', 'Other spellings'],
  ])('%s', (marked, expected) => {
    const { text, offset } = withCursor(marked);
    expect(JSON.stringify(provideHover({ text, offset, registry, kind: 'lexicon' }))).toContain(expected);
  });
});

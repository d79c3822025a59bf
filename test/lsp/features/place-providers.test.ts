import { describe, expect, it, test } from 'vitest';
import type { MarkupContent } from 'vscode-languageserver';
import { provideDefinition } from '../../../server/features/definition-provider';
import { provideDocumentSymbols } from '../../../server/features/document-symbol-provider';
import { provideHover } from '../../../server/features/hover-provider';
import { withCursor } from './cursor-text';
import { action, pack, registryOf, scopeNamed } from './registry-double';

const registry = registryOf([
  action('a.b', { title: 'Do <it>', summary: 'Does it.' }),
  action('a.c', { title: 'Main' }),
  action('a.c', { title: 'Other' }, scopeNamed('other')),
  { ...pack('implied'), source: undefined },
]);

function hover(marked: string): string | undefined {
  const { text, offset } = withCursor(marked);
  const contents = provideHover({ text, offset, registry })?.contents as MarkupContent | undefined;
  return contents?.value;
}

describe('provideHover', () => {
  test.each([
    ['a key', 'action_id: a\nrever|sible: true', /^Whether its effect can be undone\./],
    ['a required key', 'action_id: a\n|title: x', /A short name[^]*\*Required\.\*$/],
    ['a nested key', 'action_id: a\nhandler:\n  type: script\n  fi|le: x', /^Path of the script/],
    ['a key in a flow mapping', 'action_id: a\nhandler: { type: command, c|wd: x }', /^Working folder/],
    ['a key of an item', 'recipe_id: a\nsteps:\n  - action: a.b\n    wh|y: x', /^Why and when/],
    [
      'a keyword of JSON Schema',
      'action_id: a\narguments_schema:\n  properties:\n    x: { write|Only: true }',
      /redacted/,
    ],
    ['a key of the second document', 'pack_id: a\n---\nrecipe_id: b\nbo|dy: x', /^The guide itself/],
    ['an allowed value', 'action_id: a\nside_effect: W-l|ocal', /^The strongest effect/],
    ['a constant', 'action_id: a\nhandler: { type: scr|ipt }', /^Runs a script/],
    ['a reference', 'action_id: a\nundo: a|.b', /^\*\*Do \\<it\\>\*\*\n\nDoes it\\\./],
    ['a reference that stands in two scopes', 'action_id: a\nverify: [a.|c]', /Main[^]*---[^]*Other/],
  ])('describes %s', (_, source, expected) => {
    expect(hover(source)).toMatch(expected);
  });

  test.each([
    ['an unknown key', 'action_id: a\nnon|sense: 1'],
    ['free text', 'action_id: a\ntitle: te|xt'],
    ['an unknown reference', 'action_id: a\nundo: no.|where'],
    ['a comment', 'action_id: a # ti|tle'],
    ['a marker', '--|-'],
    ['a blank', 'action_id: a\n|\ntitle: b'],
  ])('says nothing about %s', (_, source) => {
    expect(hover(source)).toBeUndefined();
  });

  it('covers the key', () => {
    const { text, offset } = withCursor('action_id: a\nti|tle: b');
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } };
    expect(provideHover({ text, offset, registry })?.range).toEqual(range);
  });
});

describe('provideDefinition', () => {
  const files = { uriOf: (path: string) => `file://${path}`, textOf: () => 'action_id: a.b\n' };

  function define(marked: string) {
    const { text, offset } = withCursor(marked);
    return provideDefinition({ text, offset, registry, files });
  }

  it('leads to the id of the referenced action', () => {
    const range = { start: { line: 0, character: 11 }, end: { line: 0, character: 14 } };
    const expected = [{ uri: 'file:///main/.capabilities/a.b.yaml', range }];
    expect(define('action_id: x\nundo: a|.b')).toEqual(expected);
    expect(define('action_id: x\nundo: "main:a|.b"')).toEqual(expected);
    expect(define('action_id: x\nverify:\n  - action: a.b|\n    why: c')).toEqual(expected);
    expect(define('recipe_id: x\nsteps: [{ action: |a.b }]')).toEqual(expected);
  });

  it('leads to every place of an id that stands in several scopes', () => {
    expect(define('action_id: x\nundo: a|.c').map(({ uri }) => uri)).toEqual([
      'file:///main/.capabilities/a.c.yaml',
      'file:///other/.capabilities/a.c.yaml',
    ]);
  });

  test.each([
    'action_id: x\ntitle: a|.b',
    'action_id: x\nundo: none|',
    'undo: imp|lied\naction_id: x',
    'action_id: x\n|undo: a.b',
  ])('leads nowhere from %j', (source) => {
    expect(define(source)).toEqual([]);
  });
});

describe('provideDocumentSymbols', () => {
  it('names each resource of a file by its id', () => {
    const text =
      '# c\npack_id: a\ntitle: A pack\n---\naction_id: a.b\n---\n---\nresource_type: recipe\r\nrecipe_id: "a.c"\r\nsteps:\r\n  - x\r\n';
    expect(provideDocumentSymbols(text)).toEqual([
      {
        name: 'a',
        kind: 4,
        detail: 'A pack',
        range: { start: { line: 1, character: 0 }, end: { line: 2, character: 13 } },
        selectionRange: { start: { line: 1, character: 9 }, end: { line: 1, character: 10 } },
      },
      expect.objectContaining({ name: 'a.b', kind: 12, detail: '' }),
      expect.objectContaining({
        name: 'a.c',
        kind: 15,
        range: { start: { line: 7, character: 0 }, end: { line: 10, character: 5 } },
        selectionRange: { start: { line: 8, character: 11 }, end: { line: 8, character: 16 } },
      }),
    ]);
  });

  test.each(['', '# c', 'just text', '- a', 'title: no id', 'action_id:', `action_id: a\n# ${'x'.repeat(300_000)}`])(
    'finds none in a text like %.20j',
    (text) => {
      expect(provideDocumentSymbols(text)).toEqual([]);
    },
  );
});

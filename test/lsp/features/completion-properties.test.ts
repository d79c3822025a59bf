import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver';
import { TextEdit } from 'vscode-languageserver';
import { parse } from 'yaml';
import { encodeScalar } from '../../../server/features/completion/scalar-encoding';
import { provideCompletion } from '../../../server/features/completion-provider';
import { PositionIndex } from '../../../server/features/position';
import { action, pack, registryOf } from './registry-double';

const registry = registryOf([pack('shop'), action('shop.buy', { intents: ['create'] })]);

const pieces = [
  'action_id',
  'recipe_id',
  'handler',
  'type',
  'argv',
  'steps',
  'verify',
  'arguments_schema',
  'properties',
  'examples',
  'arguments',
  ': ',
  ':',
  '- ',
  '-',
  '\n',
  '\n  ',
  '\n    ',
  '\r\n',
  '\r',
  '{',
  '}',
  '[',
  ']',
  ',',
  ' ',
  '  ',
  '\t',
  '"',
  "'",
  '\\',
  '#',
  ' # c',
  '|',
  '>',
  '|\n',
  '${',
  '$',
  '---\n',
  '...\n',
  '%',
  '&a',
  '*a',
  '!t',
  '?',
  '<<',
  '😀',
  '说明',
  '\uFEFF',
  '\u0085',
  '__proto__',
  'a',
  'command',
  'shop.b',
];
const sources = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 60, unit: 'grapheme' }),
);

/** The edit is one that editors accept: on one line, around the cursor, inside the text. */
function expectSoundEdit(text: string, offset: number, item: CompletionItem): void {
  const positions = new PositionIndex(text);
  if (!TextEdit.is(item.textEdit)) throw new Error(`${item.label} has no plain edit`);
  const { range } = item.textEdit;
  const cursor = positions.positionAt(offset);
  expect(range.start.line).toBe(cursor.line);
  expect(range.end.line).toBe(cursor.line);
  expect(range.start.character).toBeLessThanOrEqual(cursor.character);
  expect(range.end.character).toBeGreaterThanOrEqual(cursor.character);
  expect(positions.positionAt(positions.offsetAt(range.end))).toEqual(range.end);
}

describe('completion', () => {
  it('answers at every offset of any text with edits inside the text', () => {
    fc.assert(
      fc.property(sources, (text) => {
        for (let offset = 0; offset <= text.length; offset++) {
          const { items } = provideCompletion({ text, offset, registry, files: ['a.mjs'] });
          for (const item of items) expectSoundEdit(text, offset, item);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['nested flow sequences', '['.repeat(20_000)],
    ['nested flow mappings', 'a: ' + '{a: '.repeat(20_000)],
    ['flow collections on lines of their own', Array.from({ length: 2000 }, () => '  [').join('\n')],
    ['dashes on one line', '- '.repeat(20_000)],
    ['deeper and deeper lines', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['unclosed quotes', Array.from({ length: 3000 }, (_, line) => `k${line}: "x`).join('\n')],
    ['unclosed quotes in one text', Array.from({ length: 3000 }, () => `  "x`).join('\n')],
    [
      'a schema that refers to itself',
      'action_id: a\narguments_schema: { anyOf: [{ $ref: "#" }, { $ref: "#" }, { $ref: "#" }] }\nexamples:\n  - arguments:\n      ',
    ],
  ])('stays quick and calm on %s', (_, text) => {
    for (const offset of [0, text.length >> 1, text.length]) {
      expect(provideCompletion({ text, offset, registry })).toBeDefined();
    }
  });

  it('refuses nothing that it offers: offsets outside the text are answered too', () => {
    for (const offset of [-1, 99]) expect(provideCompletion({ text: 'a: b', offset, registry }).items).toEqual([]);
  });
});

describe('encodeScalar', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('yes', 'null', '1e3', '0x1F', 'a: b', 'a #b', '- a', '~', '说', '=', '.5', 'a:', '', ' a'),
  );

  it('writes any text so that it reads back', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(parse(encodeScalar(text, { style: 'block' }))).toBe(text);
        expect(parse(`[${encodeScalar(text, { style: 'flow' })}]`)).toEqual([text]);
        expect(parse(`"${encodeScalar(text, { style: 'block', quote: 'double' })}"`)).toBe(text);
      }),
    );
  });

  it('doubles single quotes inside single quotes', () => {
    expect(parse(`'${encodeScalar("it's", { style: 'block', quote: 'single' })}'`)).toBe("it's");
  });
});

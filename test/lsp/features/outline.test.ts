import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import { parseOutline } from '../../../server/features/outline/outline-parser';
import { endOf, placeAt, toData } from '../../../server/features/outline/outline-queries';
import { documentAt, splitDocuments, splitLines } from '../../../server/features/outline/source-lines';

/** Outline of a text with one document, as plain data. */
function dataOf(text: string): unknown {
  return toData(text, parseOutline(text, splitLines(text)).root);
}

const words = fc.oneof(
  fc.stringMatching(/^[a-z]{1,6}$/),
  fc.constantFrom(
    'a b',
    'a: b',
    '- a',
    '# a',
    'a #b',
    "it's",
    '"q"',
    '{a',
    '[',
    'a,b',
    '${args.x}',
    '说明',
    '😀',
    '',
    ' a',
    'a:',
    '?',
    '|',
    '>',
    '&a',
    '*a',
    '\\d',
  ),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 4 }),
  ),
}));

describe('parseOutline', () => {
  test.each([
    ['indentation of two', { indent: 2 }],
    ['indentation of four', { indent: 4 }],
    ['sequences at the column of their key', { indentSeq: false }],
    ['flow collections', { collectionStyle: 'flow' }],
  ] as const)('reads what the YAML library writes with %s', (_, options) => {
    fc.assert(
      fc.property(tree, fc.constantFrom('\n', '\r\n', '\r'), (data, lineBreak) => {
        const text = stringify(data, { lineWidth: 0, ...options }).replaceAll('\n', lineBreak);
        fc.pre(!/^\s*\? /m.test(text) && !text.includes('? '));
        expect(dataOf(text)).toEqual(data);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['a half-typed key', 'a: 1\nb\nc: 2', { a: '1', b: null, c: '2' }],
    ['a half-typed first key', 'b\nc: 2', { b: null, c: '2' }],
    ['a half-typed key with spaces above another', 'two words\nc: 2', { 'two words': null, c: '2' }],
    ['an item that lost its mapping', '- a\n-   b\n    c: 1', ['a', { b: null, c: '1' }]],
    ['an odd indentation between', 'a:\n  b: 1\n c: 2\n  d: 3\ne: 4', { a: { b: '1', d: '3' }, e: '4' }],
    ['a dash below a scalar', 'a: b\n- c\nd: e', { a: 'b', d: 'e' }],
    ['a dash between items', 'a:\n  - b\n c\n  - d', { a: ['b', 'd'] }],
    ['an unclosed flow collection', 'a: {b: [c,\nd: e', { a: { b: ['c'] }, d: 'e' }],
    ['the wrong closing bracket', 'a: [b}\nc: d', { a: ['b'], c: 'd' }],
    ['a single pair in a flow sequence', 'a: [b: c]', { a: ['b', ':', 'c'] }],
    ['an unclosed quote', 'a: "b\nc: d', { a: 'b', c: 'd' }],
    ['a quoted text of several lines', 'a: "b\n  c"\nd: e', { a: 'b\n  c', d: 'e' }],
    ["a quoted text that closes on its key's line later", "a: 'b''c' # x\nd: e", { a: "b'c", d: 'e' }],
    ['comments', '# a\nb: # c\n  # d\n  - e # f\n  - # g\n', { b: ['e', null] }],
    ['comments in flow collections', 'a: [ # b\n  c, # d\n  e ]', { a: ['c', 'e'] }],
    ['a directive', '%YAML 1.2\na: b', { a: 'b' }],
    ['booleans', 'a: true\nb: "false"\nc: [false]', { a: true, b: 'false', c: [false] }],
    ['a prototype', '__proto__: { a: b }', JSON.parse('{"__proto__":{"a":"b"}}') as unknown],
    ['nothing', '', null],
  ])('makes sense of %s', (_, text, expected) => {
    expect(dataOf(text)).toEqual(expected);
  });

  it('finds what stands at each offset of a written value', () => {
    const text = 'a:\n  - b: "c"\n';
    const outline = parseOutline(text, splitLines(text));
    expect(placeAt(outline, text.indexOf('b'))).toMatchObject({ kind: 'key', path: ['a', 0], entry: { key: 'b' } });
    expect(placeAt(outline, text.indexOf('c'))).toMatchObject({ kind: 'value', path: ['a', 0, 'b'] });
    expect(placeAt(outline, text.indexOf('-'))).toBeUndefined();
    expect(endOf(outline.root)).toBe(text.indexOf('"c"') + 3);
  });

  test.each([
    ['a: b', 4],
    ['a:', 2],
    ['a', 1],
    ['- a', 3],
    ['-', 1],
    ['a: [b]', 6],
    ['', 0],
  ])('ends %j after its last character', (text, end) => {
    expect(endOf(parseOutline(text, splitLines(text)).root)).toBe(end);
  });
});

describe('splitDocuments', () => {
  test.each([
    ['', 1],
    ['a: 1', 1],
    ['---', 1],
    ['---\na: 1', 1],
    ['a: 1\n---\nb: 2', 2],
    ['a: 1\n...\n---\nb: 2\n', 3],
    ['a: |\n  ---\nb: 2', 1],
    ['----', 1],
  ])('finds the documents of %j', (text, count) => {
    expect(splitDocuments(text, splitLines(text))).toHaveLength(count);
  });

  it('gives a marker line to no document', () => {
    const text = 'a: 1\n---\nb: 2';
    const documents = splitDocuments(text, splitLines(text));
    expect(documentAt(documents, 2)).toBe(documents[0]);
    expect(documentAt(documents, 6)).toBeUndefined();
    expect(documentAt(documents, 12)).toBe(documents[1]);
  });
});

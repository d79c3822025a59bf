import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { PositionIndex } from '../../../server/features/position';

const texts = fc
  .array(fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '😀', '说', '\uFEFF', '\u0085', '\t'), { maxLength: 40 })
  .map((parts) => parts.join(''));

describe('PositionIndex', () => {
  test.each([
    ['', 0, 0, 0],
    ['a\nb', 2, 1, 0],
    ['a\r\nb', 3, 1, 0],
    ['a\rb', 2, 1, 0],
    ['a\r\nb', 2, 0, 1],
    ['😀x', 2, 0, 2],
    ['\uFEFFid', 1, 0, 1],
    ['ab', 99, 0, 2],
    ['ab', -5, 0, 0],
  ])('places offset %3$s of %1$j', (text, offset, line, character) => {
    expect(new PositionIndex(text).positionAt(offset)).toEqual({ line, character });
  });

  test.each([
    ['ab\ncd', { line: 0, character: 9 }, 2],
    ['ab\r\ncd', { line: 0, character: 9 }, 2],
    ['ab\ncd', { line: 9, character: 0 }, 5],
    ['ab\ncd', { line: -1, character: 0 }, 0],
    ['ab\ncd', { line: 1, character: -1 }, 3],
  ])('finds a place in %j that does not exist at the nearest end', (text, position, offset) => {
    expect(new PositionIndex(text).offsetAt(position)).toBe(offset);
  });

  it('agrees with the protocol library on every offset of any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const index = new PositionIndex(text);
        const oracle = TextDocument.create('file:///a', 'yaml', 1, text);
        for (let offset = 0; offset <= text.length; offset++) {
          expect(index.positionAt(offset)).toEqual(oracle.positionAt(offset));
          expect(index.offsetAt(oracle.positionAt(offset))).toBe(oracle.offsetAt(oracle.positionAt(offset)));
        }
      }),
    );
  });

  it('leads back to the same offset, except inside a CRLF', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const index = new PositionIndex(text);
        for (let offset = 0; offset <= text.length; offset++) {
          const isInsideLineBreak = text[offset - 1] === '\r' && text[offset] === '\n';
          expect(index.offsetAt(index.positionAt(offset))).toBe(isInsideLineBreak ? offset - 1 : offset);
        }
      }),
    );
  });

  it('converts spans and ranges into each other', () => {
    const index = new PositionIndex('a: 1\r\nb: 😀\r\n');
    const range = { start: { line: 1, character: 3 }, end: { line: 1, character: 5 } };
    expect(index.rangeOf({ start: 9, end: 11 })).toEqual(range);
    expect(index.spanOf(range)).toEqual({ start: 9, end: 11 });
  });
});

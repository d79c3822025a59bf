import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseTerminalText } from '../../../capabilities/node/output-text';

describe('neutraliseTerminalText', () => {
  it.each([
    ['plain text', 'grün 中文 😀\ttab\nline', 'grün 中文 😀\ttab\nline'],
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['clear screen', 'a\u001b[2Jb', 'ab'],
    ['a link', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007x', 'x'],
    ['an unfinished sequence', 'x\u001b[', 'x'],
    ['an unfinished string ends with its line', 'x\u001b]0;title\nnext', 'x\nnext'],
    ['eight-bit controls', '\u009b31mred\u009d0;t\u009c', 'red'],
    ['device control', '\u001bP1$r\u001b\\y', 'y'],
    ['two-character escapes', '\u001b(Ba\u001b7', 'a'],
    ['overwriting by a carriage return', 'danger\rsafe', 'danger\nsafe'],
    ['Windows line ends', 'a\r\nb', 'a\nb'],
    ['what JSON admits, as JSON', '["a\u007fb\u0085"]', '["a\\u007fb\\u0085"]'],
    ['bell, backspace, NUL', 'a\u0007\b\u0000', 'a\\x07\\x08\\x00'],
  ])('%s', (_name, raw, safe) => {
    expect(neutraliseTerminalText(raw)).toBe(safe);
  });

  it('lets no control character through, whatever comes', () => {
    const wild = fc.string({
      unit: fc.constantFrom(
        '\u001b',
        '[',
        ']',
        '\u0007',
        '\r',
        '\n',
        ';',
        '3',
        'm',
        '\u009b',
        '\u0000',
        'P',
        '\\',
        'é',
      ),
    });
    fc.assert(
      fc.property(wild, (raw) => {
        // eslint-disable-next-line no-control-regex -- that is what must not be there
        expect(neutraliseTerminalText(raw)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

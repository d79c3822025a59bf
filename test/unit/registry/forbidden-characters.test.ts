import { describe, expect, test } from 'vitest';
import {
  describeForbiddenCharacter,
  findForbiddenCharacters,
} from '../../../capabilities/registry/forbidden-characters';

describe('findForbiddenCharacters', () => {
  const refused = [
    0x00, 0x07, 0x0b, 0x1b, 0x7f, 0x80, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x200c,
    0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069, 0x206a, 0x206f, 0x3164, 0xfeff, 0xffa0, 0xd800,
    0xdfff, 0xfe0f, 0xe0000, 0xe0041, 0xe007f, 0xe0100, 0xe01ef,
  ]; // prettier-ignore

  test.each(refused.map((codePoint) => [codePoint.toString(16), codePoint] as const))(
    'refuses U+%s in a word',
    (_, codePoint) => {
      const character = String.fromCodePoint(codePoint);
      expect(findForbiddenCharacters(`ab${character}cd`, 5)).toEqual([
        { start: 2, end: 2 + character.length, codePoint },
      ]);
      const name = codePoint.toString(16).toUpperCase().padStart(4, '0');
      expect(describeForbiddenCharacter(codePoint)).toContain(`U+${name}`);
    },
  );

  test.each([
    ['emoji with joiners', '👩‍💻 👨‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍🚀'],
    ['emoji with variation selectors', '⚠️ 1️⃣ ☎︎'],
    ['flags', '🇩🇪🏳️‍🌈'],
    ['Han, kana and Hangul', '状态を确认する 한국어 葛'],
    ['Arabic and Persian', 'حالة النظام می‌خواهم'],
    ['Devanagari', 'क्‍ष'],
    ['line ends and tabs', 'a\tb\r\nc\n'],
  ])('lets %s pass', (_, text) => {
    expect(findForbiddenCharacters(text, 5)).toEqual([]);
  });

  test('joins neighbours into one run and stops at the limit', () => {
    expect(findForbiddenCharacters('a\u200B\u200B\u202Eb\u200Bc\u200B', 2)).toEqual([
      { start: 1, end: 4, codePoint: 0x200b },
      { start: 5, end: 6, codePoint: 0x200b },
    ]);
  });

  test.each([
    ['a joiner between letters', 'a\u200Db'],
    ['a selector after a selector', '⚠\uFE0F\uFE0F'],
    ['tags behind a flag', '🏴\u{E0067}\u{E0062}'],
  ])('refuses %s', (_, text) => {
    expect(findForbiddenCharacters(text, 5)).toHaveLength(1);
  });
});

/**
 * Characters that a definition may not hold because a reader can't see them or they change how the text around them
 * is shown: text that hides instructions from a person is the way tools get poisoned. They are refused, not stripped.
 *
 * Exceptions, because honest text needs them:
 * - a zero-width joiner between two emoji (`👩‍💻`), a zero-width (non-)joiner between two letters of a script that is
 *   written with them (Persian, Hindi …);
 * - a variation selector right after a symbol, an emoji or a Han character (`⚠️`).
 * Flags made of tag characters (England, Scotland, Wales) are not among them: tags can carry whole sentences.
 */

/** A run of forbidden characters. */
export interface ForbiddenRun {
  readonly start: number;
  readonly end: number;
  /** First code point of the run. */
  readonly codePoint: number;
}

/** First and last code point of each refused range. Line ends have a check of their own. */
const REFUSED_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x034f, 0x034f], // grapheme joiner
  [0x061c, 0x061c], // bidi
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f], // zero width, bidi
  [0x202a, 0x202e], // bidi
  [0x2060, 0x206f],
  [0x3164, 0x3164], // Hangul filler
  [0xd800, 0xdfff], // halves of surrogate pairs
  [0xfe00, 0xfe0f], // variation selectors
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff], // tags, more variation selectors
];

const SUSPECT = new RegExp(
  `[${REFUSED_RANGES.map(([first, last]) => `${escape(first)}-${escape(last)}`).join('')}]`,
  'gu',
);

function escape(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;
const SCRIPTS =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}';
const JOINING_BEFORE = new RegExp(`[${SCRIPTS}]$`, 'u');
const JOINING_AFTER = new RegExp(`^[${SCRIPTS}]`, 'u');
const VARIABLE_BEFORE = /[\p{Emoji}\p{S}\p{Script=Han}]$/u;

/** Finds the runs, in order, at most `limit`. Linear in the text's length. */
export function findForbiddenCharacters(text: string, limit: number): readonly ForbiddenRun[] {
  const runs: ForbiddenRun[] = [];
  for (const match of text.matchAll(SUSPECT)) {
    const start = match.index;
    const end = start + match[0].length;
    if (isHonest(text, start, end)) continue;
    const last = runs.at(-1);
    if (last?.end === start) {
      runs[runs.length - 1] = { ...last, end };
      continue;
    }
    if (runs.length === limit) break;
    runs.push({ start, end, codePoint: match[0].codePointAt(0) ?? 0 });
  }
  return runs;
}

function isHonest(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(start);
  const isJoiner = code === 0x200c || code === 0x200d;
  if (!isJoiner && (code < 0xfe00 || code > 0xfe0f)) return false;
  // Two units hold any one character.
  const before = text.slice(Math.max(0, start - 2), start);
  if (!isJoiner) return VARIABLE_BEFORE.test(before);
  const after = text.slice(end, end + 2);
  if (code === 0x200d && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true;
  return JOINING_BEFORE.test(before) && JOINING_AFTER.test(after);
}

/** Sentence for a person: names the code point and says what to do. */
export function describeForbiddenCharacter(codePoint: number): string {
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff)
    return `${name} is half of a surrogate pair, not a character. Remove it.`;
  if (codePoint < 0xa0) return `The control character ${name} is not allowed. Remove it.`;
  if (isBidi(codePoint)) {
    return `The invisible character ${name} changes the direction of the text around it and can hide what is written. Remove it.`;
  }
  return `The invisible character ${name} is not allowed: it hides text from the people who read it. Remove it.`;
}

function isBidi(codePoint: number): boolean {
  return (
    codePoint === 0x61c ||
    codePoint === 0x200e ||
    codePoint === 0x200f ||
    (codePoint >= 0x202a && codePoint <= 0x202e) ||
    (codePoint >= 0x2066 && codePoint <= 0x2069)
  );
}

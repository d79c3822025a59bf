const LETTER = 0;
const DIGIT = 1;
const SPACE = 2;
const MARK = 3;
/** A character of a script whose characters are words. */
const DENSE = 4;
const OTHER_LETTER = 5;
/** A sign of such a script that is no letter: alone it counts by itself, behind a mark it goes on with that. */
const DENSE_MARK = 6;

const DENSE_SCRIPT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindByPattern(String.fromCharCode(code)));

function kindByPattern(character: string): number {
  if (/^[A-Za-z]/.test(character)) return LETTER;
  if (/^\p{N}/u.test(character)) return DIGIT;
  if (/^\s/u.test(character)) return SPACE;
  const isLetter = /^\p{L}/u.test(character);
  if (DENSE_SCRIPT.test(character)) return isLetter ? DENSE : DENSE_MARK;
  return isLetter ? OTHER_LETTER : MARK;
}

/** Kind of the character that begins at a place. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_KINDS[code] ?? MARK;
  if (code >= 0x4e00 && code <= 0x9fff) return DENSE;
  return kindByPattern(String.fromCodePoint(text.codePointAt(at) ?? code));
}

function widthAt(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  return code > 0xffff ? 2 : 1;
}

function isJoint(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character === '.' || character === '_' || character === '/' || character === '-';
}

/** Tokens of a run of one kind. */
function tokensOf(kind: number, text: string, start: number, end: number): number {
  const length = end - start;
  switch (kind) {
    case LETTER:
      return length <= 6 ? 1 : length / 6;
    case DIGIT:
      return Math.ceil(length / 3);
    case SPACE:
      return length === 1 && text.charAt(start) === ' ' ? 0 : 1;
    case DENSE_MARK:
    case MARK:
      return length === 1 && isJoint(text, start) ? 0.5 : Math.ceil(length / 4);
    default:
      return 0.85;
  }
}

function goesOn(kind: number, next: number): boolean {
  return next === kind || (kind === MARK && next === DENSE_MARK);
}

/** Character by character: a pattern that takes the text apart costs several times as much, and every reply is measured many times. */
function piecesOf(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    const start = at;
    at += widthAt(text, at);
    if (kind < DENSE) while (at < text.length && goesOn(kind, kindAt(text, at))) at += widthAt(text, at);
    tokens += tokensOf(kind, text, start, at);
  }
  return tokens;
}

/**
 * Upper estimate of the o200k tokens of JSON text, without the tokenizer's tables: a word of up to six letters, three digits and a run of up to
 * four punctuation marks count one each, a Chinese character a little less, a joint inside a name half.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(piecesOf(text));
}

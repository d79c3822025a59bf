import { stemWord } from './english-stemmer';

/** The smallest piece that phrases are compared by: one word (stemmed), or one character of a script without spaces. */
export interface TextUnit {
  /** Lower-case, stemmed. */
  readonly stem: string;
  /** Lower-case, as written. */
  readonly surface: string;
  /** Range in the text given. */
  readonly start: number;
  readonly end: number;
}

/** Scripts written without spaces between words. */
const DENSE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const UNIT = new RegExp(
  `[${DENSE}]|(?:\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{M}]+|\\p{Lu})\\p{N}*|\\p{N}+`,
  'gu',
);

const PLAIN_TEXT = /^[\0-\x7f]*$/;
/** The same units for text of ASCII characters alone, where no table of scripts need be asked. */
const PLAIN_UNIT = /(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z])[0-9]*|[0-9]+/g;

/** Splits text into units, in order. camelCase, snake_case, kebab-case and dotted names come apart. Never throws. */
export function textUnits(text: string): readonly TextUnit[] {
  const units: TextUnit[] = [];
  for (const match of text.matchAll(PLAIN_TEXT.test(text) ? PLAIN_UNIT : UNIT)) {
    const surface = match[0].toLowerCase();
    units.push({ stem: stemWord(surface), surface, start: match.index, end: match.index + match[0].length });
  }
  return units;
}

/** The stems of a text's units: what a {@link PhraseTrie} is filled with and asked for. */
export function unitStems(text: string): readonly string[] {
  return textUnits(text).map((unit) => unit.stem);
}

/** The lower-case words of a text's units as written: for names, which must match exactly. */
export function unitSurfaces(text: string): readonly string[] {
  return (text.match(PLAIN_TEXT.test(text) ? PLAIN_UNIT : UNIT) ?? []).map((unit) => unit.toLowerCase());
}

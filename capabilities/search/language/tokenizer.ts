import stopWords from '../lexicon/stop-words.json';
import { stemWord } from './english-stemmer';

const STOP: ReadonlySet<string> = new Set([...stopWords.en, ...stopWords.en.map(stemWord), ...stopWords.zh]);
const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const NAME = /[\p{L}\p{N}\p{M}]+(?:[._-]+[\p{L}\p{N}\p{M}]+)*/gu;
const PLAIN_TEXT = /^[\0-\x7f]*$/;
/** The same names in text of ASCII characters alone. */
const PLAIN_NAME = /[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*/g;
const DENSE_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const DENSE_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const ONLY_MARKS = /^[\uFE00-\uFE0F\u20E3]+$/u;

/** Words of a run written without spaces. */
function denseWords(run: string): string[] {
  return Array.from(WORDS.segment(run), (segment) => segment.segment);
}

function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function pushSpacedName(name: string, tokens: string[]): void {
  if (/^[a-z]*$/.test(name)) {
    if (name !== '') tokens.push(stemWord(name));
    return;
  }
  const parts = name.split(/[._-]+/u).flatMap((part) => part.split(CASE_BOUNDARY));
  const words = parts.filter((part) => part !== '').map((part) => part.toLowerCase());
  if (words.length > 1) tokens.push(name.toLowerCase());
  for (const word of words) {
    tokens.push(stemWord(word));
    const letters = /^([a-z]{3,})\d+$/u.exec(word)?.[1];
    if (letters !== undefined) tokens.push(stemWord(letters));
  }
}

function pushName(name: string, tokens: string[], form: TokenForm): void {
  if (!DENSE_LETTER.test(name)) {
    pushSpacedName(name, tokens);
    return;
  }
  let rest = 0;
  for (const run of name.matchAll(DENSE_RUN)) {
    pushSpacedName(name.slice(rest, run.index).replaceAll(/^[._-]+|[._-]+$/gu, ''), tokens);
    tokens.push(...denseWords(run[0]));
    if (form === 'index') tokens.push(...bigrams(run[0]));
    rest = run.index + run[0].length;
  }
  pushSpacedName(name.slice(rest).replaceAll(/^[._-]+|[._-]+$/gu, ''), tokens);
}

/** `index`: words and, for scripts without spaces, character pairs as well. `words`: words only. */
export type TokenForm = 'index' | 'words';

function withoutStopWords(tokens: readonly string[]): readonly string[] {
  const content = tokens.filter((token) => !STOP.has(token));
  return content.length > 0 ? content : tokens;
}

/**
 * Splits text of any script into search tokens, in order and with repetitions: NFKC, lower case, names split at case,
 * `_`, `-` and `.` (the whole name is kept too), light English stems, Chinese words and character pairs. Stop words are left out unless
 * there is nothing else. Text with a letter or digit always gives at least one token. Pure, never throws.
 */
export function tokenize(text: string, form: TokenForm = 'index'): readonly string[] {
  const tokens: string[] = [];
  if (PLAIN_TEXT.test(text)) {
    for (const name of text.match(PLAIN_NAME) ?? []) pushSpacedName(name, tokens);
    return withoutStopWords(tokens);
  }
  for (const [name] of text.normalize('NFKC').matchAll(NAME)) {
    if (!ONLY_MARKS.test(name)) pushName(name, tokens, form);
  }
  return withoutStopWords(tokens);
}

/** Whether a token carries no meaning of its own. */
export function isStopWord(token: string): boolean {
  return STOP.has(token);
}

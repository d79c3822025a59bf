import { stemWord } from '../language/english-stemmer';
import { textUnits } from '../language/text-units';
import type { TextUnit } from '../language/text-units';
import { tokenize } from '../language/tokenizer';
import actions from './glossary-actions.json';
import computing from './glossary-computing.json';
import development from './glossary-development.json';
import everyday from './glossary-everyday.json';
import traditionalForms from './traditional-characters.json';

/** A known word or phrase of a text, with the other ways to say it. */
export interface GlossedPhrase {
  readonly start: number;
  readonly end: number;
  /** As written, lower case. */
  readonly phrase: string;
  /** Translations, then synonyms, the most usual first, each as its tokens. */
  readonly alternatives: readonly (readonly string[])[];
}

interface GlossEntry {
  readonly chinese: readonly string[];
  readonly english: readonly string[];
}

/** What one phrase means: an entry, seen from one of its phrases. */
interface Sense {
  readonly entry: GlossEntry;
  readonly language: 'zh' | 'en';
  /** Place among the entry's phrases of its language; 0 is the most usual one. */
  readonly rank: number;
}

interface PhraseMatch {
  readonly end: number;
  readonly senses: readonly Sense[];
}

/** English words further back in an entry are loose translations: they do not lead back to the Chinese word. */
const LAST_NAMING_RANK = 1;
const HAN_ONLY = /^\p{Script=Han}+$/u;
const PLAIN_ENGLISH = /^[a-z]+(?: [a-z]+)*$/;
const ONE_HAN = /^\p{Script=Han}$/u;

const BUILT_IN: readonly (readonly string[])[] = [...actions, ...computing, ...development, ...everyday];

const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  traditionalForms.flatMap(([traditional = '', simplified = '']) => {
    const target = Array.from(simplified);
    return Array.from(traditional, (character, index) => [character, target[index] ?? character] as const);
  }),
);

/** What phrases are compared by: stems, traditional characters as simplified ones. */
function keysOf(units: readonly TextUnit[]): readonly string[] {
  return units.map((unit) => SIMPLIFIED.get(unit.stem) ?? unit.stem);
}

/** The same for a phrase, without the unit splitter where the phrase is plain: thousands of them are read at start. */
function phraseKeys(phrase: string): readonly string[] {
  if (PLAIN_ENGLISH.test(phrase)) return phrase.split(' ').map(stemWord);
  if (!HAN_ONLY.test(phrase)) return keysOf(textUnits(phrase));
  return Array.from(phrase, (character) => SIMPLIFIED.get(character) ?? character);
}

/** A Chinese–English glossary of software work and of what tools serve in daily life. Immutable. */
export class Glossary {
  readonly #entries: readonly GlossEntry[];
  /** Senses by the phrase's keys, a space between two. A flat map: a trie of this size takes several times as long to fill. */
  readonly #senses = new Map<string, Sense[]>();
  /** Keys of the longest phrase that begins with a key. */
  readonly #reach = new Map<string, number>();
  readonly #tokens = new Map<string, readonly string[]>();
  /** English phrases enter at the first look-up, so that starting up waits for half of the table only. */
  #hasEnglish = false;

  /** Each entry is `[Chinese, English]`: Chinese phrases apart by a space, English ones by `|`, the most usual first. */
  constructor(entries: readonly (readonly string[])[] = BUILT_IN) {
    this.#entries = entries.map(([chinese = '', english = '']) => ({
      chinese: chinese.split(' '),
      english: english.split('|'),
    }));
    for (const entry of this.#entries) {
      for (const [rank, phrase] of entry.chinese.entries()) this.#add(phrase, { entry, language: 'zh', rank });
    }
  }

  /** The known phrases of a text, longest first at each place, none overlapping another. */
  phrasesIn(text: string): readonly GlossedPhrase[] {
    this.#addEnglish();
    const units = textUnits(text);
    const keys = keysOf(units);
    const found: GlossedPhrase[] = [];
    for (let position = 0; position < units.length; position += 1) {
      const match = this.#longestAt(keys, position);
      if (match === undefined) continue;
      const start = units[position]?.start ?? 0;
      const end = units[match.end - 1]?.end ?? start;
      position = match.end - 1;
      if (!isWord(text, start, end)) continue;
      const names = new Set(match.senses.flatMap(namesOf));
      const alternatives = Array.from(names, (name) => this.#tokensOf(name));
      found.push({ start, end, phrase: text.slice(start, end).toLowerCase(), alternatives });
    }
    return found;
  }

  /** Other ways to say a phrase that stands in the glossary, the phrase itself left out. */
  translations(phrase: string): readonly string[] {
    this.#addEnglish();
    const found = (this.#senses.get(phraseKeys(phrase).join(' ')) ?? []).flatMap(namesOf);
    return [...new Set(found)].filter((other) => other !== phrase.toLowerCase());
  }

  #longestAt(keys: readonly string[], start: number): PhraseMatch | undefined {
    const reach = this.#reach.get(keys[start] ?? '') ?? 0;
    for (let end = Math.min(keys.length, start + reach); end > start; end -= 1) {
      const senses = this.#senses.get(keys.slice(start, end).join(' '));
      if (senses !== undefined) return { end, senses };
    }
    return undefined;
  }

  #add(phrase: string, sense: Sense): void {
    const keys = phraseKeys(phrase);
    const [first] = keys;
    if (first === undefined) return;
    if ((this.#reach.get(first) ?? 0) < keys.length) this.#reach.set(first, keys.length);
    const name = keys.join(' ');
    const known = this.#senses.get(name);
    if (known === undefined) this.#senses.set(name, [sense]);
    else known.push(sense);
  }

  #addEnglish(): void {
    if (this.#hasEnglish) return;
    this.#hasEnglish = true;
    for (const entry of this.#entries) {
      for (const [rank, phrase] of entry.english.entries()) this.#add(phrase, { entry, language: 'en', rank });
    }
  }

  #tokensOf(phrase: string): readonly string[] {
    const known = this.#tokens.get(phrase);
    if (known !== undefined) return known;
    const tokens = [...new Set(tokenize(phrase, 'words'))];
    this.#tokens.set(phrase, tokens);
    return tokens;
  }
}

/** English leads to other English only where it is the most usual word of an entry: more synonyms cost more than they find. */
function namesOf({ entry, language, rank }: Sense): readonly string[] {
  if (language === 'zh') return [...entry.english, ...entry.chinese];
  const chinese = rank <= LAST_NAMING_RANK ? entry.chinese : [];
  return rank === 0 ? [...chinese, ...entry.english] : chinese;
}

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const CONTEXT_LENGTH = 4;

/** Whether a single Chinese character is a word where it stands: 行 is one in 第三行, not in 运行. Longer phrases are. */
function isWord(text: string, start: number, end: number): boolean {
  if (end - start > 1 || !ONE_HAN.test(text.slice(start, end))) return true;
  const from = Math.max(0, start - CONTEXT_LENGTH);
  return WORDS.segment(text.slice(from, end + CONTEXT_LENGTH)).containing(start - from)?.segment.length === 1;
}

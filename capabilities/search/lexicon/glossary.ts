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
  /** Translations, then synonyms, the most usual first, each as its tokens. The same array for the same phrase each time. */
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

/** Everything that one phrase means. */
interface Meaning {
  readonly senses: readonly Sense[];
  /** The other ways to say it, once asked for. */
  alternatives: readonly (readonly string[])[] | undefined;
}

/** A {@link Sense} as a number, as it is read at start: `entry << 9 | rank << 1`, and 1 for English. Most phrases have one. */
type PackedSenses = number | readonly number[];

interface PhraseMatch {
  readonly end: number;
  readonly meaning: Meaning;
}

/** English words further back in an entry are loose translations: they do not lead back to the Chinese word. */
const LAST_NAMING_RANK = 1;
/** Code from which on a character is of a script without spaces. */
const FIRST_DENSE = 0x2e80;
const ONE_HAN = /^\p{Script=Han}$/u;

const BUILT_IN: readonly (readonly string[])[] = [...actions, ...computing, ...development, ...everyday];

const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  traditionalForms.flatMap(([traditional = '', simplified = '']) => {
    const target = Array.from(simplified);
    return Array.from(traditional, (character, index) => [character, target[index] ?? character] as const);
  }),
);

const ANY_HAN = /\p{Script=Han}/u;
const ANY_LATIN = /[a-z0-9]/i;
/** Words of plain phrases; shorter ones are their own stem. */
const WORD_TO_STEM = /(?<![a-z0-9])[a-z]{4,}(?![a-z0-9'-])/g;
const PLAIN_STEMS = /^[a-z]+(?: [a-z]+)*$/;
/** The common Chinese characters, one UTF-16 unit each. */
const COMMON_HAN = /^[\u4e00-\u9fff]+$/;

/** What phrases are compared by: stems, traditional characters as simplified ones. */
function keysOf(units: readonly TextUnit[]): readonly string[] {
  return units.map((unit) => SIMPLIFIED.get(unit.stem) ?? unit.stem);
}

/** Whether a key is a word with letters, not a character that stands for itself. */
function isSpaced(key: string): boolean {
  return key.charCodeAt(0) < FIRST_DENSE;
}

/** The name of a phrase: words have a space before them, characters stand side by side. */
function nameOf(keys: readonly string[]): string {
  return keys.map((key) => (isSpaced(key) ? ` ${key}` : key)).join('');
}

function toSimplified(text: string): string {
  return Array.from(text, (character) => SIMPLIFIED.get(character) ?? character).join('');
}

/** A Chinese–English glossary of software work and of what tools serve in daily life, with the words that workspaces add. */
export class Glossary {
  readonly #entries: readonly (readonly string[])[];
  /** Senses by the phrase's name. A flat map: a trie of this size takes several times as long to fill. */
  readonly #senses = new Map<string, PackedSenses>();
  /** The meanings that have been asked for, by name. */
  readonly #meanings = new Map<string, Meaning>();
  /** Keys of the longest phrase that begins with a key, where that is more than one. */
  readonly #reach = new Map<string, number>();
  readonly #tokens = new Map<string, readonly string[]>();
  /** What workspaces add, by the phrase's name, with the reach of it: apart, so that it can be replaced. */
  #own: ReadonlyMap<string, Sense> = new Map();
  #ownReach: ReadonlyMap<string, number> = new Map();
  /** Phrases enter at the first look-up that could find them, so that starting up need not wait for them. */
  readonly #has = { chinese: false, english: false };

  /** Each entry is `[Chinese, English]`: Chinese phrases apart by a space, English ones by `|`, the most usual first. */
  constructor(entries: readonly (readonly string[])[] = BUILT_IN) {
    this.#entries = entries;
  }

  /**
   * Adds groups of phrases that mean the same, in any language, in the place of those added before; and phrases that stand for a
   * `meaning`, which does not lead back to them.
   */
  adopt(
    groups: readonly (readonly string[])[],
    oneWay: readonly { readonly phrase: string; readonly meaning: string }[] = [],
  ): void {
    const own = new Map<string, Sense>();
    const reach = new Map<string, number>();
    const senses = [
      ...groups.map((group) => ({ phrases: group, names: group })),
      ...oneWay.map(({ phrase, meaning }) => ({ phrases: [phrase], names: [meaning] })),
    ];
    for (const { phrases, names } of senses) {
      // Seen from Chinese, every phrase of an entry is named: here all of them are.
      const sense: Sense = { entry: { chinese: names, english: [] }, language: 'zh', rank: 0 };
      for (const phrase of phrases) {
        const keys = keysOf(textUnits(phrase.normalize('NFKC')));
        const [first] = keys;
        if (first === undefined || own.has(nameOf(keys))) continue;
        own.set(nameOf(keys), sense);
        reach.set(first, Math.max(reach.get(first) ?? 1, keys.length));
      }
    }
    this.#own = own;
    this.#ownReach = reach;
    this.#meanings.clear();
  }

  /** The known phrases of a text, longest first at each place, none overlapping another. */
  phrasesIn(text: string): readonly GlossedPhrase[] {
    this.#fill(text);
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
      const alternatives = this.#alternativesOf(match.meaning);
      found.push({ start, end, phrase: text.slice(start, end).toLowerCase(), alternatives });
    }
    return found;
  }

  /** Other ways to say a phrase that stands in the glossary, the phrase itself left out. */
  translations(phrase: string): readonly string[] {
    this.#fill(phrase);
    const found = (this.#meaningOf(nameOf(keysOf(textUnits(phrase))))?.senses ?? []).flatMap(namesOf);
    return [...new Set(found)].filter((other) => other !== phrase.toLowerCase());
  }

  #longestAt(keys: readonly string[], start: number): PhraseMatch | undefined {
    const first = keys[start] ?? '';
    const reach = Math.max(this.#reach.get(first) ?? 1, this.#ownReach.get(first) ?? 1);
    const last = Math.min(keys.length, start + reach);
    let name = '';
    let longest: { readonly end: number; readonly name: string } | undefined;
    for (let end = start + 1; end <= last; end += 1) {
      const key = keys[end - 1] ?? '';
      name += isSpaced(key) ? ` ${key}` : key;
      if (this.#senses.has(name) || this.#own.has(name)) longest = { end, name };
    }
    const meaning = longest && this.#meaningOf(longest.name);
    return longest && meaning && { end: longest.end, meaning };
  }

  #meaningOf(name: string): Meaning | undefined {
    const known = this.#meanings.get(name);
    const packed = this.#senses.get(name) ?? [];
    const own = this.#own.get(name);
    if (known !== undefined || (own === undefined && typeof packed !== 'number' && packed.length === 0)) return known;
    const builtIn = (typeof packed === 'number' ? [packed] : packed).map((sense) => this.#unpack(sense));
    const meaning: Meaning = { senses: own ? [own, ...builtIn] : builtIn, alternatives: undefined };
    this.#meanings.set(name, meaning);
    return meaning;
  }

  #unpack(sense: number): Sense {
    const [chinese = '', english = ''] = this.#entries[sense >>> 9] ?? [];
    return {
      entry: { chinese: chinese.split(' '), english: english.split('|') },
      language: (sense & 1) === 0 ? 'zh' : 'en',
      rank: (sense >>> 1) & 255,
    };
  }

  #alternativesOf(meaning: Meaning): readonly (readonly string[])[] {
    const names = (): ReadonlySet<string> => new Set(meaning.senses.flatMap(namesOf));
    return (meaning.alternatives ??= Array.from(names(), (name) => this.#tokensOf(name)));
  }

  /**
   * Thousands of phrases are read once, before any of this code is warm: so whole tables at a time, by built-in functions, and of the
   * built-in table, whose halves have no word in common, only the half that the text is of.
   */
  #fill(text: string): void {
    const isAny = this.#entries !== BUILT_IN;
    if (!this.#has.chinese && (isAny || ANY_HAN.test(text))) this.#fillChinese();
    if (!this.#has.english && (isAny || ANY_LATIN.test(text))) this.#fillEnglish();
  }

  #fillChinese(): void {
    this.#has.chinese = true;
    const chinese = this.#entries.map(([phrases]) => phrases ?? '').join('\n');
    // The built-in table is written in simplified characters.
    const lines = (this.#entries === BUILT_IN ? chinese : toSimplified(chinese)).split('\n');
    lines.forEach((phrases, entry) => {
      this.#enterAll(phrases.split(' '), entry << 9);
    });
  }

  #fillEnglish(): void {
    this.#has.english = true;
    const english = this.#entries.map((entry) => entry[1] ?? '').join('\n');
    const lines = english.replace(WORD_TO_STEM, stemWord).split('\n');
    lines.forEach((phrases, entry) => {
      this.#enterAll(phrases.split('|'), (entry << 9) | 1);
    });
  }

  /** Enters phrases whose words are stems already. */
  #enterAll(phrases: readonly string[], sense: number): void {
    for (let rank = 0; rank < phrases.length; rank += 1) {
      const phrase = phrases[rank] ?? '';
      if (PLAIN_STEMS.test(phrase)) {
        const space = phrase.indexOf(' ');
        if (space > 0) this.#extendReach(phrase.slice(0, space), phrase.split(' ').length);
        this.#enter(` ${phrase}`, sense | (rank << 1));
      } else if (COMMON_HAN.test(phrase)) {
        this.#extendReach(phrase.charAt(0), phrase.length);
        this.#enter(phrase, sense | (rank << 1));
      } else if (phrase !== '') {
        const keys = keysOf(textUnits(this.#phraseAt(sense | (rank << 1))));
        this.#extendReach(keys[0] ?? '', keys.length);
        this.#enter(nameOf(keys), sense | (rank << 1));
      }
    }
  }

  /** The phrase of a sense as it is written. */
  #phraseAt(sense: number): string {
    const { entry, language, rank } = this.#unpack(sense);
    return (language === 'zh' ? entry.chinese : entry.english)[rank] ?? '';
  }

  #extendReach(first: string, length: number): void {
    if (length > 1 && (this.#reach.get(first) ?? 1) < length) this.#reach.set(first, length);
  }

  #enter(name: string, sense: number): void {
    const known = this.#senses.get(name);
    if (known === undefined) this.#senses.set(name, sense);
    else this.#senses.set(name, typeof known === 'number' ? [known, sense] : [...known, sense]);
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

import { PhraseTrie } from '../language/phrase-trie';
import { textUnits, unitStems } from '../language/text-units';
import { tokenize } from '../language/tokenizer';
import builtIn from './glossary.json';

/** A known word or phrase of a text, with the other ways to say it. */
export interface GlossedPhrase {
  readonly start: number;
  readonly end: number;
  /** As written, lower case. */
  readonly phrase: string;
  /** Translations and synonyms, each as its tokens. */
  readonly alternatives: readonly (readonly string[])[];
}

interface GlossEntry {
  readonly phrases: readonly string[];
  readonly tokens: readonly (readonly string[])[];
}

/** A Chinese–English glossary of software work. Immutable. */
export class Glossary {
  readonly #trie = new PhraseTrie<GlossEntry>();

  /** Each entry is `[Chinese, English]`: Chinese phrases apart by a space, English ones by `|`. */
  constructor(entries: readonly (readonly string[])[] = builtIn) {
    for (const [chinese = '', english = ''] of entries) {
      const phrases = [...chinese.split(' '), ...english.split('|')];
      const entry = { phrases, tokens: phrases.map((phrase) => [...new Set(tokenize(phrase, 'words'))]) };
      for (const phrase of phrases) this.#trie.add(unitStems(phrase), entry);
    }
  }

  /** The known phrases of a text, longest first at each place, none overlapping another. */
  phrasesIn(text: string): readonly GlossedPhrase[] {
    const units = textUnits(text);
    return this.#trie.longestMatches(units.map((unit) => unit.stem)).flatMap((match) => {
      const start = units[match.start]?.start;
      const end = units[match.end - 1]?.end;
      if (start === undefined || end === undefined || !isWord(text, start, end)) return [];
      const alternatives = match.values.flatMap((entry) => entry.tokens);
      return [{ start, end, phrase: text.slice(start, end).toLowerCase(), alternatives }];
    });
  }

  /** Other ways to write a phrase that stands in the glossary, the phrase itself left out. */
  translations(phrase: string): readonly string[] {
    const found = this.#trie.get(unitStems(phrase)).flatMap((entry) => entry.phrases);
    return found.filter((other) => other !== phrase.toLowerCase());
  }
}

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
const CONTEXT_LENGTH = 4;

/** Whether a single Chinese character is a word where it stands: 行 is one in 第三行, not in 运行. Longer phrases are. */
function isWord(text: string, start: number, end: number): boolean {
  if (end - start > 1 || !/^\p{Script=Han}$/u.test(text.slice(start, end))) return true;
  const from = Math.max(0, start - CONTEXT_LENGTH);
  return WORDS.segment(text.slice(from, end + CONTEXT_LENGTH)).containing(start - from)?.segment.length === 1;
}

import { tokenize } from '../language/tokenizer';
import type { GlossedPhrase } from '../lexicon/glossary';
import type { Lexicon } from '../lexicon/lexicon';
import type { ResourceTexts } from '../resource-profile';
import type { LexicalField } from '../search-weights';
import type { FieldIndex } from './field-index';

/** Fields whose texts come again in many resources: names and descriptions of arguments, tags. What is never asked for again only costs. */
const REPEATED: ReadonlySet<LexicalField> = new Set(['detail', 'entities', 'intents', 'symptoms', 'tags']);
const LONGEST_REMEMBERED = 120;
const MOST_REMEMBERED = 20_000;

/** Turns the texts of many resources into terms of an index. Remembers some, so make one for a bulk and let it go. */
export class TermReader {
  readonly #index: FieldIndex<LexicalField>;
  readonly #lexicon: Lexicon;
  readonly #terms = new Map<string, readonly number[]>();
  /** Terms of what a phrase may mean, by the list that the glossary gives for it. */
  readonly #meanings = new Map<GlossedPhrase['alternatives'], readonly number[]>();

  constructor(index: FieldIndex<LexicalField>, lexicon: Lexicon) {
    this.#index = index;
    this.#lexicon = lexicon;
  }

  /** The terms of each field, in the order of the index's fields. */
  read({ fields, glossed }: ResourceTexts): readonly (readonly number[])[] {
    return this.#index.fields.map((field) =>
      field === 'gloss' ? this.#glossOf(glossed) : this.#termsOf(fields[field], REPEATED.has(field)),
    );
  }

  #termsOf(texts: readonly string[], areRepeated: boolean): readonly number[] {
    const [only] = texts;
    if (only === undefined) return [];
    const read = areRepeated ? this.#remembered : this.#read;
    return texts.length === 1 ? read(only) : texts.flatMap(read);
  }

  readonly #read = (text: string): readonly number[] => tokenize(text).map((token) => this.#index.termOf(token));

  readonly #remembered = (text: string): readonly number[] => {
    const known = this.#terms.get(text);
    if (known) return known;
    const terms = this.#read(text);
    if (text.length <= LONGEST_REMEMBERED && this.#terms.size < MOST_REMEMBERED) this.#terms.set(text, terms);
    return terms;
  };

  /** Translations and synonyms of what the texts say, each term once. */
  #glossOf(texts: readonly string[]): readonly number[] {
    const terms = new Set<number>();
    for (const text of texts) {
      for (const { alternatives } of this.#lexicon.glossary.phrasesIn(text)) {
        for (const term of this.#meaningOf(alternatives)) terms.add(term);
      }
    }
    return [...terms];
  }

  #meaningOf(alternatives: GlossedPhrase['alternatives']): readonly number[] {
    const remembered = this.#meanings.get(alternatives);
    if (remembered) return remembered;
    const terms = Array.from(new Set(alternatives.flat()), (token) => this.#index.termOf(token));
    this.#meanings.set(alternatives, terms);
    return terms;
  }
}

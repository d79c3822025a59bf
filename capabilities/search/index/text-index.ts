import type { LexicalField, SearchWeights } from '../search-weights';
import { bestDocuments } from './best-documents';
import type { ScoredDocument } from './best-documents';
import { DocumentTable } from './document-table';
import { FieldIndex } from './field-index';
import type { FieldIndexContent } from './field-index';
import { GramIndex } from './gram-index';
import type { GramIndexContent } from './gram-index';
import { fuseScores } from './score-fusion';

/** One full-text hit: `score` is above 0, at most 1 plus the weight of character n-grams. */
export interface TextHit {
  readonly key: string;
  readonly score: number;
  readonly matchedFields: readonly string[];
}

/** What to look for: terms as written, weaker expansions, and the text itself for near spellings. */
export interface TextQuery {
  readonly text: string;
  readonly terms: readonly string[];
  readonly expansions: readonly string[];
}

/** What a text index holds, for keeping it on disk. */
export interface TextIndexContent {
  readonly fullText: FieldIndexContent;
  readonly grams: GramIndexContent;
}

/** Tokens that at least this many resources, and this share of them, hold say nothing about which one is meant. */
const COMMON_AT_LEAST = 40;
const COMMON_SHARE = 0.4;

/** Documents looked at for each hit wanted, before each is asked whether it is admitted. */
const POOL = 1.5;

const ONLY_SPELLING: readonly string[] = ['spelling'];

/** Share of removed documents from which what they left in the lists is dropped. */
const DEAD_SHARE = 0.3;

/** The texts of resources by key: words in fields, and character n-grams for near spellings. */
export class TextIndex {
  readonly #weights: SearchWeights['lexical'];
  readonly #documents = new DocumentTable();
  readonly #words: FieldIndex<LexicalField>;
  readonly #grams = new GramIndex();
  /** Arrays for the scores of one search, kept for the next. */
  #scores = new Float64Array(0);
  #similarities = new Float64Array(0);

  constructor(weights: SearchWeights['lexical']) {
    this.#weights = weights;
    this.#words = new FieldIndex(weights.fields);
  }

  /** The words by field: for turning texts into its terms. */
  get words(): FieldIndex<LexicalField> {
    return this.#words;
  }

  /** Whether nothing was ever added. */
  get isEmpty(): boolean {
    return this.#documents.capacity === 0;
  }

  /** Adds a key that is not present: the terms of each field, and a short text for near spellings. */
  add(key: string, terms: readonly (readonly number[])[], gist: string): void {
    const document = this.#documents.add(key);
    this.#words.addTerms(document, terms);
    this.#grams.add(document, gist);
  }

  /** Takes a key out; `gist` is what it was added with. */
  remove(key: string, gist: string): void {
    const document = this.#documents.remove(key);
    if (document === undefined) return;
    this.#words.remove(document);
    this.#grams.remove(document, gist);
  }

  /** Drops what removed keys have left, when that is a good part of everything, or where it must not be there. */
  tidy(mode: 'when-worthwhile' | 'always'): void {
    if (this.#words.deadShare <= (mode === 'always' ? 0 : DEAD_SHARE)) return;
    const numbers = this.#documents.compact();
    this.#words.compact(numbers);
    this.#grams.compact(numbers);
  }

  /** How many keys hold a token. */
  frequency(token: string): number {
    return this.#words.frequency(token);
  }

  /** Whether a key holds a token. Quick for many tokens of one key in a row. */
  holds(key: string, token: string): boolean {
    const document = this.#documents.numberOf(key);
    return document !== undefined && this.#words.holds(document, token);
  }

  /** Everything that {@link restore} needs, and the keys of its documents. */
  content(): TextIndexContent & { readonly keys: readonly string[] } {
    this.tidy('always');
    return { keys: this.#documents.keys(), fullText: this.#words.content(), grams: this.#grams.content() };
  }

  /** Takes over the content of another index into an empty one. `numbers` are the places of its documents in `keys`, ascending, or -1. */
  restore({ fullText, grams }: TextIndexContent, keys: readonly string[], numbers: Int32Array): void {
    for (const key of keys) this.#documents.add(key);
    this.#words.restore(fullText, numbers);
    this.#grams.restore(grams, numbers);
  }

  /** At most `limit` keys by text, best first, equal scores in key order. */
  search(query: TextQuery, admits: (key: string) => boolean, limit: number): readonly TextHit[] {
    const { characterGrams, expansion, leastSimilarity } = this.#weights;
    const terms = this.#telling(query.terms);
    const written = new Set(terms);
    const expansions = this.#telling(query.expansions.filter((token) => !written.has(token)));
    const [words, similarities] = this.#emptyScores();
    for (const term of terms) this.#words.accumulate(term, 1, words);
    for (const term of expansions) this.#words.accumulate(term, expansion, words);
    if (characterGrams > 0) this.#grams.accumulate(query.text, similarities);
    const scores = fuseScores(words, similarities, { weight: characterGrams, least: leastSimilarity });
    const fieldsOf = this.#words.fieldsWith([...terms, ...expansions]);
    return this.#best(scores, admits, limit).map(({ document, score }) => {
      const fields = fieldsOf(document);
      return { key: this.#keyOf(document), score, matchedFields: fields.length > 0 ? fields : ONLY_SPELLING };
    });
  }

  /** Asks `admits` best first, in most cases for little more than `limit`. */
  #best(scores: Float64Array, admits: (key: string) => boolean, limit: number): readonly ScoredDocument[] {
    const isBefore = (one: number, other: number): boolean => this.#keyOf(one) < this.#keyOf(other);
    const isPresent = (document: number): boolean => this.#documents.keyOf(document) !== undefined;
    const isAdmitted = (document: number): boolean => isPresent(document) && admits(this.#keyOf(document));
    const pool = Math.ceil(limit * POOL);
    const best = bestDocuments(scores, pool, isPresent, isBefore);
    const admitted: ScoredDocument[] = [];
    for (const scored of best) {
      if (admitted.length === limit) break;
      if (isAdmitted(scored.document)) admitted.push(scored);
    }
    if (admitted.length === limit || best.length < pool) return admitted;
    return bestDocuments(scores, limit, isAdmitted, isBefore);
  }

  #keyOf(document: number): string {
    return this.#documents.keyOf(document) ?? '';
  }

  #emptyScores(): readonly [Float64Array, Float64Array] {
    const { capacity } = this.#documents;
    if (this.#scores.length < capacity) {
      const room = Math.ceil(capacity * 1.1);
      this.#scores = new Float64Array(room);
      this.#similarities = new Float64Array(room);
    }
    return [this.#scores.subarray(0, capacity).fill(0), this.#similarities.subarray(0, capacity).fill(0)];
  }

  /** The known tokens, rarest first; those that most keys hold are left out where there are rarer ones. */
  #telling(tokens: readonly string[]): readonly string[] {
    const counted = Array.from(new Set(tokens), (token) => ({ token, frequency: this.frequency(token) }));
    const known = counted
      .filter(({ frequency }) => frequency > 0)
      .sort((left, right) => left.frequency - right.frequency || (left.token < right.token ? -1 : 1))
      .slice(0, this.#weights.terms);
    const common = Math.max(COMMON_AT_LEAST, this.#documents.size * COMMON_SHARE);
    const rare = known.filter(({ frequency }) => frequency < common);
    return (rare.length > 0 ? rare : known).map(({ token }) => token);
  }
}

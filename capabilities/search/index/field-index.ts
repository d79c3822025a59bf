import { FieldLengths } from './field-lengths';
import type { FieldWeight } from './field-lengths';
import { NumberList } from './number-list';
import { PostingTable, heldByDocument } from './posting-table';
import type { PackedPostings } from './posting-table';

export type { FieldWeight } from './field-lengths';

/** What an index holds, for keeping it on disk: term `t` is `tokens[t]`, lengths are by document and field. */
export interface FieldIndexContent {
  readonly tokens: readonly string[];
  readonly postings: PackedPostings;
  readonly lengths: Uint16Array;
}

/** Most fields, and highest count of one term in one field, that an entry can tell apart. */
const MOST_FIELDS = 16;
const HIGHEST_COUNT = 15;
/** An entry is `document << 8 | field << 4 | count`. */
const DOCUMENT_SHIFT = 8;
/** Saturation of the term frequency (BM25's `k1`). */
const SATURATION = 1.2;

/**
 * An inverted index with field-weighted BM25 (BM25F: Robertson, Zaragoza, Taylor 2004): the frequencies of all fields are added up,
 * each weighted and normalised by its own length, before they are saturated once. Documents are numbers given by the caller in ascending
 * order. Removing keeps the entries and takes away their weight; {@link deadShare} says when {@link compact} pays.
 */
export class FieldIndex<Field extends string> {
  /** The fields, in the order in which {@link addTerms} takes them. */
  readonly fields: readonly Field[];
  readonly #lengths: FieldLengths;
  readonly #terms = new Map<string, number>();
  readonly #tokens: string[] = [];
  /** Present documents that hold a term. */
  readonly #frequencies = new NumberList();
  #postings = new PostingTable(DOCUMENT_SHIFT);
  /** `term << 4 | field` of every document, one document after the other. */
  #held = new NumberList();
  /** Where a document's stretch of `held` begins; one more place marks the end of the last one. */
  #heldFrom: number[] = [];
  /** By term: how often the field being added holds it, and the last document whose terms were marked. */
  #counts = new Uint16Array(1024);
  #marks = new Int32Array(1024);
  #marked: number | undefined;
  #removed = 0;

  constructor(fields: Readonly<Record<Field, FieldWeight>>) {
    this.fields = Object.keys(fields) as Field[];
    if (this.fields.length > MOST_FIELDS) throw new Error(`At most ${MOST_FIELDS} fields.`);
    this.#lengths = new FieldLengths(this.fields.map((field) => fields[field]));
  }

  /** Share of the entries' documents that are gone. */
  get deadShare(): number {
    const present = this.#lengths.documents;
    return this.#removed / Math.max(1, present + this.#removed);
  }

  /** The number that stands for a token from now on. */
  termOf(token: string): number {
    const known = this.#terms.get(token);
    if (known !== undefined) return known;
    const term = this.#tokens.push(token) - 1;
    this.#terms.set(token, term);
    this.#frequencies.push(0);
    if (term >= this.#counts.length) this.#growScratch();
    return term;
  }

  /** Adds a document with the tokens of each field. */
  add(document: number, tokens: Readonly<Record<Field, readonly string[]>>): void {
    this.addTerms(
      document,
      this.fields.map((field) => tokens[field].map((token) => this.termOf(token))),
    );
  }

  /** Adds a document with the terms of each field, in the order of the fields. */
  addTerms(document: number, terms: readonly (readonly number[])[]): void {
    this.#lengths.add(
      document,
      terms.map((list) => list.length),
    );
    while (this.#heldFrom.length <= document) this.#heldFrom.push(this.#held.length);
    terms.forEach((list, field) => {
      this.#addField(document, field, list);
    });
    for (let at = this.#heldFrom[document] ?? 0; at < this.#held.length; at += 1) this.#countOnce(document, at, 1);
    this.#heldFrom[document + 1] = this.#held.length;
    this.#marked = undefined;
  }

  /** Takes a document out. */
  remove(document: number): void {
    this.#lengths.remove(document);
    const end = this.#heldFrom[document + 1] ?? 0;
    for (let at = this.#heldFrom[document] ?? 0; at < end; at += 1) this.#countOnce(document, at, -1);
    this.#marked = undefined;
    this.#removed += 1;
  }

  /** How many documents hold a token. */
  frequency(token: string): number {
    const term = this.#terms.get(token);
    return term === undefined ? 0 : (this.#frequencies.numbers[term] ?? 0);
  }

  /** Whether a document holds a token. Quick for many tokens of one document in a row. */
  holds(document: number, token: string): boolean {
    const term = this.#terms.get(token);
    if (term === undefined) return false;
    if (this.#marked !== document) this.#mark(document);
    return this.#marks[term] === document + 1;
  }

  /** Tells for many documents which of their fields hold at least one of the tokens, in alphabetical order. */
  fieldsWith(tokens: readonly string[]): (document: number) => readonly Field[] {
    const isSought = new Uint8Array(this.#tokens.length);
    for (const token of tokens) isSought[this.#terms.get(token) ?? isSought.length] = 1;
    const known = new Map<number, readonly Field[]>();
    return (document) => {
      const end = this.#heldFrom[document + 1] ?? 0;
      let found = 0;
      for (let at = this.#heldFrom[document] ?? 0; at < end; at += 1) {
        const held = this.#held.numbers[at] ?? 0;
        if (isSought[held >>> 4] === 1) found |= 1 << (held & (MOST_FIELDS - 1));
      }
      const fields = known.get(found) ?? this.fields.filter((_, field) => (found & (1 << field)) !== 0).sort();
      known.set(found, fields);
      return fields;
    };
  }

  /** Adds `weight` times the BM25F score of a token to `scores`, by document. */
  accumulate(token: string, weight: number, scores: Float64Array): void {
    const term = this.#terms.get(token);
    const frequency = this.frequency(token);
    if (term === undefined || frequency === 0) return;
    this.#postings.settle();
    const rarity = Math.log(1 + (this.#lengths.documents - frequency + 0.5) / (frequency + 0.5));
    const factor = weight * rarity * (SATURATION + 1);
    const [start, end] = [this.#postings.start(term), this.#postings.end(term)];
    this.#accumulate(this.#postings.entries.subarray(start, end), factor, scores);
    const recent = this.#postings.recent(term);
    if (recent) this.#accumulate(recent, factor, scores);
  }

  /** Gives each document a new number, in the same order; what has none (-1) is dropped for good. */
  compact(numbers: Int32Array): void {
    this.#fill(this.#postings.pack(numbers), this.#lengths.renumbered(numbers));
  }

  /** Everything that {@link restore} needs. */
  content(): FieldIndexContent {
    const [tokens, lengths] = [[...this.#tokens], this.#lengths.all.slice()];
    return { tokens, postings: this.#postings.pack(), lengths };
  }

  /** Takes over the content of an index of the same fields into an empty one, with new numbers as in {@link compact}. */
  restore({ tokens, postings, lengths }: FieldIndexContent, numbers: Int32Array): void {
    for (const token of tokens) this.termOf(token);
    this.#postings = new PostingTable(DOCUMENT_SHIFT, postings);
    this.#fill(this.#postings.pack(numbers), this.#lengths.renumbered(numbers, lengths));
  }

  #fill(postings: PackedPostings, documents: number): void {
    this.#removed = 0;
    // The numbers mean other documents now.
    this.#marks.fill(0);
    const { held, from } = heldByDocument(postings, documents);
    this.#held = new NumberList(held);
    this.#heldFrom = from;
    this.#frequencies.numbers.fill(0);
    for (let document = 0; document < documents; document += 1) {
      const end = from[document + 1] ?? 0;
      for (let at = from[document] ?? 0; at < end; at += 1) this.#countOnce(document, at, 1);
    }
    this.#marked = undefined;
  }

  #addField(document: number, field: number, terms: readonly number[]): void {
    const counts = this.#counts;
    for (const term of terms) counts[term] = (counts[term] ?? 0) + 1;
    for (const term of terms) {
      const count = counts[term] ?? 0;
      if (count === 0) continue;
      counts[term] = 0;
      const entry = (document << DOCUMENT_SHIFT) | (field << 4) | Math.min(HIGHEST_COUNT, count);
      this.#postings.append(term, entry >>> 0);
      this.#held.push((term << 4) | field);
    }
  }

  /** Counts the term at a place of `held`, once for each document. Marks must be clear of this document when it begins. */
  #countOnce(document: number, at: number, step: 1 | -1): void {
    const term = (this.#held.numbers[at] ?? 0) >>> 4;
    // Negative marks are for counting, positive ones for looking up: neither can be mistaken for the other.
    const mark = step === 1 ? -2 * document - 1 : -2 * document - 2;
    if (this.#marks[term] === mark) return;
    this.#marks[term] = mark;
    this.#frequencies.numbers[term] = (this.#frequencies.numbers[term] ?? 0) + step;
  }

  #mark(document: number): void {
    const end = this.#heldFrom[document + 1] ?? 0;
    for (let at = this.#heldFrom[document] ?? 0; at < end; at += 1) {
      this.#marks[(this.#held.numbers[at] ?? 0) >>> 4] = document + 1;
    }
    this.#marked = document;
  }

  #accumulate(entries: Uint32Array, factor: number, scores: Float64Array): void {
    const factors = this.#lengths.factors();
    const fields = this.fields.length;
    let at = 0;
    while (at < entries.length) {
      const document = (entries[at] ?? 0) >>> DOCUMENT_SHIFT;
      let frequency = 0;
      for (; at < entries.length; at += 1) {
        const entry = entries[at] ?? 0;
        if (entry >>> DOCUMENT_SHIFT !== document) break;
        frequency += (entry & HIGHEST_COUNT) * factors.of((entry >>> 4) & (MOST_FIELDS - 1), document * fields);
      }
      scores[document] = (scores[document] ?? 0) + (factor * frequency) / (frequency + SATURATION);
    }
  }

  #growScratch(): void {
    this.#counts = new Uint16Array(this.#counts.length * 2);
    const marks = new Int32Array(this.#marks.length * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}

import { NumberList } from './number-list';

/** The postings of every term in one array: those of term `t` stand from `starts[t]` to before `starts[t + 1]`. */
export interface PackedPostings {
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
}

/** Share of the packed entries from which the new ones are packed as well, and the least number of them. */
const REPACK_SHARE = 0.125;
const REPACK_LEAST = 20_000;

/**
 * Postings by term number: `document << shift | detail`, documents in ascending order. Most stand in one packed array; what has been
 * added since stands beside it until it is worth packing again. A term holds each document in one stretch.
 */
export class PostingTable {
  readonly #shift: number;
  #packed: PackedPostings;
  /** Terms and entries in the order they came in, not packed yet. */
  #newTerms = new NumberList();
  #newEntries = new NumberList();
  /** The new entries by term, as far as they have been sorted in. */
  #recent = new Map<number, number[]>();
  #sortedIn = 0;

  constructor(shift: number, packed: PackedPostings = { starts: new Uint32Array(1), entries: new Uint32Array(0) }) {
    this.#shift = shift;
    this.#packed = packed;
  }

  /** Adds an entry; its document is not below that of any other entry of the term. */
  append(term: number, entry: number): void {
    this.#newTerms.push(term);
    this.#newEntries.push(entry);
  }

  /** The array that {@link start} and {@link end} point into. Valid until the next {@link settle}. */
  get entries(): Uint32Array {
    return this.#packed.entries;
  }

  /** Where the packed entries of a term begin. */
  start(term: number): number {
    return this.#packed.starts[term] ?? 0;
  }

  /** Where they end. */
  end(term: number): number {
    return this.#packed.starts[term + 1] ?? this.start(term);
  }

  /** The entries of a term that are not packed yet. */
  recent(term: number): Uint32Array | undefined {
    const entries = this.#recent.get(term);
    return entries && Uint32Array.from(entries);
  }

  /** Makes everything added visible to the readers. */
  settle(): void {
    const added = this.#newTerms.length;
    if (added === this.#sortedIn) return;
    if (added >= REPACK_LEAST && added >= this.#packed.entries.length * REPACK_SHARE) {
      this.pack();
      return;
    }
    for (let at = this.#sortedIn; at < added; at += 1) {
      const term = this.#newTerms.numbers[at] ?? 0;
      const entry = this.#newEntries.numbers[at] ?? 0;
      const entries = this.#recent.get(term);
      if (entries) entries.push(entry);
      else this.#recent.set(term, [entry]);
    }
    this.#sortedIn = added;
  }

  /**
   * Packs everything. With `numbers`, documents get a new number each, in the same order; entries of those that get none (-1) are
   * dropped.
   */
  pack(numbers?: Int32Array): PackedPostings {
    if (numbers && !isUnchanged(numbers)) this.#renumber(numbers);
    if (this.#newTerms.length === 0) return this.#packed;
    const { starts, entries } = this.#packed;
    const [terms, added] = [this.#newTerms.numbers, this.#newEntries.numbers];
    const from = this.#mergedStarts();
    const merged = new Uint32Array(from.at(-1) ?? 0);
    const next = from.slice();
    for (let term = 0; term + 1 < starts.length; term += 1) {
      const [start = 0, end = 0] = [starts[term], starts[term + 1]];
      if (start === end) continue;
      merged.set(entries.subarray(start, end), next[term]);
      next[term] = (next[term] ?? 0) + end - start;
    }
    for (let index = 0; index < this.#newTerms.length; index += 1) {
      const term = terms[index] ?? 0;
      const at = next[term] ?? 0;
      merged[at] = added[index] ?? 0;
      next[term] = at + 1;
    }
    this.#forgetNew();
    this.#packed = { starts: from, entries: merged };
    return this.#packed;
  }

  /** Where each term's packed and new entries together will begin. */
  #mergedStarts(): Uint32Array {
    const { starts } = this.#packed;
    const terms = this.#newTerms.numbers;
    let count = starts.length - 1;
    for (let index = 0; index < this.#newTerms.length; index += 1) count = Math.max(count, (terms[index] ?? 0) + 1);
    const from = new Uint32Array(count + 1);
    for (let term = 0; term + 1 < starts.length; term += 1) {
      from[term + 1] = (starts[term + 1] ?? 0) - (starts[term] ?? 0);
    }
    for (let index = 0; index < this.#newTerms.length; index += 1) {
      const place = (terms[index] ?? 0) + 1;
      from[place] = (from[place] ?? 0) + 1;
    }
    for (let term = 0; term < count; term += 1) from[term + 1] = (from[term + 1] ?? 0) + (from[term] ?? 0);
    return from;
  }

  #forgetNew(): void {
    this.#newTerms = new NumberList();
    this.#newEntries = new NumberList();
    this.#recent = new Map();
    this.#sortedIn = 0;
  }

  #renumber(numbers: Int32Array): void {
    const { starts, entries } = this.#packed;
    const from = new Uint32Array(starts.length);
    const kept = new Uint32Array(entries.length);
    let count = 0;
    for (let term = 0; term + 1 < starts.length; term += 1) {
      const end = starts[term + 1] ?? 0;
      for (let at = starts[term] ?? 0; at < end; at += 1) {
        const entry = this.#withNumber(entries[at] ?? 0, numbers);
        if (entry < 0) continue;
        kept[count] = entry;
        count += 1;
      }
      from[term + 1] = count;
    }
    this.#packed = { starts: from, entries: kept.subarray(0, count) };
    const [terms, added, length] = [this.#newTerms.numbers, this.#newEntries.numbers, this.#newTerms.length];
    this.#forgetNew();
    for (let index = 0; index < length; index += 1) {
      const entry = this.#withNumber(added[index] ?? 0, numbers);
      if (entry >= 0) this.append(terms[index] ?? 0, entry);
    }
  }

  #withNumber(entry: number, numbers: Int32Array): number {
    const number = numbers[entry >>> this.#shift] ?? -1;
    return number < 0 ? -1 : ((number << this.#shift) | (entry & ((1 << this.#shift) - 1))) >>> 0;
  }
}

/** Whether every document keeps its number. */
function isUnchanged(numbers: Int32Array): boolean {
  for (let document = 0; document < numbers.length; document += 1) if (numbers[document] !== document) return false;
  return true;
}

/** The same postings by document: what each document holds as `term << 4 | field`, and where each document's stretch begins. */
export function heldByDocument(
  { starts, entries }: PackedPostings,
  documents: number,
): { readonly held: Uint32Array; readonly from: number[] } {
  const counts = new Uint32Array(documents + 1);
  for (const entry of entries) counts[(entry >>> 8) + 1] = (counts[(entry >>> 8) + 1] ?? 0) + 1;
  for (let document = 0; document < documents; document += 1)
    counts[document + 1] = (counts[document + 1] ?? 0) + (counts[document] ?? 0);
  const from = Array.from(counts);
  const held = new Uint32Array(entries.length);
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const entry = entries[at] ?? 0;
      const place = counts[entry >>> 8] ?? 0;
      held[place] = (term << 4) | ((entry >>> 4) & 15);
      counts[entry >>> 8] = place + 1;
    }
  }
  return { held, from };
}

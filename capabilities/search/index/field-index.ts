/** One searchable field: its weight, and how much its length counts (BM25's `b`, 0 to 1). */
export interface FieldWeight {
  readonly weight: number;
  readonly lengthShare: number;
}

interface Posting {
  /** `document << 8 | field << 4 | count` of every occurrence, documents in ascending order. */
  readonly entries: number[];
  /** Documents that hold the term and are still present. */
  documents: number;
}

/** Most fields, and highest count of one term in one field, that an entry can tell apart. */
const MOST_FIELDS = 16;
const HIGHEST_COUNT = 15;
/** Saturation of the term frequency (BM25's `k1`). */
const SATURATION = 1.2;

/**
 * An inverted index with field-weighted BM25 (BM25F: Robertson, Zaragoza, Taylor 2004): the frequencies of all fields are added up,
 * each weighted and normalised by its own length, before they are saturated once. Documents are numbers given by the caller in ascending
 * order. Removing keeps the entries and takes away their weight; {@link deadShare} says when a rebuild pays.
 */
export class FieldIndex<Field extends string> {
  readonly #fields: readonly Field[];
  readonly #weights: readonly FieldWeight[];
  readonly #postings = new Map<string, Posting>();
  /** Tokens in a field, by field and document; -1 when the document is gone. */
  readonly #lengths: number[][];
  readonly #totals: number[];
  /** Factor of one occurrence, by field and document; worked out when the averages have moved. */
  #factors: Float64Array[] = [];
  #isStale = true;
  #present = 0;
  #removed = 0;

  constructor(fields: Readonly<Record<Field, FieldWeight>>) {
    this.#fields = Object.keys(fields) as Field[];
    if (this.#fields.length > MOST_FIELDS) throw new Error(`At most ${MOST_FIELDS} fields.`);
    this.#weights = this.#fields.map((field) => fields[field]);
    this.#lengths = this.#fields.map(() => []);
    this.#totals = this.#fields.map(() => 0);
  }

  /** Share of the entries' documents that are gone. */
  get deadShare(): number {
    return this.#removed / Math.max(1, this.#present + this.#removed);
  }

  /** Adds a document with the tokens of each field. */
  add(document: number, tokens: Readonly<Record<Field, readonly string[]>>): void {
    const seen = new Map<string, number[]>();
    this.#fields.forEach((name, field) => {
      this.#setLength(field, document, tokens[name].length);
      for (const token of tokens[name]) countInto(seen, token, field);
    });
    for (const [token, counts] of seen) {
      const posting = this.#postings.get(token) ?? { entries: [], documents: 0 };
      posting.documents += 1;
      counts.forEach((count, field) => {
        posting.entries.push((document << 8) | (field << 4) | Math.min(HIGHEST_COUNT, count));
      });
      this.#postings.set(token, posting);
    }
    this.#present += 1;
    this.#isStale = true;
  }

  /** Takes a document out. `tokens` are those it was added with. */
  remove(document: number, tokens: Readonly<Record<Field, readonly string[]>>): void {
    this.#fields.forEach((name, field) => {
      this.#totals[field] = (this.#totals[field] ?? 0) - tokens[name].length;
      const lengths = this.#lengths[field];
      if (lengths) lengths[document] = -1;
    });
    for (const token of new Set(this.#fields.flatMap((name) => tokens[name]))) {
      const posting = this.#postings.get(token);
      if (!posting) continue;
      posting.documents -= 1;
      if (posting.documents === 0) this.#postings.delete(token);
    }
    this.#present -= 1;
    this.#removed += 1;
    this.#isStale = true;
  }

  /** How many documents hold a token. */
  frequency(token: string): number {
    return this.#postings.get(token)?.documents ?? 0;
  }

  /** Adds `weight` times the BM25F score of a token to `scores`, by document. */
  accumulate(token: string, weight: number, scores: Float64Array): void {
    const posting = this.#postings.get(token);
    if (!posting) return;
    this.#refreshFactors();
    const rarity = Math.log(1 + (this.#present - posting.documents + 0.5) / (posting.documents + 0.5));
    const factor = weight * rarity * (SATURATION + 1);
    const { entries } = posting;
    for (let at = 0; at < entries.length;) {
      const document = (entries[at] ?? 0) >>> 8;
      let frequency = 0;
      for (let entry = entries[at] ?? 0; at < entries.length && entry >>> 8 === document; entry = entries[at] ?? 0) {
        frequency += (entry & 15) * (this.#factors[(entry >>> 4) & 15]?.[document] ?? 0);
        at += 1;
      }
      scores[document] = (scores[document] ?? 0) + (factor * frequency) / (frequency + SATURATION);
    }
  }

  #setLength(field: number, document: number, length: number): void {
    const lengths = this.#lengths[field];
    if (!lengths) return;
    while (lengths.length < document) lengths.push(-1);
    lengths[document] = length;
    this.#totals[field] = (this.#totals[field] ?? 0) + length;
  }

  #refreshFactors(): void {
    if (!this.#isStale) return;
    this.#factors = this.#weights.map(({ weight, lengthShare }, field) => {
      const average = Math.max(1, (this.#totals[field] ?? 0) / Math.max(1, this.#present));
      const lengths = this.#lengths[field] ?? [];
      return Float64Array.from(lengths, (length) =>
        length < 0 ? 0 : weight / (1 - lengthShare + (lengthShare * length) / average),
      );
    });
    this.#isStale = false;
  }
}

/** Counts a token by field, in one small list per token. */
function countInto(seen: Map<string, number[]>, token: string, field: number): void {
  const counts = seen.get(token);
  if (!counts) {
    const first: number[] = [];
    first[field] = 1;
    seen.set(token, first);
  } else {
    counts[field] = (counts[field] ?? 0) + 1;
  }
}

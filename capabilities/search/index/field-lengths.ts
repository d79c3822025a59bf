/** One searchable field: its weight, and how much its length counts (BM25's `b`, 0 to 1). */
export interface FieldWeight {
  readonly weight: number;
  readonly lengthShare: number;
}

/** What one occurrence of a term counts in a field of a document. */
export interface OccurrenceFactors {
  /** `base` is the document's number times the number of fields. Zero for a document that is gone. */
  of(field: number, base: number): number;
}

/** Stands for the length of a document that is gone or was never there. */
const GONE = 0xffff;
/** Lengths up to this are looked up, not worked out. */
const TABLE_BITS = 8;

/** How many tokens each document has in each field, and what follows from it for the weight of one occurrence. */
export class FieldLengths implements OccurrenceFactors {
  readonly #weights: readonly FieldWeight[];
  readonly #totals: number[];
  /** By document and field. */
  #lengths = new Uint16Array(0);
  readonly #table: Float64Array;
  #isStale = true;
  #end = 0;
  #documents = 0;

  constructor(weights: readonly FieldWeight[]) {
    this.#weights = weights;
    this.#totals = weights.map(() => 0);
    this.#table = new Float64Array(weights.length << TABLE_BITS);
  }

  /** Number of documents present. */
  get documents(): number {
    return this.#documents;
  }

  /** Every length, by document and field. */
  get all(): Uint16Array {
    return this.#lengths.subarray(0, this.#end * this.#weights.length);
  }

  /** Adds a document with the length of each field; what is longer than 65,534 counts as that. */
  add(document: number, lengths: readonly number[]): void {
    const base = document * this.#weights.length;
    this.#reserve(base + this.#weights.length);
    lengths.forEach((length, field) => {
      const counted = Math.min(GONE - 1, length);
      this.#lengths[base + field] = counted;
      this.#totals[field] = (this.#totals[field] ?? 0) + counted;
    });
    this.#end = Math.max(this.#end, document + 1);
    this.#documents += 1;
    this.#isStale = true;
  }

  /** Takes a document out. */
  remove(document: number): void {
    const base = document * this.#weights.length;
    this.#totals.forEach((total, field) => {
      this.#totals[field] = total - (this.#lengths[base + field] ?? 0);
      this.#lengths[base + field] = GONE;
    });
    this.#documents -= 1;
    this.#isStale = true;
  }

  /** Takes over lengths with a new number for each document, -1 for none, and returns how many there are. Numbers are dense and ascend. */
  renumbered(numbers: Int32Array, lengths: Uint16Array = this.all): number {
    const fields = this.#weights.length;
    const kept = new Uint16Array(lengths.length);
    this.#totals.fill(0);
    this.#documents = 0;
    for (let document = 0; document < numbers.length; document += 1) {
      if ((numbers[document] ?? -1) < 0) continue;
      for (let field = 0; field < fields; field += 1) {
        const length = lengths[document * fields + field] ?? 0;
        kept[this.#documents * fields + field] = length;
        this.#totals[field] = (this.#totals[field] ?? 0) + length;
      }
      this.#documents += 1;
    }
    this.#end = this.#documents;
    this.#lengths = kept.slice(0, this.#end * fields);
    this.#isStale = true;
    return this.#documents;
  }

  /** The factors for the documents that are there now. */
  factors(): OccurrenceFactors {
    if (this.#isStale) this.#fillTable();
    return this;
  }

  of(field: number, base: number): number {
    const length = this.#lengths[base + field] ?? GONE;
    if (length >>> TABLE_BITS === 0) return this.#table[(field << TABLE_BITS) | length] ?? 0;
    return length === GONE ? 0 : this.#factor(field, length);
  }

  #factor(field: number, length: number): number {
    const { weight = 0, lengthShare = 0 } = this.#weights[field] ?? {};
    const average = Math.max(1, (this.#totals[field] ?? 0) / Math.max(1, this.#documents));
    return weight / (1 - lengthShare + (lengthShare * length) / average);
  }

  #fillTable(): void {
    for (let place = 0; place < this.#table.length; place += 1) {
      this.#table[place] = this.#factor(place >>> TABLE_BITS, place & ((1 << TABLE_BITS) - 1));
    }
    this.#isStale = false;
  }

  #reserve(length: number): void {
    if (length <= this.#lengths.length) return;
    const larger = new Uint16Array(Math.max(length, Math.ceil(this.#lengths.length * 1.5), 256)).fill(GONE);
    larger.set(this.#lengths);
    this.#lengths = larger;
  }
}

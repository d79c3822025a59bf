interface Posting {
  /** `document << 4 | count`, documents in ascending order. */
  readonly entries: number[];
  documents: number;
}

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu;
const HAN_RUN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Longest text looked at, in UTF-16 units. */
const LONGEST_TEXT = 400;
const HIGHEST_COUNT = 15;
/** Norms are worked out anew when this share of the documents has changed; until then the drift of the rarities is ignored. */
const DRIFT = 0.02;

/**
 * Cosine similarity of character trigrams (single characters and pairs for Chinese and Japanese), rare ones counting more: finds near
 * spellings and shared parts of words. Documents are numbers given in ascending order.
 */
export class GramIndex {
  readonly #postings = new Map<string, Posting>();
  readonly #norms: number[] = [];
  #present = 0;
  #changes = 0;
  #removed = 0;

  /** Share of the documents that are gone but still in the lists. */
  get deadShare(): number {
    return this.#removed / Math.max(1, this.#present + this.#removed);
  }

  /** Adds a document. */
  add(document: number, text: string): void {
    const grams = countGrams(text);
    for (const [gram, count] of grams) {
      const posting = this.#postings.get(gram) ?? { entries: [], documents: 0 };
      posting.documents += 1;
      posting.entries.push((document << 4) | count);
      this.#postings.set(gram, posting);
    }
    this.#present += 1;
    this.#changes += 1;
    this.#norms[document] = this.#normOf(grams);
  }

  /** Takes a document out. `text` is what it was added with. */
  remove(document: number, text: string): void {
    for (const gram of countGrams(text).keys()) {
      const posting = this.#postings.get(gram);
      if (!posting) continue;
      posting.documents -= 1;
      if (posting.documents === 0) this.#postings.delete(gram);
    }
    this.#norms[document] = 0;
    this.#present -= 1;
    this.#removed += 1;
    this.#changes += 1;
  }

  /** Adds the similarity to the text, 0 to 1, to `scores`, by document. */
  accumulate(text: string, scores: Float64Array): void {
    this.#refreshNorms();
    const grams = countGrams(text);
    const norm = this.#normOf(grams);
    if (norm === 0) return;
    for (const [gram, count] of grams) {
      const posting = this.#postings.get(gram);
      if (!posting) continue;
      const rarity = this.#rarity(posting);
      const weight = (damp(count) * rarity * rarity) / norm;
      for (const entry of posting.entries) {
        const document = entry >>> 4;
        const own = this.#norms[document] ?? 0;
        if (own > 0) scores[document] = (scores[document] ?? 0) + (weight * damp(entry & HIGHEST_COUNT)) / own;
      }
    }
  }

  #rarity({ documents }: Posting): number {
    return Math.log(1 + this.#present / (1 + documents));
  }

  #normOf(grams: ReadonlyMap<string, number>): number {
    let squares = 0;
    for (const [gram, count] of grams) {
      const posting = this.#postings.get(gram);
      if (posting) squares += (damp(count) * this.#rarity(posting)) ** 2;
    }
    return Math.sqrt(squares);
  }

  #refreshNorms(): void {
    if (this.#changes <= this.#present * DRIFT) return;
    const squares = new Float64Array(this.#norms.length);
    for (const posting of this.#postings.values()) {
      const rarity = this.#rarity(posting);
      for (const entry of posting.entries) {
        const document = entry >>> 4;
        squares[document] = (squares[document] ?? 0) + (damp(entry & HIGHEST_COUNT) * rarity) ** 2;
      }
    }
    squares.forEach((sum, document) => {
      // Zero marks a document that is gone.
      if ((this.#norms[document] ?? 0) > 0) this.#norms[document] = Math.sqrt(sum);
    });
    this.#changes = 0;
  }
}

const DAMPED = Array.from({ length: HIGHEST_COUNT + 1 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)));

/** Logarithmic term frequency. */
function damp(count: number): number {
  return DAMPED[count] ?? 0;
}

function countGrams(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (gram: string): void => {
    counts.set(gram, Math.min(HIGHEST_COUNT, (counts.get(gram) ?? 0) + 1));
  };
  for (const [run] of text.normalize('NFKC').toLowerCase().slice(0, LONGEST_TEXT).matchAll(RUN)) {
    if (HAN_RUN.test(run)) countHan(run, count);
    else countTrigrams(` ${run} `, count);
  }
  return counts;
}

function countHan(run: string, count: (gram: string) => void): void {
  const characters = Array.from(run);
  characters.forEach((character, index) => {
    count(character);
    const next = characters[index + 1];
    if (next !== undefined) count(character + next);
  });
}

function countTrigrams(run: string, count: (gram: string) => void): void {
  for (let index = 0; index + 3 <= run.length; index += 1) count(run.slice(index, index + 3));
}

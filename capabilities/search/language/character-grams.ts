interface GramDocument {
  readonly grams: ReadonlyMap<string, number>;
  readonly norm: number;
}

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu;
const HAN_RUN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Longest text looked at, in UTF-16 units. */
const LONGEST_TEXT = 400;

function countGrams(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (gram: string): void => {
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  };
  for (const [run] of text.normalize('NFKC').toLowerCase().slice(0, LONGEST_TEXT).matchAll(RUN)) {
    const isHan = HAN_RUN.test(run);
    const characters = Array.from(isHan ? run : ` ${run} `);
    const size = isHan ? 2 : 3;
    if (isHan) characters.forEach(count);
    for (let index = 0; index + size <= characters.length; index += 1)
      count(characters.slice(index, index + size).join(''));
  }
  return counts;
}

function weightOf(count: number): number {
  return 1 + Math.log(count);
}

function documentOf(text: string): GramDocument {
  const grams = new Map<string, number>();
  let squares = 0;
  for (const [gram, count] of countGrams(text)) {
    const weight = weightOf(count);
    grams.set(gram, weight);
    squares += weight * weight;
  }
  return { grams, norm: Math.sqrt(squares) || 1 };
}

/** Index of character trigrams (single characters and pairs for Chinese and Japanese): finds near spellings and shared word parts. */
export class CharacterGrams {
  readonly #documents = new Map<string, GramDocument>();
  readonly #postings = new Map<string, Map<string, number>>();

  /** Adds or replaces a text. */
  set(key: string, text: string): void {
    this.delete(key);
    const document = documentOf(text);
    this.#documents.set(key, document);
    for (const [gram, weight] of document.grams) {
      const posting = this.#postings.get(gram);
      if (posting === undefined) this.#postings.set(gram, new Map([[key, weight]]));
      else posting.set(key, weight);
    }
  }

  /** Forgets a text; unknown keys are ignored. */
  delete(key: string): void {
    for (const gram of this.#documents.get(key)?.grams.keys() ?? []) {
      const posting = this.#postings.get(gram);
      posting?.delete(key);
      if (posting?.size === 0) this.#postings.delete(gram);
    }
    this.#documents.delete(key);
  }

  /** Cosine similarity, 0 to 1, of every text that shares a gram which is not in most of them. */
  similarities(text: string): ReadonlyMap<string, number> {
    const query = documentOf(text);
    const common = Math.max(20, this.#documents.size / 3);
    const scores = new Map<string, number>();
    for (const [gram, weight] of query.grams) {
      const posting = this.#postings.get(gram);
      if (posting === undefined || posting.size > common) continue;
      for (const [key, other] of posting) scores.set(key, (scores.get(key) ?? 0) + weight * other);
    }
    for (const [key, score] of scores) scores.set(key, score / (query.norm * (this.#documents.get(key)?.norm ?? 1)));
    return scores;
  }
}

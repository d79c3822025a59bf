import type { PlainTool } from '../plain-dataset';
import type { Ranker } from '../ranker';
import { contentWords, toolText } from './baseline-words';

const K1 = 1.2;
const B = 0.75;
const DEEPEST = 100;

interface Posting {
  readonly document: number;
  readonly count: number;
}

/** Textbook BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) over segmented words without stop words: what there is to beat. */
export class OkapiRanker implements Ranker {
  readonly #ids: readonly string[];
  readonly #lengths: readonly number[];
  readonly #meanLength: number;
  readonly #postings = new Map<string, Posting[]>();

  constructor(tools: readonly PlainTool[]) {
    const documents = tools.map((tool) => contentWords(toolText(tool)));
    this.#ids = tools.map((tool) => tool.id);
    this.#lengths = documents.map((words) => words.length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    documents.forEach((words, document) => {
      this.#add(words, document);
    });
  }

  rank(query: string): Promise<readonly string[]> {
    const scores = new Map<number, number>();
    for (const word of contentWords(query)) {
      const postings = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#ids.length - postings.length + 0.5) / (postings.length + 0.5));
      for (const { document, count } of postings) {
        const length = (this.#lengths[document] ?? 0) / this.#meanLength;
        const gain = (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        scores.set(document, (scores.get(document) ?? 0) + gain);
      }
    }
    const best = [...scores].sort(([left, one], [right, other]) => other - one || left - right).slice(0, DEEPEST);
    return Promise.resolve(best.map(([document]) => this.#ids[document] ?? ''));
  }

  #add(words: readonly string[], document: number): void {
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word);
      if (postings) postings.push({ document, count });
      else this.#postings.set(word, [{ document, count }]);
    }
  }
}

import MiniSearch from 'minisearch';
import type { PlainTool } from '../plain-dataset';
import type { Ranker } from '../ranker';
import { segmentWords } from './baseline-words';

const DEEPEST = 100;

/** MiniSearch as it comes, with the platform's word segmenter in the place of its own splitting. */
export class MiniSearchRanker implements Ranker {
  readonly #index: MiniSearch<Pick<PlainTool, 'id' | 'name' | 'description'>>;

  constructor(tools: readonly PlainTool[]) {
    this.#index = new MiniSearch({ fields: ['name', 'description'], tokenize: (text) => [...segmentWords(text)] });
    this.#index.addAll(tools);
  }

  rank(query: string): Promise<readonly string[]> {
    const found = this.#index.search(query);
    return Promise.resolve(found.slice(0, DEEPEST).map((result) => String(result.id)));
  }
}

import type { RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { SearchIndex } from '../search-index';

/** Full-text retrieval over every metadata field and the arguments' names and descriptions, with translations and near spellings. */
export class LexicalRetriever implements Retriever {
  readonly name = 'lexical';
  readonly #index: SearchIndex;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    this.#index.refresh();
    const { terms, expansions } = context.query;
    const admits = (key: string): boolean => {
      const resource = this.#index.resourceOf(key);
      return resource !== undefined && context.admits(resource);
    };
    const hits = this.#index.search({ text: terms.join(' '), terms, expansions }, admits, context.limit);
    return Promise.resolve(hits.map((hit, index) => ({ ...hit, rank: index + 1 })));
  }
}

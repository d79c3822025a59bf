import type { RegistryView, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { SearchIndex } from '../search-index';

const IDENTIFIER = /[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)+|[a-z0-9]+(?:_[a-z0-9]+)+/giu;

/** Finds resources that the query calls by id, alias or tool name, in the order named, then ids that start with an identifier in it. */
export class ExactRetriever implements Retriever {
  readonly name = 'exact';
  readonly #registry: RegistryView;
  readonly #index: SearchIndex;

  constructor(registry: RegistryView, index: SearchIndex) {
    this.#registry = registry;
    this.#index = index;
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    const named = context.query.explicitKeys
      .map((key) => this.#registry.get(key))
      .filter((resource) => resource !== undefined && context.admits(resource))
      .map((resource) => resource?.key ?? '');
    const keys = [...new Set([...named, ...this.#startingWith(context)])].slice(0, context.limit);
    return Promise.resolve(
      keys.map((key, index) => ({
        key,
        rank: index + 1,
        score: named.includes(key) ? 1 : 0.5,
        matchedFields: [named.includes(key) ? 'name' : 'id prefix'],
      })),
    );
  }

  #startingWith(context: RetrievalContext): readonly string[] {
    const prefixes = Array.from(context.query.text.matchAll(IDENTIFIER), (match) => match[0].toLowerCase());
    if (prefixes.length === 0) return [];
    this.#index.refresh();
    return this.#index
      .resourcesWhere(({ id }) => prefixes.some((prefix) => id.startsWith(prefix)))
      .filter((resource) => context.admits(resource))
      .map((resource) => resource.key);
  }
}

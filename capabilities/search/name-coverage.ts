import type { ParsedQuery, Resource } from '../models';
import type { SearchIndex } from './search-index';

/** A whole name beside its words, which `tokenize` keeps as well. */
const JOINED = /[._-]/u;

/**
 * Measures how much of a resource's name a query says. Ranking by words alone favours what shares many words with the query; a short
 * name said in full is the stronger sign.
 */
export class NameCoverage {
  readonly #index: SearchIndex;
  #last: { readonly query: ParsedQuery; readonly words: ReadonlySet<string> } | undefined;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** Share of the name's words, rare ones counting more, that the query or its translations hold: 0 to 1. */
  share(resource: Resource, query: ParsedQuery): number {
    const words = this.#wordsOf(query);
    let total = 0;
    let covered = 0;
    for (const token of new Set(this.#index.profile(resource).fields.name.split(' '))) {
      if (token === '' || JOINED.test(token)) continue;
      const rarity = Math.log(1 + this.#index.size / (1 + this.#index.frequency(token)));
      total += rarity;
      if (words.has(token)) covered += rarity;
    }
    return total === 0 ? 0 : covered / total;
  }

  /** One query is compared with many names in a row. */
  #wordsOf(query: ParsedQuery): ReadonlySet<string> {
    if (this.#last?.query !== query) {
      this.#last = { query, words: new Set([...query.terms, ...query.expansions]) };
    }
    return this.#last.words;
  }
}

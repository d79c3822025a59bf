import type { TokenSet } from '../resource-profile';
import type { TextIndex } from './text-index';

/** The tokens of a resource, as the index has them. */
export class IndexedWords implements TokenSet {
  readonly #key: string;
  readonly #text: TextIndex;

  constructor(key: string, text: TextIndex) {
    this.#key = key;
    this.#text = text;
  }

  has(token: string): boolean {
    return this.#text.holds(this.#key, token);
  }
}

interface TrieNode<T> {
  readonly next: Map<string, TrieNode<T>>;
  readonly values: T[];
}

/** One phrase found in a sequence of units; `start` and `end` are indices of units, half open. */
export interface PhraseMatch<T> {
  readonly start: number;
  readonly end: number;
  readonly values: readonly T[];
}

/** Finds known phrases in a sequence of units, each start walked once. */
export class PhraseTrie<T> {
  readonly #root: TrieNode<T> = { next: new Map(), values: [] };

  /** Adds a phrase; an empty one is ignored. */
  add(units: readonly string[], value: T): void {
    if (units.length === 0) return;
    let node = this.#root;
    for (const unit of units) {
      let next = node.next.get(unit);
      if (next === undefined) {
        next = { next: new Map(), values: [] };
        node.next.set(unit, next);
      }
      node = next;
    }
    node.values.push(value);
  }

  /** Values of exactly this phrase. */
  get(units: readonly string[]): readonly T[] {
    let node: TrieNode<T> | undefined = this.#root;
    for (const unit of units) node = node?.next.get(unit);
    return node?.values ?? [];
  }

  /** Leftmost longest phrases, none overlapping another; only phrases with a value that `accepts` count. */
  longestMatches(units: readonly string[], accepts: (value: T) => boolean = () => true): readonly PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    let position = 0;
    while (position < units.length) {
      const match = this.#longestAt(units, position, accepts);
      if (match !== undefined) found.push(match);
      position = match?.end ?? position + 1;
    }
    return found;
  }

  #longestAt(units: readonly string[], start: number, accepts: (value: T) => boolean): PhraseMatch<T> | undefined {
    let node: TrieNode<T> = this.#root;
    let best: PhraseMatch<T> | undefined;
    for (let index = start; index < units.length; index += 1) {
      const next = node.next.get(units[index] ?? '');
      if (next === undefined) break;
      node = next;
      if (node.values.some(accepts)) best = { start, end: index + 1, values: node.values };
    }
    return best;
  }
}

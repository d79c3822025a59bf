/** One step on the way of a phrase. Most steps have one way on: a map of each would be most of the memory. */
interface TrieNode<T> {
  /** The only unit that leads on, with where to. */
  unit: string | undefined;
  only: TrieNode<T> | undefined;
  /** All ways on, where there are several. */
  next: Map<string, TrieNode<T>> | undefined;
  values: T[] | undefined;
}

/** One phrase found in a sequence of units; `start` and `end` are indices of units, half open. */
export interface PhraseMatch<T> {
  readonly start: number;
  readonly end: number;
  readonly values: readonly T[];
}

function newNode<T>(): TrieNode<T> {
  return { unit: undefined, only: undefined, next: undefined, values: undefined };
}

function childOf<T>(node: TrieNode<T>, unit: string): TrieNode<T> | undefined {
  return node.next ? node.next.get(unit) : node.unit === unit ? node.only : undefined;
}

function attach<T>(node: TrieNode<T>, unit: string, child: TrieNode<T>): void {
  if (node.next) {
    node.next.set(unit, child);
  } else if (node.unit === undefined || !node.only) {
    node.unit = unit;
    node.only = child;
  } else {
    node.next = new Map([
      [node.unit, node.only],
      [unit, child],
    ]);
    node.unit = undefined;
    node.only = undefined;
  }
}

function detach<T>(node: TrieNode<T>, unit: string): void {
  if (node.next) node.next.delete(unit);
  else if (node.unit === unit) {
    node.unit = undefined;
    node.only = undefined;
  }
}

function isBare<T>(node: TrieNode<T>): boolean {
  return node.values === undefined && node.unit === undefined && (node.next?.size ?? 0) === 0;
}

/** Finds known phrases in a sequence of units, each start walked once. */
export class PhraseTrie<T> {
  readonly #root: TrieNode<T> = newNode();

  /** Adds a phrase; an empty one is ignored. */
  add(units: readonly string[], value: T): void {
    if (units.length === 0) return;
    let node = this.#root;
    for (const unit of units) {
      let next = childOf(node, unit);
      if (next === undefined) {
        next = newNode();
        attach(node, unit, next);
      }
      node = next;
    }
    if (node.values) node.values.push(value);
    else node.values = [value];
  }

  /** Takes back one {@link add} of the same units, of the first value that `isIt`. */
  remove(units: readonly string[], isIt: (value: T) => boolean): void {
    const path: TrieNode<T>[] = [this.#root];
    for (const unit of units) {
      const next = childOf(path.at(-1) ?? this.#root, unit);
      if (next === undefined) return;
      path.push(next);
    }
    const last = path.at(-1);
    const place = last?.values?.findIndex(isIt) ?? -1;
    if (!last?.values || place < 0) return;
    last.values.splice(place, 1);
    if (last.values.length === 0) last.values = undefined;
    for (let depth = units.length; depth > 0; depth -= 1) {
      const [node, above] = [path[depth], path[depth - 1]];
      if (!node || !above || !isBare(node)) return;
      detach(above, units[depth - 1] ?? '');
    }
  }

  /** Values of exactly this phrase. */
  get(units: readonly string[]): readonly T[] {
    let node: TrieNode<T> | undefined = this.#root;
    for (const unit of units) node = node && childOf(node, unit);
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
      const next = childOf(node, units[index] ?? '');
      if (next === undefined) break;
      node = next;
      if (node.values?.some(accepts)) best = { start, end: index + 1, values: node.values };
    }
    return best;
  }
}

/** Gives every indexed key a small number, so that scores can stand in arrays. A number is never used twice. */
export class DocumentTable {
  readonly #keys: (string | undefined)[] = [];
  readonly #numbers = new Map<string, number>();

  /** Number of documents present. */
  get size(): number {
    return this.#numbers.size;
  }

  /** One more than the highest number given so far. */
  get capacity(): number {
    return this.#keys.length;
  }

  /** Adds a key that is not present and returns its number. */
  add(key: string): number {
    const number = this.#keys.push(key) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Forgets a key and returns the number it had. */
  remove(key: string): number | undefined {
    const number = this.#numbers.get(key);
    if (number === undefined) return undefined;
    this.#keys[number] = undefined;
    this.#numbers.delete(key);
    return number;
  }

  /** The key of a number; undefined when it was removed. */
  keyOf(number: number): string | undefined {
    return this.#keys[number];
  }
}

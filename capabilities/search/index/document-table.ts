/** Gives every indexed key a small number, so that scores can stand in arrays. A number is used once between two calls of {@link compact}. */
export class DocumentTable {
  #keys: (string | undefined)[] = [];
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

  /** The number of a key that is present. */
  numberOf(key: string): number | undefined {
    return this.#numbers.get(key);
  }

  /** Gives the keys new numbers without gaps, in the same order, and returns the new number by the old one, -1 for one that was removed. */
  compact(): Int32Array {
    const numbers = new Int32Array(this.capacity).fill(-1);
    const keys = this.#keys;
    this.#keys = [];
    this.#numbers.clear();
    keys.forEach((key, number) => {
      if (key !== undefined) numbers[number] = this.add(key);
    });
    return numbers;
  }

  /** The keys present, by their numbers. */
  keys(): readonly string[] {
    return this.#keys.filter((key) => key !== undefined);
  }
}

/** A list of whole numbers from 0 to 2^32 − 1 that grows, four bytes each. */
export class NumberList {
  #numbers: Uint32Array;
  #length: number;

  /** Takes the numbers over without copying them. */
  constructor(numbers: Uint32Array = new Uint32Array(0)) {
    this.#numbers = numbers;
    this.#length = numbers.length;
  }

  get length(): number {
    return this.#length;
  }

  /** The numbers, followed by spare places up to the array's own length. Valid until the next push. */
  get numbers(): Uint32Array {
    return this.#numbers;
  }

  /** Adds a number at the end. */
  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  #grow(): void {
    const larger = new Uint32Array(Math.max(16, Math.ceil(this.#numbers.length * 1.5)));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}

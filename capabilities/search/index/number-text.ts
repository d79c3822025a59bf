/** First of the 64 characters, `0` to `o`, that numbers are written with. */
const ZERO = 48;
const DIGIT_BITS = 5;
const DIGIT_MASK = 31;
/** Set in a digit that is not the last of its number. */
const MORE = 32;

/** Writes whole numbers from 0 to 2^32 − 1 as ASCII text: five bits a character, low ones first, small numbers in one character. */
export class NumberWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  /** Adds a number. */
  write(number: number): void {
    if (this.#length + 7 > this.#bytes.length) this.#grow();
    let rest = number >>> 0;
    while (rest > DIGIT_MASK) {
      this.#bytes[this.#length] = ZERO + ((rest & DIGIT_MASK) | MORE);
      this.#length += 1;
      rest >>>= DIGIT_BITS;
    }
    this.#bytes[this.#length] = ZERO + rest;
    this.#length += 1;
  }

  /** Adds a list: its length, then its numbers. */
  writeAll(numbers: ArrayLike<number>): void {
    this.write(numbers.length);
    for (let at = 0; at < numbers.length; at += 1) this.write(numbers[at] ?? 0);
  }

  /** Everything written. */
  text(): string {
    return new TextDecoder('latin1').decode(this.#bytes.subarray(0, this.#length));
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what a {@link NumberWriter} has written. Past the end it reads zeros: check {@link isAtEnd}. */
export class NumberReader {
  /** Bytes are read several times as fast as the characters of a part of a long string. */
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text);
  }

  /** Whether everything was read, and no more. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The most numbers that there can be. */
  get most(): number {
    return this.#bytes.length;
  }

  /** The next number. */
  read(): number {
    const bytes = this.#bytes;
    let digit = (bytes[this.#at] ?? ZERO) - ZERO;
    this.#at += 1;
    let number = digit & DIGIT_MASK;
    for (let shift = DIGIT_BITS; (digit & MORE) !== 0; shift += DIGIT_BITS) {
      digit = (bytes[this.#at] ?? ZERO) - ZERO;
      this.#at += 1;
      number |= (digit & DIGIT_MASK) << shift;
    }
    return number >>> 0;
  }

  /** The next list. */
  readAll(): Uint32Array {
    const numbers = new Uint32Array(Math.min(this.read(), this.most));
    for (let at = 0; at < numbers.length; at += 1) numbers[at] = this.read();
    return numbers;
  }

  /** The next `count` numbers, each added to the ones before it, into a stretch of `sums`. */
  readSums(sums: Uint32Array, from: number, count: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    let sum = 0;
    for (let place = from; place < from + count; place += 1) {
      let digit = (bytes[at] ?? ZERO) - ZERO;
      at += 1;
      let number = digit & DIGIT_MASK;
      for (let shift = DIGIT_BITS; (digit & MORE) !== 0; shift += DIGIT_BITS) {
        digit = (bytes[at] ?? ZERO) - ZERO;
        at += 1;
        number |= (digit & DIGIT_MASK) << shift;
      }
      sum += number >>> 0;
      sums[place] = sum;
    }
    this.#at = at;
  }
}

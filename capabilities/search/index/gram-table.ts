/** Numbers for character grams: trigrams of `a–z0–9` and the space by arithmetic, all others by look-up. */
const LETTERS = 37;

/** Place of a character in the alphabet of plain grams, the space first; -1 when it is not in it. */
export function plainLetter(code: number): number {
  if (code >= 97 && code <= 122) return code - 96;
  if (code >= 48 && code <= 57) return code - 21;
  return code === 32 ? 0 : -1;
}

/** Gives every gram a small number, in the order in which they come. */
export class GramTable {
  readonly #plain = new Int32Array(LETTERS ** 3).fill(-1);
  readonly #others = new Map<string, number>();
  readonly #names: string[] = [];

  /** Every gram by its number. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Number of a gram; -1 when it has none and gets none. */
  numberOf(gram: string, mode: 'add' | 'look-up'): number {
    if (gram.length === 3) {
      const first = plainLetter(gram.charCodeAt(0));
      const second = plainLetter(gram.charCodeAt(1));
      const third = plainLetter(gram.charCodeAt(2));
      if (first >= 0 && second >= 0 && third >= 0) return this.plainNumber(first, second, third, mode);
    }
    const known = this.#others.get(gram);
    if (known !== undefined || mode === 'look-up') return known ?? -1;
    const number = this.#names.push(gram) - 1;
    this.#others.set(gram, number);
    return number;
  }

  /** The same for a trigram of three {@link plainLetter}s. */
  plainNumber(first: number, second: number, third: number, mode: 'add' | 'look-up'): number {
    const place = (first * LETTERS + second) * LETTERS + third;
    const known = this.#plain[place] ?? -1;
    if (known >= 0 || mode === 'look-up') return known;
    const number = this.#names.push([first, second, third].map(letterAt).join('')) - 1;
    this.#plain[place] = number;
    return number;
  }
}

function letterAt(place: number): string {
  return String.fromCharCode(place === 0 ? 32 : place <= 26 ? place + 96 : place + 21);
}

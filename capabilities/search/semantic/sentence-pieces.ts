/** Stands for a space in pieces (U+2581). */
const SPACE = '\u2581';
/** Ids below are control symbols, never text. */
const FIRST_TEXT_PIECE = 6;
/** Score of a character that no piece holds: worse than any piece. */
const UNKNOWN_SCORE = -25;

/** Id of text that no piece covers. */
export const UNKNOWN_PIECE = 0;

/** The text as the pieces were trained on: NFKC, single spaces, one before each word. */
function normalize(text: string): string {
  const words = text.normalize('NFKC').split(/\s+/u).filter(Boolean);
  return words.map((word) => SPACE + word).join('');
}

/**
 * A unigram sentence-piece tokeniser (Kudo 2018): of all ways to cut a text into known pieces, the one with the highest sum of scores,
 * found by dynamic programming. Deterministic; time grows linearly with the text.
 */
export class SentencePieces {
  readonly #ids = new Map<string, number>();
  readonly #scores: Float32Array;
  readonly #longest: number;

  /** `pieces[id]` with its log probability `scores[id]`. */
  constructor(pieces: readonly string[], scores: Float32Array) {
    this.#scores = scores;
    let longest = 1;
    for (const [id, piece] of pieces.entries()) {
      if (id < FIRST_TEXT_PIECE || piece === '') continue;
      this.#ids.set(piece, id);
      longest = Math.max(longest, piece.length);
    }
    this.#longest = longest;
  }

  /** Ids of the best cut, a run of unknown characters as one `UNKNOWN_PIECE`. Empty for a text of white space. */
  encode(text: string): readonly number[] {
    const symbols = normalize(text);
    const { from, piece } = this.#bestCut(symbols);
    const ids: number[] = [];
    for (let end = symbols.length; end > 0; end = from[end] ?? 0) {
      const id = piece[end] ?? UNKNOWN_PIECE;
      if (id !== UNKNOWN_PIECE || ids.at(-1) !== UNKNOWN_PIECE) ids.push(id);
    }
    return ids.reverse();
  }

  /** For every end of a prefix: where its last piece begins, and which piece that is. */
  #bestCut(symbols: string): { readonly from: Int32Array; readonly piece: Int32Array } {
    const best = new Float64Array(symbols.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(symbols.length + 1);
    const piece = new Int32Array(symbols.length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, id: number): void => {
      const score = (best[start] ?? 0) + (id === UNKNOWN_PIECE ? UNKNOWN_SCORE : (this.#scores[id] ?? UNKNOWN_SCORE));
      if (score <= (best[end] ?? 0)) return;
      best[end] = score;
      from[end] = start;
      piece[end] = id;
    };
    for (let start = 0; start < symbols.length; start += 1) {
      offer(start, start + 1, UNKNOWN_PIECE);
      const last = Math.min(symbols.length, start + this.#longest);
      for (let end = start + 1; end <= last; end += 1) {
        const id = this.#ids.get(symbols.slice(start, end));
        if (id !== undefined) offer(start, end, id);
      }
    }
    return { from, piece };
  }
}

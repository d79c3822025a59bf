const FIRST_SEED = 0x811c9dc5;
const SECOND_SEED = 0x9e3779b9;

/**
 * Two independent 32-bit hashes of a text that comes in pieces (FNV-1a and a variant of it): together too long for two different texts to
 * share by chance. Not for secrets, nor against somebody who looks for a collision.
 */
export class TextHash {
  first = FIRST_SEED;
  second = SECOND_SEED;

  /** Forgets what was added. */
  start(): void {
    this.first = FIRST_SEED;
    this.second = SECOND_SEED;
  }

  /** Adds a piece. What parts two pieces counts: "ab c" is not "a bc". */
  add(piece: string): void {
    let [first, second] = [this.first, this.second];
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul((second << 5) ^ (second >>> 27) ^ code, 0x5bd1e995);
    }
    // No character has this code.
    this.first = Math.imul(first ^ 0x10000, 0x01000193) >>> 0;
    this.second = Math.imul((second << 5) ^ (second >>> 27) ^ 0x10000, 0x5bd1e995) >>> 0;
  }
}

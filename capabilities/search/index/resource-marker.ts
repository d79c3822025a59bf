import type { Resource } from '../../models';

/**
 * Marks what definitions say, for noticing changes: two numbers for each, much cheaper than its SHA-256, which most resources are never
 * asked for. A change goes unnoticed once in four thousand million times.
 */
export class ResourceMarker {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(4096);
  #words = new Uint32Array(this.#bytes.buffer);

  /** A 32-bit hash (FNV-1a, by words of four bytes) of the whole definition, and its length. */
  markOf({ definition }: Resource): readonly [number, number] {
    const text = JSON.stringify(definition);
    // A UTF-16 unit takes at most three bytes.
    if (text.length * 3 + 4 > this.#bytes.length) this.#grow(text.length * 3 + 4);
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    this.#bytes.fill(0, written, written + 4);
    const end = (written + 3) >>> 2;
    let hash = 0x811c9dc5;
    for (let at = 0; at < end; at += 1) {
      hash = Math.imul(hash ^ (this.#words[at] ?? 0), 0x01000193);
      // The product moves bits upwards only.
      hash ^= hash >>> 15;
    }
    return [hash >>> 0, written];
  }

  #grow(least: number): void {
    this.#bytes = new Uint8Array(2 ** Math.ceil(Math.log2(least)));
    this.#words = new Uint32Array(this.#bytes.buffer);
  }
}

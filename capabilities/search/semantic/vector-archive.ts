import type { Clock, DataStore, Digest, QuantizedVector, VectorStore } from '../../ports';

/** Vectors kept for one embedder; the oldest files go first. About 770 bytes each. */
const MOST_VECTORS = 100_000;
/** More files than this are put together into larger ones. */
const MOST_FILES = 64;
const VECTORS_PER_FILE = 2048;
const LINE = /^([0-9a-f]{64}) (\S+) (\S+)$/u;

function writeLine([hash, { codes, scale }]: readonly [string, QuantizedVector]): string {
  const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.length);
  return `${hash} ${scale} ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

function readCodes(text: string): Int8Array | undefined {
  try {
    const bytes = atob(text);
    const codes = new Int8Array(bytes.length);
    for (let index = 0; index < codes.length; index += 1) codes[index] = bytes.charCodeAt(index);
    return codes;
  } catch {
    return undefined;
  }
}

function readLine(line: string): readonly [string, QuantizedVector] | undefined {
  const [, hash, scaleText, codesText] = LINE.exec(line) ?? [];
  const scale = Number(scaleText);
  const codes = readCodes(codesText ?? '');
  if (hash === undefined || codes === undefined || codes.length === 0 || !Number.isFinite(scale)) return undefined;
  return [hash, { codes, scale }];
}

/**
 * Vectors in the per-user data folder, shared by every host: text files of one vector a line (hash of the text, scale, codes in base64).
 * Each save is a file of its own, so hosts never write over each other; lines that cannot be read count as unknown.
 */
export class VectorArchive implements VectorStore {
  readonly #data: DataStore;
  readonly #digest: Digest;
  readonly #clock: Clock;

  constructor(data: DataStore, ports: { readonly digest: Digest; readonly clock: Clock }) {
    this.#data = data;
    this.#digest = ports.digest;
    this.#clock = ports.clock;
  }

  async load(embedder: string): Promise<ReadonlyMap<string, QuantizedVector>> {
    const folder = this.#folder(embedder);
    const names = await this.#data.list(folder);
    const vectors = new Map<string, QuantizedVector>();
    for (const name of [...names].reverse()) {
      if (vectors.size >= MOST_VECTORS) await this.#data.remove(`${folder}/${name}`);
      else for (const [hash, vector] of await this.#read(`${folder}/${name}`)) vectors.set(hash, vector);
    }
    if (names.length > MOST_FILES) await this.#putTogether(folder, names, vectors);
    return vectors;
  }

  async save(embedder: string, vectors: ReadonlyMap<string, QuantizedVector>): Promise<void> {
    await this.#write(this.#folder(embedder), [...vectors]);
  }

  async #read(name: string): Promise<readonly (readonly [string, QuantizedVector])[]> {
    const text = await this.#data.read(name).catch(() => undefined);
    const entries = (text ?? '').split('\n').map(readLine);
    return entries.filter((entry) => entry !== undefined);
  }

  /** Writes before it removes: whoever reads meanwhile finds a vector once or twice, never not at all. */
  async #putTogether(
    folder: string,
    names: readonly string[],
    vectors: ReadonlyMap<string, QuantizedVector>,
  ): Promise<void> {
    await this.#write(folder, [...vectors].reverse());
    for (const name of names) await this.#data.remove(`${folder}/${name}`);
  }

  async #write(folder: string, vectors: readonly (readonly [string, QuantizedVector])[]): Promise<void> {
    for (let from = 0; from < vectors.length; from += VECTORS_PER_FILE) {
      const lines = vectors.slice(from, from + VECTORS_PER_FILE).map(writeLine);
      await this.#data.write(`${folder}/${this.#fileName()}`, lines.join('\n'));
    }
  }

  /** Names sort by age. */
  #fileName(): string {
    return `${String(this.#clock.now()).padStart(14, '0')}-${this.#digest.randomId().slice(0, 12)}.txt`;
  }

  #folder(embedder: string): string {
    return `vectors/${this.#digest.sha256(embedder).slice(0, 16)}`;
  }
}

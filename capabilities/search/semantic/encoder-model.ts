import type { RowProducts } from './row-products';

/** An int8 matrix in the kernel's memory. */
export interface EncoderMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Byte offset of the codes, row after row. */
  readonly offset: number;
  /** Byte offset of a float32 scale for each row: value ≈ code × scale. */
  readonly scales: number;
}

type TensorPlace =
  | { readonly kind: 'float32'; readonly length: number; readonly offset: number }
  | {
      readonly kind: 'int8';
      readonly rows: number;
      readonly columns: number;
      readonly offset: number;
      readonly scales: number;
    };

interface ModelHeader {
  readonly format: 1;
  readonly name: string;
  readonly vocabulary: {
    readonly count: number;
    readonly offset: number;
    readonly length: number;
    readonly scores: number;
  };
  readonly tensors: Readonly<Record<string, TensorPlace>>;
}

const MAGIC = 'CLSE';
const ALIGNMENT = 16;

function readHeader(file: Uint8Array): { readonly header: ModelHeader; readonly start: number } {
  if (new TextDecoder('latin1').decode(file.subarray(0, 4)) !== MAGIC) throw new Error('not a sentence encoder file');
  const length = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as ModelHeader;
  return { header, start: Math.ceil((8 + length) / ALIGNMENT) * ALIGNMENT };
}

/** The encoder's file (written by scripts/build-encoder.mjs) in the memory of a kernel. Throws on a file that is not one. */
export class EncoderModel {
  /** Changes with the weights, so vectors of different names must not be mixed. */
  readonly name: string;
  readonly pieces: readonly string[];
  readonly scores: Float32Array;
  readonly #tensors: ModelHeader['tensors'];
  readonly #kernel: RowProducts;
  readonly #base: number;

  constructor(file: Uint8Array, kernel: RowProducts) {
    const { header, start } = readHeader(file);
    const body = file.subarray(start);
    this.name = header.name;
    this.#tensors = header.tensors;
    this.#kernel = kernel;
    this.#base = kernel.reserve(body.length);
    kernel.bytes(this.#base, body.length).set(body);
    const { offset, length, count, scores } = header.vocabulary;
    this.pieces = new TextDecoder().decode(body.subarray(offset, offset + length)).split('\n');
    // A copy, here and below: views of the kernel's memory do not survive its growth.
    this.scores = kernel.float32(this.#base + scores, count).slice();
  }

  matrix(name: string): EncoderMatrix {
    const place = this.#tensors[name];
    if (place?.kind !== 'int8') throw new Error(`the encoder file has no matrix ${name}`);
    const { rows, columns, offset, scales } = place;
    return { rows, columns, offset: this.#base + offset, scales: this.#base + scales };
  }

  vector(name: string): Float32Array {
    const { offset, length } = this.vectorPlace(name);
    return this.#kernel.float32(offset, length).slice();
  }

  /** Byte offset and length of a float32 vector. */
  vectorPlace(name: string): { readonly offset: number; readonly length: number } {
    const place = this.#tensors[name];
    if (place?.kind !== 'float32') throw new Error(`the encoder file has no vector ${name}`);
    return { offset: this.#base + place.offset, length: place.length };
  }
}

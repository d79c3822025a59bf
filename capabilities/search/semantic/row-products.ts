import compiled from './row-products.json';

/** Where the operands of a product lie, as byte offsets. Matrix rows are int8, vectors int16, outputs float32. */
export interface ProductPlaces {
  readonly matrix: number;
  readonly rows: number;
  /** Elements of a row and of a vector: a multiple of 16. The caller keeps the values small enough for their sums to fit into int32. */
  readonly columns: number;
  readonly vectors: number;
  readonly count: number;
  /** `outputs[vector * rows + row]`. */
  readonly outputs: number;
}

/** Where vectors to be turned into int16 codes lie; one float32 scale is written for each. */
export interface QuantizePlaces {
  readonly values: number;
  readonly count: number;
  readonly columns: number;
  readonly codes: number;
  readonly scales: number;
}

/** Where products lie that are to be scaled back; `rows` is a multiple of 4. */
export interface RescalePlaces {
  readonly outputs: number;
  readonly count: number;
  readonly rows: number;
  readonly scales: number;
  readonly rowScales: number;
  readonly bias: number;
}

/** What columns must be a multiple of. */
export const COLUMN_UNIT = 16;

interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly multiply: (...places: readonly number[]) => void;
  readonly quantize: (...places: readonly number[]) => void;
  readonly rescale: (...places: readonly number[]) => void;
}

const PAGE_BYTES = 65_536;
const ALIGNMENT = 16;

/**
 * Products of int8 matrix rows with int16 vectors, in WebAssembly SIMD (source: row-products.wat), over a memory of its own.
 * Views are only good until the next `reserve`: growing the memory detaches them.
 */
export class RowProducts {
  readonly #kernel: Kernel;
  #used = 0;

  constructor() {
    const bytes = Uint8Array.from(atob(compiled.wasm), (character) => character.charCodeAt(0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    this.#kernel = exports as unknown as Kernel;
  }

  /** Byte offset of a fresh, zeroed area, aligned to 16. There is no way to give it back. */
  reserve(bytes: number): number {
    const offset = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = this.#used - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) this.#kernel.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return offset;
  }

  bytes(offset: number, length: number): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer, offset, length);
  }

  int8(offset: number, length: number): Int8Array {
    return new Int8Array(this.#kernel.memory.buffer, offset, length);
  }

  int16(offset: number, length: number): Int16Array {
    return new Int16Array(this.#kernel.memory.buffer, offset, length);
  }

  float32(offset: number, length: number): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, offset, length);
  }

  /** Computes every product of a row with a vector. The places must lie in reserved areas. */
  multiply({ matrix, rows, columns, vectors, count, outputs }: ProductPlaces): void {
    this.#kernel.multiply(matrix, rows, columns, vectors, count, outputs);
  }

  /** Writes float32 vectors as int16 codes: value ≈ code × scale of its vector. */
  quantize({ values, count, columns, codes, scales }: QuantizePlaces): void {
    this.#kernel.quantize(values, count, columns, codes, scales);
  }

  /** Turns products of codes into values: × the scale of the vector × the scale of the row + the bias of the row. */
  rescale({ outputs, count, rows, scales, rowScales, bias }: RescalePlaces): void {
    this.#kernel.rescale(outputs, count, rows, scales, rowScales, bias);
  }
}

import { attend } from './attention';
import type { EncoderMatrix, EncoderModel } from './encoder-model';
import { addInto, meanOfRows, normalizeLayer, rectify } from './layer-math';
import type { RowProducts } from './row-products';

/** A matrix with its bias. */
interface Linear {
  readonly matrix: EncoderMatrix;
  /** Byte offset. */
  readonly bias: number;
}

interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

interface Layer {
  readonly attentionNorm: Norm;
  readonly attentionInput: Linear;
  readonly attentionOutput: Linear;
  readonly feedNorm: Norm;
  readonly feedInput: Linear;
  readonly feedOutput: Linear;
}

/** The model reads no more pieces of a text than this. */
export const LONGEST_TEXT_IN_PIECES = 128;
const HEADS = 4;
const WIDEST = 1536;

function readLinear(model: EncoderModel, name: string): Linear {
  return { matrix: model.matrix(name), bias: model.vectorPlace(`${name}Bias`).offset };
}

function readNorm(model: EncoderModel, name: string): Norm {
  return { scale: model.vector(`${name}Scale`), bias: model.vector(`${name}Bias`) };
}

function readLayer(model: EncoderModel, name: string): Layer {
  return {
    attentionNorm: readNorm(model, `${name}.attentionNorm`),
    attentionInput: readLinear(model, `${name}.attentionInput`),
    attentionOutput: readLinear(model, `${name}.attentionOutput`),
    feedNorm: readNorm(model, `${name}.feedNorm`),
    feedInput: readLinear(model, `${name}.feedInput`),
    feedOutput: readLinear(model, `${name}.feedOutput`),
  };
}

/**
 * The Universal Sentence Encoder Lite (Cer et al. 2018): two pre-norm transformer layers over sentence pieces, the mean over the pieces,
 * one tanh layer, a unit vector of 512. Weights are int8, activations int16 in products and float32 elsewhere.
 */
export class SentenceEncoder {
  readonly #kernel: RowProducts;
  readonly #pieces: EncoderMatrix;
  readonly #timing: Float32Array;
  readonly #residual: Linear;
  readonly #first: Layer;
  readonly #second: Layer;
  readonly #output: Linear;
  /** Byte offsets of the areas that products pass through. */
  readonly #work: Readonly<Record<'values' | 'codes' | 'scales' | 'outputs', number>>;

  /** `model` must lie in the memory of `kernel`. Not reentrant: one text at a time. */
  constructor(model: EncoderModel, kernel: RowProducts) {
    this.#kernel = kernel;
    this.#pieces = model.matrix('pieces');
    this.#timing = model.vector('timing');
    this.#residual = readLinear(model, 'residual');
    this.#first = readLayer(model, 'layer0');
    this.#second = readLayer(model, 'layer1');
    this.#output = readLinear(model, 'output');
    const elements = LONGEST_TEXT_IN_PIECES * WIDEST;
    this.#work = {
      values: kernel.reserve(elements * Float32Array.BYTES_PER_ELEMENT),
      codes: kernel.reserve(elements * Int16Array.BYTES_PER_ELEMENT),
      scales: kernel.reserve(LONGEST_TEXT_IN_PIECES * Float32Array.BYTES_PER_ELEMENT),
      outputs: kernel.reserve(elements * Float32Array.BYTES_PER_ELEMENT),
    };
  }

  /** Length of a vector. */
  get dimensions(): number {
    return this.#output.matrix.rows;
  }

  /** The unit vector of a text given as piece ids; the zero vector for no pieces. */
  encode(ids: readonly number[]): Float32Array {
    const used = ids.slice(0, LONGEST_TEXT_IN_PIECES);
    if (used.length === 0) return new Float32Array(this.dimensions);
    const embedded = this.#embed(used);
    const first = this.#linear(this.#residual, embedded);
    addInto(first, this.#attention(this.#first, embedded));
    addInto(first, this.#linear(this.#first.feedOutput, this.#feed(this.#first, first)));
    addInto(first, this.#attention(this.#second, first));
    // The last product is linear, and so is the mean: taking the mean first saves a sixth of the work.
    const mean = meanOfRows(first, this.#second.feedNorm.scale.length);
    const fed = meanOfRows(this.#feed(this.#second, first), this.#second.feedInput.matrix.rows);
    addInto(mean, this.#linear(this.#second.feedOutput, fed));
    return unit(this.#linear(this.#output, mean).map(Math.tanh));
  }

  /** Piece vectors, doubled, plus the position signal: sines, then cosines. */
  #embed(ids: readonly number[]): Float32Array {
    const { columns, rows, offset, scales } = this.#pieces;
    const half = this.#timing.length;
    const rowScales = this.#kernel.float32(scales, rows);
    const embedded = new Float32Array(ids.length * columns);
    for (const [position, id] of ids.entries()) {
      const row = id < rows ? id : 0;
      const codes = this.#kernel.int8(offset + row * columns, columns);
      const scale = 2 * (rowScales[row] ?? 0);
      for (let column = 0; column < columns; column += 1) {
        const angle = position * (this.#timing[column % half] ?? 0);
        const signal = column < half ? Math.sin(angle) : Math.cos(angle);
        embedded[position * columns + column] = scale * (codes[column] ?? 0) + signal;
      }
    }
    return embedded;
  }

  #attention(layer: Layer, input: Float32Array): Float32Array {
    const mixed = this.#linear(layer.attentionInput, normalizeLayer(input, layer.attentionNorm));
    return this.#linear(layer.attentionOutput, attend(mixed, layer.attentionOutput.matrix.columns, HEADS));
  }

  #feed(layer: Layer, input: Float32Array): Float32Array {
    return rectify(this.#linear(layer.feedInput, normalizeLayer(input, layer.feedNorm)));
  }

  #linear({ matrix, bias }: Linear, input: Float32Array): Float32Array {
    const { rows, columns, offset, scales: rowScales } = matrix;
    const { values, codes, scales, outputs } = this.#work;
    const count = input.length / columns;
    this.#kernel.float32(values, input.length).set(input);
    this.#kernel.quantize({ values, count, columns, codes, scales });
    this.#kernel.multiply({ matrix: offset, rows, columns, vectors: codes, count, outputs });
    this.#kernel.rescale({ outputs, count, rows, scales, rowScales, bias });
    return this.#kernel.float32(outputs, count * rows).slice();
  }
}

function unit(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const factor = 1 / Math.sqrt(Math.max(squares, 1e-12));
  return values.map((value) => value * factor);
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EncoderModel } from '../../../../capabilities/search/semantic/encoder-model';
import { RowProducts } from '../../../../capabilities/search/semantic/row-products';

export const MODEL_FILE = path.resolve(import.meta.dirname, '../../../../assets/sentence-encoder.bin');

/** The shipped weights in a kernel of their own. */
export function loadModel(): { readonly model: EncoderModel; readonly kernel: RowProducts } {
  const kernel = new RowProducts();
  return { model: new EncoderModel(readFileSync(MODEL_FILE), kernel), kernel };
}

/** The cosine of two vectors of any length. */
export function cosine(left: Float32Array, right: Float32Array): number {
  let product = 0;
  let squares = 0;
  let otherSquares = 0;
  for (const [index, value] of left.entries()) {
    product += value * right[index]!;
    squares += value * value;
    otherSquares += right[index]! * right[index]!;
  }
  return product / Math.sqrt(squares * otherSquares);
}

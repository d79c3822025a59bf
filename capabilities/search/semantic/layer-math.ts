const EPSILON = 1e-6;

/** Adds `values` to `sum`, element by element. */
export function addInto(sum: Float32Array, values: Float32Array): void {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + (values[index] ?? 0);
}

/** Layer normalisation of every row (Ba, Kiros and Hinton 2016): mean 0, variance 1, then a scale and a bias for each column. */
export function normalizeLayer(
  input: Float32Array,
  { scale, bias }: { readonly scale: Float32Array; readonly bias: Float32Array },
): Float32Array {
  const columns = scale.length;
  const output = new Float32Array(input.length);
  for (let from = 0; from < input.length; from += columns) {
    let sum = 0;
    for (let at = from; at < from + columns; at += 1) sum += input[at] ?? 0;
    const mean = sum / columns;
    let squares = 0;
    for (let at = from; at < from + columns; at += 1) squares += ((input[at] ?? 0) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / columns + EPSILON);
    for (let column = 0; column < columns; column += 1) {
      const value = ((input[from + column] ?? 0) - mean) * factor;
      output[from + column] = value * (scale[column] ?? 0) + (bias[column] ?? 0);
    }
  }
  return output;
}

/** Sets what is below zero to zero, in place. */
export function rectify(values: Float32Array): Float32Array {
  for (let index = 0; index < values.length; index += 1) if ((values[index] ?? 0) < 0) values[index] = 0;
  return values;
}

/** The mean of the rows of a matrix with that many columns. */
export function meanOfRows(matrix: Float32Array, columns: number): Float32Array {
  const mean = new Float32Array(columns);
  const share = columns / matrix.length;
  for (let from = 0; from < matrix.length; from += columns)
    for (let column = 0; column < columns; column += 1)
      mean[column] = (mean[column] ?? 0) + (matrix[from + column] ?? 0) * share;
  return mean;
}

/** Turns scores into weights that add up to 1, in place. */
function softmax(scores: Float32Array): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (const score of scores) if (score > largest) largest = score;
  let sum = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const weight = Math.exp((scores[index] ?? 0) - largest);
    scores[index] = weight;
    sum += weight;
  }
  for (let index = 0; index < scores.length; index += 1) scores[index] = (scores[index] ?? 0) / sum;
}

/** The product of two stretches of `values`; `length` is a multiple of 4. Four sums at once keep the processor's adders busy. */
function product(values: Float32Array, left: number, right: number, length: number): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  for (let at = 0; at < length; at += 4) {
    sum0 += (values[left + at] ?? 0) * (values[right + at] ?? 0);
    sum1 += (values[left + at + 1] ?? 0) * (values[right + at + 1] ?? 0);
    sum2 += (values[left + at + 2] ?? 0) * (values[right + at + 2] ?? 0);
    sum3 += (values[left + at + 3] ?? 0) * (values[right + at + 3] ?? 0);
  }
  return sum0 + sum1 + sum2 + sum3;
}

/**
 * Scaled dot-product attention (Vaswani et al. 2017) of every row to every row. `mixed` holds a query, a key and a value of `width` in
 * each row; heads divide the width. Returns rows of `width`.
 */
export function attend(mixed: Float32Array, width: number, heads: number): Float32Array {
  const stride = 3 * width;
  const count = mixed.length / stride;
  const depth = width / heads;
  const factor = 1 / Math.sqrt(depth);
  const output = new Float32Array(count * width);
  const weights = new Float32Array(count);
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < count; row += 1) {
      const query = row * stride + head * depth;
      for (let other = 0; other < count; other += 1) {
        const key = other * stride + width + head * depth;
        weights[other] = product(mixed, query, key, depth) * factor;
      }
      softmax(weights);
      const target = row * width + head * depth;
      for (let other = 0; other < count; other += 1) {
        const weight = weights[other] ?? 0;
        const value = other * stride + 2 * width + head * depth;
        for (let at = 0; at < depth; at += 1)
          output[target + at] = (output[target + at] ?? 0) + weight * (mixed[value + at] ?? 0);
      }
    }
  }
  return output;
}

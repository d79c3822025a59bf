/** Largest codes: symmetric, so that a product of the two stays far inside int32. */
export const INT8_LIMIT = 127;
export const INT16_LIMIT = 32_767;

/** Writes `values` as integer codes from `-limit` to `limit` and returns the scale: value ≈ code × scale. Zero for a zero vector. */
export function quantize(values: Float32Array, codes: Int8Array | Int16Array, limit: number): number {
  let largest = 0;
  for (const value of values) {
    const size = value < 0 ? -value : value;
    if (size > largest) largest = size;
  }
  if (largest === 0) {
    codes.fill(0);
    return 0;
  }
  const factor = limit / largest;
  for (let index = 0; index < values.length; index += 1) codes[index] = Math.round((values[index] ?? 0) * factor);
  return largest / limit;
}

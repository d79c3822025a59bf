import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import compiled from '../../../../capabilities/search/semantic/row-products.json';
import { RowProducts } from '../../../../capabilities/search/semantic/row-products';

const sizes = fc.record({
  rows: fc.integer({ min: 1, max: 6 }).map((count) => count * 4),
  columns: fc.integer({ min: 1, max: 8 }).map((count) => count * 16),
  count: fc.integer({ min: 1, max: 9 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** Repeatable numbers that use the whole range. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

describe('the compiled kernel', () => {
  it('was compiled from the source beside it', () => {
    const source = path.resolve(import.meta.dirname, '../../../../capabilities/search/semantic/row-products.wat');
    const hash = createHash('sha256').update(readFileSync(source)).digest('hex');
    expect(hash).toBe(compiled.source_sha256);
  });

  it('multiplies every row with every vector', () => {
    fc.assert(
      fc.property(sizes, ({ rows, columns, count, seed }) => {
        const kernel = new RowProducts();
        const matrix = kernel.reserve(rows * columns);
        const vectors = kernel.reserve(count * columns * 2);
        const outputs = kernel.reserve(count * rows * 4);
        const random = numbers(seed);
        const weights = kernel.int8(matrix, rows * columns).map(() => (random.next().value % 255) - 127);
        kernel.int8(matrix, rows * columns).set(weights);
        const values = kernel.int16(vectors, count * columns).map(() => (random.next().value % 65_535) - 32_767);
        kernel.int16(vectors, count * columns).set(values);
        kernel.multiply({ matrix, rows, columns, vectors, count, outputs });
        const found = kernel.float32(outputs, count * rows);
        for (let vector = 0; vector < count; vector += 1)
          for (let row = 0; row < rows; row += 1) {
            let sum = 0;
            for (let at = 0; at < columns; at += 1)
              sum += weights[row * columns + at]! * values[vector * columns + at]!;
            expect(Math.abs(found[vector * rows + row]! - sum)).toBeLessThanOrEqual(Math.abs(sum) * 1e-5 + 64);
          }
      }),
      { numRuns: 40 },
    );
  });

  it('does not overflow on the longest rows of the largest codes', () => {
    const kernel = new RowProducts();
    const [rows, columns] = [4, 2048];
    const matrix = kernel.reserve(rows * columns);
    const vectors = kernel.reserve(columns * 2);
    const outputs = kernel.reserve(rows * 4);
    kernel.int8(matrix, rows * columns).fill(127);
    kernel.int16(vectors, columns).fill(32_767);
    kernel.multiply({ matrix, rows, columns, vectors, count: 1, outputs });
    expect(kernel.float32(outputs, 1)[0]! / (127 * 32_767 * 2048)).toBeCloseTo(1, 5);
  });

  it('turns vectors into codes and back, zero vectors too', () => {
    const kernel = new RowProducts();
    const values = kernel.reserve(2 * 16 * 4);
    const codes = kernel.reserve(2 * 16 * 2);
    const scales = kernel.reserve(2 * 4);
    kernel.float32(values, 32).set(Array.from({ length: 16 }, (_, index) => (index - 8) / 3));
    kernel.quantize({ values, count: 2, columns: 16, codes, scales });
    const [scale = 0, zero] = kernel.float32(scales, 2);
    for (const [index, code] of kernel.int16(codes, 16).entries()) expect(code * scale).toBeCloseTo((index - 8) / 3, 3);
    expect(zero).toBe(0);
    expect([...kernel.int16(codes + 32, 16)]).toEqual(Array.from({ length: 16 }, () => 0));
  });
});

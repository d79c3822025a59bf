import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VectorIndex, quantizeUnit } from '../../../../capabilities/search/semantic/vector-index';
import { cosine } from './encoder-fixture';

const vectorOf = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, index) => Math.sin(seed * 12.9898 + index * 78.233));

describe('the vector index', () => {
  it.each([3, 16, 512, 1536, 3072])('gives the cosine of vectors of %d', (length) => {
    const index = new VectorIndex(length);
    const vectors = Array.from({ length: 20 }, (_, seed) => vectorOf(length, seed + 1));
    for (const [at, vector] of vectors.entries()) index.set(`key${at}`, quantizeUnit(vector));
    const query = vectorOf(length, 99);
    for (const [at, found] of index.cosines(query).entries())
      expect(found).toBeCloseTo(cosine(query, vectors[at]!), 1.8);
  });

  it('holds more than one block, and overflows on none', () => {
    const index = new VectorIndex(3072);
    const flat = new Float32Array(3072).fill(5);
    for (let at = 0; at < 1500; at += 1) index.set(`key${at}`, quantizeUnit(flat));
    expect(index.size).toBe(1500);
    for (const found of index.cosines(flat)) expect(found).toBeCloseTo(1, 2);
  });

  it('behaves like a map of vectors, whatever is set and deleted', () => {
    const change = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const index = new VectorIndex(16);
        const model = new Map<string, Float32Array>();
        for (const [isSet, at, seed] of changes) {
          if (isSet) index.set(`key${at}`, quantizeUnit(vectorOf(16, seed)));
          else index.delete(`key${at}`);
          if (isSet) model.set(`key${at}`, vectorOf(16, seed));
          else model.delete(`key${at}`);
        }
        expect([...index.keys].sort()).toEqual([...model.keys()].sort());
        const query = vectorOf(16, 7);
        const cosines = index.cosines(query);
        for (const [at, key] of [...index.keys].entries())
          expect(cosines[at]).toBeCloseTo(cosine(query, model.get(key)!), 1.8);
      }),
    );
  });

  it('refuses a vector of another length', () => {
    const index = new VectorIndex(16);
    expect(() => {
      index.set('key', quantizeUnit(new Float32Array(8)));
    }).toThrow(RangeError);
    expect(() => index.cosines(new Float32Array(8))).toThrow(RangeError);
  });

  it('gives 0 for a zero vector', () => {
    const index = new VectorIndex(16);
    index.set('zero', quantizeUnit(new Float32Array(16)));
    expect([...index.cosines(vectorOf(16, 1))]).toEqual([0]);
    index.set('zero', quantizeUnit(vectorOf(16, 1)));
    expect([...index.cosines(new Float32Array(16))]).toEqual([0]);
  });
});

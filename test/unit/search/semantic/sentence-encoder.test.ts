import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EncoderEmbedder } from '../../../../capabilities/search/semantic/encoder-embedder';
import { EncoderModel } from '../../../../capabilities/search/semantic/encoder-model';
import weights from '../../../../capabilities/search/semantic/encoder-name.json';
import { RowProducts } from '../../../../capabilities/search/semantic/row-products';
import { LONGEST_TEXT_IN_PIECES, SentenceEncoder } from '../../../../capabilities/search/semantic/sentence-encoder';
import { MODEL_FILE, cosine, loadModel } from './encoder-fixture';

const embedder = new EncoderEmbedder(readFileSync(MODEL_FILE));
const encode = (text: string): Float32Array => embedder.encode(text, 'document');
const { model, kernel } = loadModel();
const encoder = new SentenceEncoder(model, kernel);

/** Computed with the original 32-bit weights by @energetic-ai/embeddings 0.2.0. */
const REFERENCE_COSINES: readonly (readonly [string, string, number])[] = [
  ['restart the docker service', 'reboot the container daemon', 0.5784],
  ['restart the docker service', 'show disk usage by folder', 0.6015],
  ['show disk usage by folder', 'which directories take up the most space?', 0.5154],
  ['which directories take up the most space?', 'translate a sentence into French', 0.001],
  ['translate a sentence into French', 'reboot the container daemon', 0.1297],
  ['Which process is listening on port 8080?', 'which directories take up the most space?', 0.467],
];
const REFERENCE_STARTS: readonly (readonly [string, readonly number[]])[] = [
  [
    'install the latest version of the codex command line tool',
    [-0.057493, -0.058667, -0.010455, 0.05527, 0.012104, -0.050966, -0.013262, -0.057082],
  ],
  [
    'Which process is listening on port 8080?',
    [-0.012739, -0.065961, 0.033263, 0.04482, -0.04402, -0.012819, 0.051542, -0.056157],
  ],
];

describe('the sentence encoder', () => {
  it.each(REFERENCE_COSINES)('finds %j and %j as near as the original does', (left, right, expected) => {
    expect(cosine(encode(left), encode(right))).toBeCloseTo(expected, 1.7);
  });

  it.each(REFERENCE_STARTS)('gives the vector of the original for %j', (text, expected) => {
    const start = encode(text).subarray(0, expected.length);
    for (const [index, value] of expected.entries()) expect(Math.abs(start[index]! - value)).toBeLessThan(0.006);
  });

  it('gives unit vectors of 512, the zero vector for nothing', () => {
    const vector = encode('delete all containers');
    expect(vector).toHaveLength(512);
    expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 4);
    expect(encode(' ').every((value) => value === 0)).toBe(true);
  });

  it('gives the same vector whatever was encoded before', () => {
    const first = encoder.encode([100, 200, 300]);
    encoder.encode(Array.from({ length: 50 }, (_, index) => index + 10));
    expect(encoder.encode([100, 200, 300])).toEqual(first);
  });

  it('reads the first 128 pieces of a longer text', () => {
    const ids = Array.from({ length: LONGEST_TEXT_IN_PIECES + 40 }, (_, index) => (index * 37) % 8000);
    expect(encoder.encode(ids)).toEqual(encoder.encode(ids.slice(0, LONGEST_TEXT_IN_PIECES)));
  });

  it('carries the name that the code knows the weights by', () => {
    expect(embedder.name).toBe(weights.name);
  });

  it('rejects with the reason of a signal that is aborted', async () => {
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(embedder.embed(['text'], signal, 'query')).rejects.toThrow('no longer wanted');
  });
});

describe('the encoder file', () => {
  it.each([[new Uint8Array(0)], [new TextEncoder().encode('something else')]])('is refused when it is none', (file) => {
    expect(() => new EncoderModel(file, new RowProducts())).toThrow('not a sentence encoder file');
  });

  it('names the tensor that it lacks', () => {
    expect(() => model.matrix('nothing')).toThrow('no matrix nothing');
    expect(() => model.vector('nothing')).toThrow('no vector nothing');
  });
});

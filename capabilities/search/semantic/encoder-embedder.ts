import type { Embedder, EmbeddingPurpose } from '../../ports';
import { EncoderModel } from './encoder-model';
import { RowProducts } from './row-products';
import { SentenceEncoder } from './sentence-encoder';
import { SentencePieces } from './sentence-pieces';

/** Pieces read of a text: its cost grows with them, and later ones change the ranking little. */
const PIECES_READ: Readonly<Record<EmbeddingPurpose, number>> = { query: 24, document: 64 };

/** The built-in encoder in this thread: no network, about a third of a millisecond for each piece. English; other scripts give no meaning. */
export class EncoderEmbedder implements Embedder {
  readonly name: string;
  readonly #pieces: SentencePieces;
  readonly #encoder: SentenceEncoder;

  /** `file`: the bytes of assets/sentence-encoder.bin. Throws when they are not. */
  constructor(file: Uint8Array) {
    const kernel = new RowProducts();
    const model = new EncoderModel(file, kernel);
    this.name = model.name;
    this.#pieces = new SentencePieces(model.pieces, model.scores);
    this.#encoder = new SentenceEncoder(model, kernel);
  }

  embed(texts: readonly string[], signal: AbortSignal, purpose: EmbeddingPurpose): Promise<readonly Float32Array[]> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return Promise.resolve(texts.map((text) => this.encode(text, purpose)));
  }

  /** The unit vector of a text; the zero vector for a text without a letter. */
  encode(text: string, purpose: EmbeddingPurpose): Float32Array {
    return this.#encoder.encode(this.#pieces.encode(text).slice(0, PIECES_READ[purpose]));
  }
}

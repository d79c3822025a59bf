import type { EmbeddingPurpose } from '../ports';

/** What the encoder's worker thread is started with. */
export interface EncoderWorkerData {
  /** Absolute path of sentence-encoder.bin. */
  readonly modelFile: string;
}

/** One text to encode. */
export interface EncoderRequest {
  readonly id: number;
  readonly text: string;
  readonly purpose: EmbeddingPurpose;
}

/** The unit vector of the text with that id. */
export interface EncoderAnswer {
  readonly id: number;
  readonly vector: Float32Array;
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EmbedderChoice } from '../search/semantic/meaning-search';
import { EncoderThread } from './encoder-thread';

/** The built-in encoder, and how to end its thread. */
export interface LocalEncoder {
  readonly choice: EmbedderChoice;
  dispose(): Promise<void>;
}

/**
 * The encoder whose program lies beside the bundle that asks and whose weights lie in `assets` beside the bundles' folder. Undefined when
 * one of them is not there: then the search goes by words alone.
 */
export function findLocalEncoder(bundleFolder: string): LocalEncoder | undefined {
  const workerFile = path.join(bundleFolder, 'encoder-worker.js');
  const modelFile = path.join(bundleFolder, '..', 'assets', 'sentence-encoder.bin');
  if (!existsSync(workerFile) || !existsSync(modelFile)) return undefined;
  const embedder = new EncoderThread({ workerFile, modelFile });
  return { choice: { embedder, reads: 'english' }, dispose: () => embedder.dispose() };
}

/** Program of the worker thread that holds the sentence encoder; started by encoder-thread.ts. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { EncoderEmbedder } from '../search/semantic/encoder-embedder';
import type { EncoderAnswer, EncoderRequest, EncoderWorkerData } from './encoder-messages';

const port = parentPort;
if (port === null) throw new Error('encoder-worker runs as a worker thread only');
const { modelFile } = workerData as EncoderWorkerData;
const encoder = new EncoderEmbedder(readFileSync(modelFile));
port.on('message', ({ id, text, purpose }: EncoderRequest) => {
  const vector = encoder.encode(text, purpose);
  const answer: EncoderAnswer = { id, vector };
  port.postMessage(answer, [vector.buffer as ArrayBuffer]);
});

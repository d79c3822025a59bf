import { Worker } from 'node:worker_threads';
import type { Embedder, EmbeddingPurpose } from '../ports';
import weights from '../search/semantic/encoder-name.json';
import type { EncoderAnswer, EncoderRequest, EncoderWorkerData } from './encoder-messages';

/** Where the program of the worker and the weights lie. */
export interface EncoderFiles {
  /** Bundle of encoder-worker.ts. */
  readonly workerFile: string;
  /** assets/sentence-encoder.bin. */
  readonly modelFile: string;
}

interface Job {
  readonly text: string;
  readonly purpose: EmbeddingPurpose;
  readonly signal: AbortSignal;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
}

/** Longest wait with nothing to do before the thread and its memory are given up. */
const IDLE_MS = 10 * 60_000;

/**
 * The built-in encoder in a thread of its own, so that searches and the editor never wait for documents: texts are encoded one at a
 * time and queries overtake documents. The thread starts with the first text, ends when idle for long, and keeps the process alive only
 * while texts wait for it.
 */
export class EncoderThread implements Embedder {
  readonly name = weights.name;
  readonly #files: EncoderFiles;
  readonly #waiting: Readonly<Record<EmbeddingPurpose, Job[]>> = { query: [], document: [] };
  #worker: Worker | undefined;
  #running: { readonly id: number; readonly job: Job } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(files: EncoderFiles) {
    this.#files = files;
  }

  embed(texts: readonly string[], signal: AbortSignal, purpose: EmbeddingPurpose): Promise<readonly Float32Array[]> {
    return Promise.all(
      texts.map(
        (text) =>
          new Promise<Float32Array>((resolve, reject) => {
            this.#waiting[purpose].push({ text, purpose, signal, resolve, reject });
            this.#next();
          }),
      ),
    );
  }

  /** Ends the thread; what waits is rejected. */
  async dispose(): Promise<void> {
    await this.#end(new Error('the encoder was closed'));
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.query.shift() ?? this.#waiting.document.shift();
    if (job === undefined) {
      this.#rest();
      return;
    }
    if (job.signal.aborted) {
      job.reject(job.signal.reason as Error);
      this.#next();
      return;
    }
    clearTimeout(this.#idle);
    this.#lastId += 1;
    this.#running = { id: this.#lastId, job };
    const request: EncoderRequest = { id: this.#lastId, text: job.text, purpose: job.purpose };
    const worker = this.#thread();
    worker.ref();
    worker.postMessage(request);
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const workerData: EncoderWorkerData = { modelFile: this.#files.modelFile };
    const worker = new Worker(this.#files.workerFile, { workerData });
    worker.on('message', (answer: EncoderAnswer) => {
      this.#receive(answer);
    });
    worker.on('error', (error: Error) => {
      if (this.#worker === worker) void this.#end(error);
    });
    this.#worker = worker;
    return worker;
  }

  #receive({ id, vector }: EncoderAnswer): void {
    if (this.#running?.id !== id) return;
    const { job } = this.#running;
    this.#running = undefined;
    job.resolve(vector);
    this.#next();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#worker === undefined) return;
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.#end(new Error('the encoder was idle')), IDLE_MS);
    this.#idle.unref();
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    const jobs = [this.#running?.job, ...this.#waiting.query.splice(0), ...this.#waiting.document.splice(0)];
    const worker = this.#worker;
    this.#worker = undefined;
    this.#running = undefined;
    for (const job of jobs) job?.reject(reason);
    await worker?.terminate();
  }
}

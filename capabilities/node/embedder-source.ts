import type { MeaningSettings } from '../models';
import type { Clock } from '../ports';
import type { EmbedderChoice } from '../search/semantic/meaning-search';
import { OpenAiEmbedder } from './embeddings-endpoint';
import { findLocalEncoder, type LocalEncoder } from './local-encoder';

/** Turns the user's settings into an embedder, and keeps the one thread of the built-in encoder. */
export class EmbedderSource {
  readonly #clock: Clock;
  readonly #bundleFolder: string;
  #local: LocalEncoder | undefined;

  constructor(bundleFolder: string, clock: Clock) {
    this.#bundleFolder = bundleFolder;
    this.#clock = clock;
  }

  /** Undefined when it is switched off, not set completely, or not there. */
  choose(settings: MeaningSettings, apiKey: string | undefined): EmbedderChoice | undefined {
    if (settings.mode === 'offline') return this.#localEncoder()?.choice;
    if (settings.mode === 'off' || settings.url === '' || settings.model === '') return undefined;
    const { url: baseUrl, model, dimensions } = settings;
    const endpoint = { baseUrl, model, apiKey, ...(dimensions > 0 ? { dimensions } : {}) };
    return { embedder: new OpenAiEmbedder(endpoint, this.#clock), reads: 'any' };
  }

  /** Ends the thread. */
  async dispose(): Promise<void> {
    await this.#local?.dispose();
  }

  #localEncoder(): LocalEncoder | undefined {
    this.#local ??= findLocalEncoder(this.#bundleFolder);
    return this.#local;
  }
}

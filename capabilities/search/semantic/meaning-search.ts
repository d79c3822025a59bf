import type { RegistryView, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { Clock, Digest, Embedder, Logger, VectorStore } from '../../ports';
import type { Lexicon } from '../lexicon/lexicon';
import { SemanticRetriever } from '../retrievers/semantic';
import { MeaningText } from './meaning-text';
import { SemanticIndex } from './semantic-index';

/** What makes the vectors, and what it can read. */
export interface EmbedderChoice {
  readonly embedder: Embedder;
  /** `english`: Chinese is translated word by word first. `any`: texts go as they are. */
  readonly reads: 'english' | 'any';
}

/** What the search by meaning needs from outside. */
export interface MeaningSearchParts {
  readonly registry: RegistryView;
  readonly lexicon: Lexicon;
  readonly store: VectorStore;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
}

/** What works with one embedder. */
interface Current {
  readonly index: SemanticIndex;
  readonly retriever: SemanticRetriever;
  readonly choice: EmbedderChoice;
}

/**
 * Search by meaning with whatever embedder the host has chosen, or none: then it is switched off and never planned. Another choice starts
 * an index of its own; vectors of different embedders are never compared.
 */
export class MeaningSearch implements Retriever {
  readonly name = 'semantic';
  readonly #parts: MeaningSearchParts;
  #current: Current | undefined;

  constructor(parts: MeaningSearchParts) {
    this.#parts = parts;
  }

  get isOff(): boolean {
    return this.#current === undefined;
  }

  /** Uses another embedder from now on, or none. */
  use(choice: EmbedderChoice | undefined): void {
    void this.#current?.index.dispose();
    this.#current = choice && this.#open(choice);
  }

  /** Takes up what has changed, in the background. Returns at once. */
  refresh(): void {
    this.#current?.index.refresh();
  }

  /** Resolves when the background work has come to an end. */
  async settled(): Promise<void> {
    await this.#current?.index.settled();
  }

  /** Wakes an encoder of this machine, so that the first search need not wait for its start. An endpoint is not asked for nothing. */
  async warmUp(): Promise<void> {
    const choice = this.#current?.choice;
    if (choice?.reads !== 'english') return;
    const { signal } = new AbortController();
    // What keeps it from starting is said by the search that needs it.
    await choice.embedder.embed(['ready'], signal, 'query').catch(() => undefined);
  }

  /** Ends the background work. */
  async dispose(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.index.dispose();
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    return this.#current?.retriever.retrieve(context) ?? Promise.resolve([]);
  }

  #open({ embedder, reads }: EmbedderChoice): Current {
    const { registry, lexicon } = this.#parts;
    const texts = new MeaningText(lexicon, reads);
    const index = new SemanticIndex({ ...this.#parts, embedder, texts });
    return {
      choice: { embedder, reads },
      index,
      retriever: new SemanticRetriever({ registry, index, embedder, texts }),
    };
  }
}

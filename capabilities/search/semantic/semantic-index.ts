import type { RegistryView, Resource } from '../../models';
import type { Clock, Digest, Embedder, Logger, QuantizedVector, VectorStore } from '../../ports';
import type { MeaningText } from './meaning-text';
import { VectorIndex, quantizeUnit } from './vector-index';

/** What the index needs from outside. */
export interface SemanticIndexParts {
  readonly registry: RegistryView;
  readonly embedder: Embedder;
  readonly store: VectorStore;
  readonly texts: MeaningText;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
}

/** How far the index is. */
export interface SemanticStatus {
  readonly indexed: number;
  readonly total: number;
  /** Why work stopped; undefined while all is well. */
  readonly failure: string | undefined;
}

/** One resource on its way into the index. */
interface Wanted {
  readonly resource: Resource;
  readonly text: string;
  readonly textHash: string;
}

/** Resources looked at between two pauses, and texts embedded at a time. */
const RESOURCES_AT_A_TIME = 64;
const TEXTS_AT_A_TIME = 16;
/** New vectors that are written together. */
const VECTORS_PER_SAVE = 512;
/** With fewer resources than this to index, reading the store costs more than it saves. */
const WORTH_LOADING = 32;
const PAUSE_AFTER_FAILURE_MS = 30_000;

/**
 * A vector for every resource, made in the background and kept in a store by the hash of the text. Follows the registry by itself: when
 * the revision has changed, only resources whose hash differs are embedded again. A failing embedder is asked again after a pause.
 */
export class SemanticIndex {
  readonly #parts: SemanticIndexParts;
  readonly #stop = new AbortController();
  /** Hash of the definition that is, or is about to be, indexed. */
  readonly #hashes = new Map<string, string>();
  readonly #pending = new Map<string, Resource>();
  #vectors: VectorIndex | undefined;
  #revision: number | undefined;
  #failure: { readonly reason: string; readonly retryAt: number } | undefined;
  #work: Promise<void> | undefined;

  constructor(parts: SemanticIndexParts) {
    this.#parts = parts;
  }

  /** The vectors so far; undefined before the first. */
  get vectors(): VectorIndex | undefined {
    return this.#vectors;
  }

  get status(): SemanticStatus {
    return { indexed: this.#vectors?.size ?? 0, total: this.#hashes.size, failure: this.#failure?.reason };
  }

  /** Takes up what has changed in the registry and sees to it that work goes on. Returns at once. */
  refresh(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#revision !== this.#parts.registry.revision) this.#takeUpChanges();
    const isPaused = this.#failure !== undefined && this.#parts.clock.monotonic() < this.#failure.retryAt;
    if (this.#work !== undefined || this.#pending.size === 0 || isPaused) return;
    this.#failure = undefined;
    this.#work = this.#indexPending().finally(() => {
      this.#work = undefined;
    });
  }

  /** Resolves when the background work has come to an end: everything is indexed, or the embedder has failed. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  /** Ends the background work; resolves when what was done so far is stored. */
  async dispose(): Promise<void> {
    this.#stop.abort(new Error('the semantic index is closed'));
    await this.settled();
  }

  #takeUpChanges(): void {
    const resources = this.#parts.registry.all();
    const present = new Set(resources.map((resource) => resource.key));
    for (const key of [...this.#hashes.keys()]) if (!present.has(key)) this.#forget(key);
    for (const resource of resources) {
      if (this.#hashes.get(resource.key) === resource.hash) continue;
      this.#hashes.set(resource.key, resource.hash);
      this.#pending.set(resource.key, resource);
    }
    this.#revision = this.#parts.registry.revision;
  }

  #forget(key: string): void {
    this.#hashes.delete(key);
    this.#pending.delete(key);
    this.#vectors?.delete(key);
  }

  async #indexPending(): Promise<void> {
    const fresh = new Map<string, QuantizedVector>();
    try {
      const known = await this.#loadKnown();
      while (this.#pending.size > 0) {
        await this.#indexSome(known, fresh);
        if (fresh.size >= VECTORS_PER_SAVE) await this.#save(fresh);
        await this.#parts.clock.sleep(0, this.#stop.signal);
      }
    } catch (error) {
      this.#fail(error);
    }
    await this.#save(fresh);
  }

  async #loadKnown(): Promise<ReadonlyMap<string, QuantizedVector>> {
    if (this.#pending.size < WORTH_LOADING) return new Map();
    return this.#parts.store.load(this.#parts.embedder.name);
  }

  async #indexSome(known: ReadonlyMap<string, QuantizedVector>, fresh: Map<string, QuantizedVector>): Promise<void> {
    const missing: Wanted[] = [];
    for (const resource of [...this.#pending.values()].slice(0, RESOURCES_AT_A_TIME)) {
      const wanted = this.#describe(resource);
      const vector = known.get(wanted.textHash) ?? fresh.get(wanted.textHash);
      if (vector === undefined) missing.push(wanted);
      else this.#put(resource, vector);
    }
    for (let from = 0; from < missing.length; from += TEXTS_AT_A_TIME)
      await this.#embed(missing.slice(from, from + TEXTS_AT_A_TIME), fresh);
  }

  #describe(resource: Resource): Wanted {
    const text = this.#parts.texts.ofResource(resource);
    return { resource, text, textHash: this.#parts.digest.sha256(text) };
  }

  async #embed(wanted: readonly Wanted[], fresh: Map<string, QuantizedVector>): Promise<void> {
    const texts = wanted.map(({ text }) => text);
    const vectors = await this.#parts.embedder.embed(texts, this.#stop.signal, 'document');
    for (const [index, { resource, textHash }] of wanted.entries()) {
      const vector = vectors[index];
      if (vector === undefined) throw new Error(`${vectors.length} vectors came back for ${texts.length} texts`);
      const quantized = quantizeUnit(vector);
      fresh.set(textHash, quantized);
      this.#put(resource, quantized);
    }
  }

  /** Keeps a vector unless the resource has changed or gone in the meantime. */
  #put(resource: Resource, vector: QuantizedVector): void {
    if (this.#pending.get(resource.key) !== resource) return;
    this.#vectors ??= new VectorIndex(vector.codes.length);
    this.#vectors.set(resource.key, vector);
    this.#pending.delete(resource.key);
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = { reason, retryAt: this.#parts.clock.monotonic() + PAUSE_AFTER_FAILURE_MS };
    this.#parts.logger.log('warn', 'vectors could not be made', { embedder: this.#parts.embedder.name, reason });
  }

  /** A store that cannot be written costs the next session time, nothing else. */
  async #save(fresh: Map<string, QuantizedVector>): Promise<void> {
    if (fresh.size === 0) return;
    try {
      await this.#parts.store.save(this.#parts.embedder.name, new Map(fresh));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.logger.log('warn', 'vectors could not be stored', { reason });
    }
    fresh.clear();
  }
}

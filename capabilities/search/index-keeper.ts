import type { Scope } from '../models';
import type { Clock, DataStore, Digest, Logger } from '../ports';
import { IndexArchive } from './index/index-archive';
import type { StoredIndex } from './index/index-archive';
import { readSnapshot, writeSnapshot } from './index/index-snapshot';
import type { SearchIndex } from './search-index';

/** What keeping an index needs of the world. */
export interface IndexKeeperPorts {
  readonly store: DataStore;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Smaller registries are indexed in less time than a file is read. */
const LEAST_RESOURCES = 200;
/** Share of the resources that must have been worked out anew for the stored index to be replaced. */
const STALE_SHARE = 0.05;
/** A disk that takes longer is not waited for. */
const READ_WITHIN_MS = 300;
/** The first search comes before the writing. */
const WRITE_AFTER_MS = 250;

/**
 * Keeps the search index on disk between two starts. Nothing depends on it: an index that is missing, damaged, of another version or of
 * other definitions is worked out from the definitions, which is slower.
 */
export class IndexKeeper {
  readonly #index: SearchIndex;
  readonly #ports: IndexKeeperPorts;
  readonly #archive: IndexArchive;
  /** Workspaces whose index is on disk, or on its way there. */
  readonly #kept = new Set<string>();

  constructor(index: SearchIndex, ports: IndexKeeperPorts) {
    this.#index = index;
    this.#ports = ports;
    this.#archive = new IndexArchive(ports.store, ports);
  }

  /** Begins to read, while the definitions are being read. Never rejects. */
  async read(scopes: readonly Scope[]): Promise<StoredIndex | undefined> {
    try {
      return await this.#archive.load(workspaceOf(scopes));
    } catch (error) {
      this.#tell('info', 'The stored search index could not be read.', { reason: messageOf(error) });
      return undefined;
    }
  }

  /** Brings the index up to date, with what was stored where that has come in time. Never rejects. */
  async prepare(reading: Promise<StoredIndex | undefined>): Promise<void> {
    const stored = this.#index.isEmpty ? await this.#inTime(reading) : undefined;
    const snapshot = stored && readSnapshot(stored.text, this.#ports.digest);
    if (snapshot?.ok) this.#index.offer(snapshot.value);
    this.#index.refresh();
    if (!stored || !snapshot) return;
    const { takenOver, size } = this.#index;
    const reason = snapshot.ok ? 'it is of other definitions or word lists' : snapshot.problem;
    if (takenOver === 0) this.#tell('warn', 'The stored search index is of no use.', { file: stored.name, reason });
    else this.#tell('debug', 'The stored search index is used.', { file: stored.name, resources: size, takenOver });
  }

  /** Writes the index, a little at a time, where that pays: once for each workspace. Never rejects. */
  async keep(scopes: readonly Scope[]): Promise<void> {
    const workspace = workspaceOf(scopes);
    const { size, takenOver } = this.#index;
    if (size < LEAST_RESOURCES || this.#kept.has(workspace)) return;
    const isFirst = this.#kept.size === 0;
    this.#kept.add(workspace);
    if (isFirst && takenOver >= size * (1 - STALE_SHARE)) return;
    const { clock, digest } = this.#ports;
    try {
      await clock.sleep(WRITE_AFTER_MS);
      const text = await writeSnapshot(this.#index.content(), digest, () => clock.sleep(0));
      await this.#archive.save(workspace, text);
    } catch (error) {
      this.#tell('info', 'The search index could not be stored.', { reason: messageOf(error) });
    }
  }

  async #inTime(reading: Promise<StoredIndex | undefined>): Promise<StoredIndex | undefined> {
    const stop = new AbortController();
    const late = this.#ports.clock.sleep(READ_WITHIN_MS, stop.signal).then(
      () => undefined,
      () => undefined,
    );
    const stored = await Promise.race([reading, late]);
    stop.abort();
    return stored;
  }

  #tell(level: Parameters<Logger['log']>[0], message: string, fields: Parameters<Logger['log']>[2]): void {
    this.#ports.logger.log(level, message, fields);
  }
}

/** Stands for the scopes and their order. */
function workspaceOf(scopes: readonly Scope[]): string {
  return JSON.stringify(scopes.map(({ name, kind, definitions }) => [name, kind, definitions]));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

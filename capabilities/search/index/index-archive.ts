import type { Clock, DataStore, Digest } from '../../ports';

const FOLDER = 'search-index';
/** Workspaces whose index is kept; the ones not written for the longest go first. */
const MOST_FILES = 8;

/** The stored index of a workspace. */
export interface StoredIndex {
  /** Name in the data folder, for messages. */
  readonly name: string;
  readonly text: string;
}

/**
 * Indexes in the per-user data folder, shared by every host: one file for each set of scopes, under a name of its own each time it is
 * written. What is lost is worked out again.
 */
export class IndexArchive {
  readonly #data: DataStore;
  readonly #digest: Digest;
  readonly #clock: Clock;

  constructor(data: DataStore, ports: { readonly digest: Digest; readonly clock: Clock }) {
    this.#data = data;
    this.#digest = ports.digest;
    this.#clock = ports.clock;
  }

  /** The newest index of a workspace, which `workspace` stands for. Rejects when the folder can't be read. */
  async load(workspace: string): Promise<StoredIndex | undefined> {
    const name = (await this.#data.list(FOLDER)).filter(this.#isOf(workspace)).at(-1);
    const text = name && (await this.#data.read(`${FOLDER}/${name}`));
    return name === undefined || text === undefined ? undefined : { name: `${FOLDER}/${name}`, text };
  }

  /** Writes an index in the place of the one before. Rejects when it could not be written. */
  async save(workspace: string, text: string): Promise<void> {
    const before = await this.#data.list(FOLDER);
    const written = `${String(this.#clock.now()).padStart(14, '0')}-${this.#suffix(workspace)}`;
    await this.#data.write(`${FOLDER}/${written}`, text);
    const isOld = this.#isOf(workspace);
    const others = before.filter((name) => !isOld(name));
    const removed = [...before.filter(isOld), ...others.slice(0, Math.max(0, others.length + 1 - MOST_FILES))];
    for (const name of removed) if (name !== written) await this.#data.remove(`${FOLDER}/${name}`);
  }

  #isOf(workspace: string): (name: string) => boolean {
    const suffix = this.#suffix(workspace);
    return (name) => name.endsWith(suffix);
  }

  /** Names begin with the time, so they sort by age. */
  #suffix(workspace: string): string {
    return `${this.#digest.sha256(workspace).slice(0, 16)}.txt`;
  }
}

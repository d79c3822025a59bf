import type { UsageEvent, UsageRequest } from '../../models';
import type { Clock, DataStore, Digest, Logger } from '../../ports';
import { formatHistory, formatUse, parseHistory } from './history-text';

/** What the files need of the world. */
export interface HistoryPorts {
  readonly store: DataStore;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
  /** Reads uses from the audit log. */
  readonly derive: (request: UsageRequest) => Promise<readonly UsageEvent[]>;
}

const FOLDER = 'history';
/** Holds when everything was cleared, for folders that have no file of their own yet. */
const CLEARED = `${FOLDER}/cleared.json`;
const DAY = 24 * 60 * 60 * 1000;

/** Uses that are kept of one folder, and for how long, in milliseconds. */
export const MOST_USES = 2000;
export const LONGEST_KEPT = 90 * DAY;

/** Lines over the limit that may gather before a file is written anew. */
const SLACK = 500;

/**
 * The history of each folder as a file of the per-user data folder: `history/<hash of the folder>.jsonl`. It is made from the audit log
 * when it is missing, and goes on by one line for each use. A history that can't be read is named and replaced; one that can't be written is named
 * and goes without.
 */
export class HistoryFiles {
  readonly #ports: HistoryPorts;
  /** Later uses come by `append`. */
  readonly #startedAt: number;
  /** Changes of one process come one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ports: HistoryPorts) {
    this.#ports = ports;
    this.#startedAt = ports.clock.now();
  }

  /** The uses of a folder that still count, oldest first. Never rejects. */
  async load(root: string): Promise<readonly UsageEvent[]> {
    return (await this.#unlessFailing(this.#inTurn(() => this.#load(root)))) ?? [];
  }

  /** What the file of a folder holds, without making one. Never rejects. */
  async peek(root: string): Promise<readonly UsageEvent[]> {
    const reading = this.#inTurn(() => this.#ports.store.read(this.#nameOf(root)));
    return parseHistory((await this.#unlessFailing(reading)) ?? '').events;
  }

  /** Adds one use. Never rejects. */
  async append(root: string, event: UsageEvent): Promise<void> {
    const { store } = this.#ports;
    await this.#unlessFailing(this.#inTurn(() => store.appendLine(this.#nameOf(root), formatUse(event), false)));
  }

  /**
   * Forgets the uses of these folders, or of all. The audit log stays as it is, but what it says of the time before is not read
   * again. Rejects when that could not be written: then nothing is promised.
   */
  clear(roots: readonly string[] | 'all'): Promise<void> {
    return this.#inTurn(() => (roots === 'all' ? this.#clearAll() : this.#clearFiles(roots)));
  }

  async #load(root: string): Promise<readonly UsageEvent[]> {
    const { store, clock } = this.#ports;
    const name = this.#nameOf(root);
    const text = await store.read(name);
    if (text === undefined) return this.#derive(root);
    const { events, brokenLines, clearedAt } = parseHistory(text);
    const oldest = clock.now() - LONGEST_KEPT;
    const kept = events.filter(({ time }) => time > oldest).slice(-MOST_USES);
    if (brokenLines > 0) {
      this.#warn(
        'A history file had unreadable lines; it is replaced by what could be read.',
        `${name}: ${brokenLines}`,
      );
    }
    if (brokenLines > 0 || events.length > MOST_USES + SLACK) {
      await store.write(name, formatHistory({ root, clearedAt }, kept));
    }
    return kept;
  }

  async #derive(root: string): Promise<readonly UsageEvent[]> {
    const { store, clock, derive } = this.#ports;
    const clearedAt = await this.#allClearedAt();
    const after = Math.max(clearedAt, clock.now() - LONGEST_KEPT);
    const events = await derive({ root, after, before: this.#startedAt, limit: MOST_USES });
    await store.write(this.#nameOf(root), formatHistory({ root, clearedAt }, events));
    return events;
  }

  async #clearFiles(roots: readonly string[]): Promise<void> {
    const { store, clock } = this.#ports;
    const clearedAt = clock.now();
    for (const root of roots) await store.write(this.#nameOf(root), formatHistory({ root, clearedAt }, []));
  }

  async #clearAll(): Promise<void> {
    const { store, clock } = this.#ports;
    await store.write(CLEARED, JSON.stringify({ cleared_at: clock.now() }));
    const names = (await store.list(FOLDER)).filter((name) => name.endsWith('.jsonl'));
    for (const name of names) await store.remove(`${FOLDER}/${name}`);
  }

  /** A mark that can't be read may have stood for anything: what came before counts as cleared. */
  async #allClearedAt(): Promise<number> {
    const text = await this.#ports.store.read(CLEARED);
    if (text === undefined) return 0;
    const time = readMark(text);
    if (time !== undefined) return time;
    this.#warn(
      'The mark of the last clearing of the history is unreadable; everything before now counts as cleared.',
      CLEARED,
    );
    await this.#clearAll();
    return this.#ports.clock.now();
  }

  #nameOf(root: string): string {
    return `${FOLDER}/${this.#ports.digest.sha256(root).slice(0, 16)}.jsonl`;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #unlessFailing<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#warn('The history of use could not be read or written; search goes on without it.', reason);
      return undefined;
    }
  }

  #warn(message: string, reason: string): void {
    this.#ports.logger.log('warn', message, { reason });
  }
}

function readMark(text: string): number | undefined {
  try {
    const value = JSON.parse(text) as { readonly cleared_at?: unknown } | null;
    return typeof value?.cleared_at === 'number' ? value.cleared_at : undefined;
  } catch {
    return undefined;
  }
}

import { canonicalJson } from '../canonical-json';
import type { RuntimeContext } from '../models';
import type { Clock, DataStore, Digest } from '../ports';
import {
  auditContext,
  auditFolder,
  firstPrev,
  headName,
  sealRecord,
  type AuditEvent,
  type AuditRecord,
} from './audit-record';

/** `synced`: on disk before anything else happens. `buffered`: handed to the system, which a killed process does not undo. */
export type AuditDurability = 'synced' | 'buffered';

/** How many earlier segments a new one names. */
const namedSegments = 16;

interface Segment {
  readonly name: string;
  readonly idPrefix: string;
  readonly seq: number;
  readonly prev: string;
}

/**
 * The append-only log, one segment per process: `audit/<time>-<id>.jsonl`, one JSON record a line, each with the hash of the
 * one before. The head file is written after each line, so a record counts as acknowledged when `append` resolves.
 *
 * The chain has no key. It shows changes by anyone who does not rewrite the segment and its head together; it can't protect
 * against the user who owns the files.
 */
export class AuditLog {
  readonly #store: DataStore;
  readonly #clock: Clock;
  readonly #digest: Digest;
  #segment: Segment | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: DataStore, clock: Clock, digest: Digest) {
    this.#store = store;
    this.#clock = clock;
    this.#digest = digest;
  }

  /**
   * Appends one record and returns its id. Records of one process are written one after the other, in the order of the calls.
   * Rejects when the record could not be written; the next call then starts a new segment, because nothing may follow a torn
   * line.
   */
  append(event: AuditEvent, context: RuntimeContext, durability: AuditDurability): Promise<string> {
    const result = this.#queue.then(() => this.#appendNow(event, context, durability));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #appendNow(event: AuditEvent, context: RuntimeContext, durability: AuditDurability): Promise<string> {
    const segment = this.#segment ?? (await this.#open());
    return this.#write(segment, { ...event, ...auditContext(context) }, durability);
  }

  async #open(): Promise<Segment> {
    const earlier = (await this.#store.list(auditFolder)).filter((name) => name.endsWith('.jsonl'));
    const id = this.#digest.randomId();
    const time = new Date(this.#clock.now()).toISOString().replaceAll(/[:.]/g, '-');
    const segment = { name: `${time}-${id}.jsonl`, idPrefix: id.slice(0, 12), seq: 0, prev: firstPrev };
    await this.#write(
      segment,
      { kind: 'segment_start', resource: '', follows: earlier.slice(-namedSegments) },
      'buffered',
    );
    return this.#segment ?? segment;
  }

  async #write(segment: Segment, content: Unsealed, durability: AuditDurability): Promise<string> {
    // Until the head is written nothing may follow: after a failure the next call opens a new segment.
    this.#segment = undefined;
    const seq = segment.seq + 1;
    const id = `${segment.idPrefix}-${seq}`;
    const time = new Date(this.#clock.now()).toISOString();
    const record = sealRecord({ ...content, id, seq, time, prev: segment.prev }, this.#digest);
    await this.#store.appendLine(`${auditFolder}/${segment.name}`, canonicalJson(record), durability === 'synced');
    const head = JSON.stringify({ seq, hash: record.hash });
    await this.#store.write(`${auditFolder}/${headName(segment.name)}`, head);
    this.#segment = { ...segment, seq, prev: record.hash };
    return id;
  }
}

type Unsealed = Omit<AuditRecord, 'hash' | 'prev' | 'seq' | 'id' | 'time'>;

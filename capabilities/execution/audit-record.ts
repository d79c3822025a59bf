import { canonicalJson, tryCanonicalJson } from '../canonical-json';
import type { HostName, Permission, RuntimeContext } from '../models';
import type { Digest } from '../ports';

/** Kinds of audit records. `segment_start` opens each segment. */
export type AuditKind =
  'segment_start' | 'describe' | 'decision' | 'approval' | 'confirmation' | 'run_intent' | 'run_outcome';

/** What happened, as a stage reports it. */
export interface AuditEvent {
  readonly kind: Exclude<AuditKind, 'segment_start'>;
  /** `<scope>:<id>`; what the caller sent when nothing was resolved. */
  readonly resource: string;
  /** Absolute path of the folder whose definitions hold the resource. */
  readonly workspace?: string | undefined;
  readonly version?: number | undefined;
  readonly definition_hash?: string | undefined;
  readonly arguments_hash?: string | undefined;
  /** Redacted by schema. */
  readonly arguments?: unknown;
  readonly plan_hash?: string | undefined;
  /** The permission that was decided on. */
  readonly permission?: Permission | undefined;
  readonly decision?: 'allowed' | 'refused' | 'planned' | 'asked' | undefined;
  readonly reason?: string | undefined;
  /** Joins the intent and the outcome of one run. */
  readonly run_id?: string | undefined;
  /** `ok` or an error code. */
  readonly outcome?: string | undefined;
  readonly exit_code?: number | undefined;
  readonly duration_ms?: number | undefined;
  readonly isolated?: boolean | undefined;
}

/** One line of a segment. `hash` covers every other field; `prev` is the hash of the line before. */
export interface AuditRecord extends Omit<AuditEvent, 'kind'> {
  readonly kind: AuditKind;
  readonly id: string;
  readonly seq: number;
  /** ISO 8601, UTC. For people; the order is `seq`. */
  readonly time: string;
  readonly host?: HostName;
  readonly session?: string;
  readonly principals?: readonly string[];
  /** On `segment_start`: the segments that stood there before, newest last. A name that is missing later was deleted. */
  readonly follows?: readonly string[];
  readonly prev: string;
  readonly hash: string;
}

/** `prev` of the first record. */
export const firstPrev = '0'.repeat(64);

/** What stands beside each segment: the last acknowledged record. Shows truncation. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}

/** Folder of the segments in the data folder. */
export const auditFolder = 'audit';

/** Name of the head that belongs to a segment. */
export function headName(segment: string): string {
  return segment.replace(/\.jsonl$/, '.head.json');
}

/** Closes a record with its hash. */
export function sealRecord(record: Omit<AuditRecord, 'hash'>, digest: Digest): AuditRecord {
  return { ...record, hash: digest.sha256(canonicalJson(record)) };
}

/** Whether `line` is exactly what the record was written as, and its hash covers it. */
export function isSealed(record: AuditRecord, line: string, digest: Digest): boolean {
  const { hash, ...content } = record;
  const written = tryCanonicalJson(record);
  return written.ok && written.value === line && digest.sha256(canonicalJson(content)) === hash;
}

/** Who and where, as records hold it. */
export function auditContext(context: RuntimeContext): Pick<AuditRecord, 'host' | 'session' | 'principals'> {
  return { host: context.host, session: context.sessionId, principals: context.principals };
}

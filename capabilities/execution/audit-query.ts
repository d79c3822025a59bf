import type { DataStore } from '../ports';
import { auditFolder, type AuditRecord } from './audit-record';

/** Which records are wanted; what is left out does not narrow. */
export interface AuditQuery {
  /** Id of an action or pack: itself and all below it, in whatever folder. */
  readonly resource?: string | undefined;
  readonly kind?: string | undefined;
  /** `allowed`, `refused`, `asked` or `planned`. */
  readonly decision?: string | undefined;
  /** `ok` or an error code. */
  readonly outcome?: string | undefined;
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly since?: number | undefined;
  /** The newest so many. */
  readonly limit: number;
}

/** What the records of a time say of how the layer was used (§25). */
export interface AuditSummary {
  readonly runs: number;
  readonly succeeded: number;
  readonly isolated: number;
  /** Runs that were refused, by the code of the reason. */
  readonly refused: Readonly<Record<string, number>>;
  readonly confirmations: { readonly allowed: number; readonly refused: number; readonly asked: number };
  readonly approvals: { readonly allowed: number; readonly refused: number };
  readonly described: number;
}

/**
 * The records that fit, oldest first. Read as they are: whether they are still what was written is for `verifyAudit` to say. Lines that are no
 * records are passed over. Rejects when the log can't be read.
 */
export async function queryAudit(store: DataStore, query: AuditQuery): Promise<readonly AuditRecord[]> {
  const names = (await store.list(auditFolder)).filter((name) => name.endsWith('.jsonl'));
  const found: AuditRecord[] = [];
  for (const name of names) {
    const lines = ((await store.read(`${auditFolder}/${name}`)) ?? '').split('\n');
    found.push(...lines.flatMap((line) => parseRecord(line) ?? []).filter((record) => isWanted(record, query)));
  }
  // Segments of processes that ran side by side overlap.
  return found.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0)).slice(-query.limit);
}

/** Counts what records tell. Pure. */
export function summarizeAudit(records: readonly AuditRecord[]): AuditSummary {
  const count = (fits: (record: AuditRecord) => boolean): number => records.filter(fits).length;
  const of = (kind: string, decision: string): number =>
    count((record) => record.kind === kind && record.decision === decision);
  const isRun = (record: AuditRecord): boolean => record.kind === 'run_outcome';
  const refused: Record<string, number> = {};
  for (const { kind, decision, outcome } of records) {
    if ((kind !== 'decision' && kind !== 'confirmation') || decision !== 'refused') continue;
    const code = outcome ?? 'unknown';
    refused[code] = (refused[code] ?? 0) + 1;
  }
  return {
    runs: count(isRun),
    succeeded: count((record) => isRun(record) && record.outcome === 'ok'),
    isolated: count((record) => isRun(record) && record.isolated === true),
    refused,
    confirmations: {
      ...{ allowed: of('confirmation', 'allowed'), refused: of('confirmation', 'refused') },
      asked: of('confirmation', 'asked'),
    },
    approvals: { allowed: of('approval', 'allowed'), refused: of('approval', 'refused') },
    described: of('describe', 'allowed'),
  };
}

function isWanted(record: AuditRecord, query: AuditQuery): boolean {
  const { resource, kind, decision, outcome, since } = query;
  const id = record.resource.slice(record.resource.lastIndexOf(':') + 1);
  return (
    record.kind !== 'segment_start' &&
    (resource === undefined || record.resource === resource || id === resource || id.startsWith(`${resource}.`)) &&
    (kind === undefined || record.kind === kind) &&
    (decision === undefined || record.decision === decision) &&
    (outcome === undefined || record.outcome === outcome) &&
    (since === undefined || Date.parse(record.time) >= since)
  );
}

function parseRecord(line: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord =
      typeof value === 'object' && value !== null && 'kind' in value && 'resource' in value && 'time' in value;
    if (!isRecord || typeof value.resource !== 'string' || typeof value.time !== 'string') return undefined;
    return value as AuditRecord;
  } catch {
    return undefined;
  }
}

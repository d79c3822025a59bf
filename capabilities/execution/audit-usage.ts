import type { UsageEvent, UsageOutcome, UsageRequest } from '../models';
import type { DataStore } from '../ports';
import { auditFolder, type AuditRecord } from './audit-record';

/** Newest segments that are looked through: a process that never ran anything leaves one too. */
const segmentsRead = 200;

/** Ends of a run that speak against the action; one that never started says nothing about it. */
const failures: ReadonlySet<string> = new Set(['execution_failed', 'timeout', 'invalid_output']);

/** What the end of a run or a refusal says about the action: `ok` or an error code. Undefined: nothing. */
export function usageOutcomeOf(outcome: string): UsageOutcome | undefined {
  if (outcome === 'ok') return 'succeeded';
  if (outcome === 'confirmation_declined') return 'declined';
  return failures.has(outcome) ? 'failed' : undefined;
}

/**
 * The uses that the audit log tells of, oldest first; of more than `limit`, the newest. The chain is not checked here: what
 * comes of it only ever orders results. Lines that are no records are passed over. Rejects when the log can't be read.
 */
export async function readAuditUsage(store: DataStore, request: UsageRequest): Promise<readonly UsageEvent[]> {
  const names = (await store.list(auditFolder)).filter((name) => name.endsWith('.jsonl')).slice(-segmentsRead);
  const found: UsageEvent[] = [];
  for (const name of names.toReversed()) {
    const lines = ((await store.read(`${auditFolder}/${name}`)) ?? '').split('\n');
    for (const line of lines.toReversed()) {
      const event = usageOf(line, request);
      if (event !== undefined) found.push(event);
      if (found.length >= request.limit) return inOrder(found);
    }
  }
  return inOrder(found);
}

/** Segments of processes that ran side by side overlap. */
function inOrder(events: readonly UsageEvent[]): readonly UsageEvent[] {
  return events.toSorted((one, other) => one.time - other.time);
}

function usageOf(line: string, { root, after, before }: UsageRequest): UsageEvent | undefined {
  const record = parseRecord(line);
  if (typeof record?.resource !== 'string' || record.workspace !== root) return undefined;
  const time = Date.parse(String(record.time));
  const outcome = outcomeOf(record);
  if (outcome === undefined || !(time > after && time < before)) return undefined;
  return { id: record.resource.slice(record.resource.lastIndexOf(':') + 1), time, outcome, goal: [] };
}

function outcomeOf(record: Partial<AuditRecord>): UsageOutcome | undefined {
  if (record.kind === 'describe') return record.decision === 'allowed' ? 'described' : undefined;
  const isEnd = record.kind === 'run_outcome' || (record.kind === 'confirmation' && record.decision === 'refused');
  return isEnd && typeof record.outcome === 'string' ? usageOutcomeOf(record.outcome) : undefined;
}

function parseRecord(line: string): Partial<AuditRecord> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

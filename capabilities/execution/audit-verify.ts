import type { DataStore, Digest } from '../ports';
import { auditFolder, firstPrev, headName, isSealed, type AuditHead, type AuditRecord } from './audit-record';

/** A change that no process of ours makes. */
export interface AuditTampering {
  readonly segment: string;
  /** Line in the segment, from 1; undefined when the segment as a whole is concerned. */
  readonly line: number | undefined;
  readonly what: string;
}

/** A run that has no outcome: still running in another process, or its process was killed. */
export interface InterruptedRun {
  readonly segment: string;
  readonly id: string;
  readonly resource: string;
  readonly time: string;
}

/** Result of checking the whole log. */
export interface AuditVerification {
  /** True when there is no tampering. Warnings and interrupted runs do not count against it. */
  readonly isIntact: boolean;
  readonly segments: number;
  readonly records: number;
  readonly tampering: readonly AuditTampering[];
  /** What a killed process leaves: a torn last line, or a whole last line its head does not know yet. */
  readonly warnings: readonly AuditTampering[];
  readonly interrupted: readonly InterruptedRun[];
}

interface SegmentReport {
  readonly records: readonly AuditRecord[];
  readonly tampering: readonly AuditTampering[];
  readonly warnings: readonly AuditTampering[];
}

/**
 * Checks every segment against its hash chain and its head, and every segment's list of its predecessors. Finds edited,
 * deleted, swapped, cut off and added records, and deleted segments. Changes nothing.
 */
export async function verifyAudit(store: DataStore, digest: Digest): Promise<AuditVerification> {
  const names = await store.list(auditFolder).catch(() => undefined);
  if (names === undefined) return unreadableLog();
  const segments = names.filter((name) => name.endsWith('.jsonl'));
  const reports = new Map<string, SegmentReport>();
  for (const segment of segments) reports.set(segment, await verifySegment(segment, store, digest));
  const headless = names.filter(
    (name) => name.endsWith('.head.json') && !segments.some((segment) => headName(segment) === name),
  );
  const tampering = [
    ...[...reports.values()].flatMap((report) => report.tampering),
    ...headless.map((name) => finding(name, undefined, 'its segment was deleted')),
    ...missingPredecessors(reports),
  ];
  const records = [...reports.values()].reduce((sum, report) => sum + report.records.length, 0);
  const warnings = [...reports.values()].flatMap((report) => report.warnings);
  const interrupted = [...reports].flatMap(([segment, report]) => interruptedRuns(segment, report.records));
  return { isIntact: tampering.length === 0, segments: segments.length, records, tampering, warnings, interrupted };
}

function unreadableLog(): AuditVerification {
  const tampering = [finding(auditFolder, undefined, "can't be read: it is not a private folder of this user")];
  return { isIntact: false, segments: 0, records: 0, tampering, warnings: [], interrupted: [] };
}

async function verifySegment(segment: string, store: DataStore, digest: Digest): Promise<SegmentReport> {
  const text = await readStored(segment, store);
  if (text === null) return { records: [], tampering: [finding(segment, undefined, "can't be read")], warnings: [] };
  const headText = await readStored(headName(segment), store);
  const head = headText === null ? 'broken' : parseHead(headText);
  const lines = (text ?? '').split('\n');
  // What stands behind the last line end is a line that was not finished.
  const torn = lines.pop() ?? '';
  const chain = readChain(segment, lines, digest);
  if (chain.tampering.length > 0) return { ...chain, warnings: [] };
  const judged = judgeEnd({ segment, records: chain.records, torn, head });
  return { records: chain.records, tampering: judged.tampering, warnings: judged.warnings };
}

/** Undefined for a file that is not there, null for one that can't be read: no process of ours makes such a one. */
function readStored(name: string, store: DataStore): Promise<string | undefined | null> {
  return store.read(`${auditFolder}/${name}`).catch(() => null);
}

function readChain(segment: string, lines: readonly string[], digest: Digest): Omit<SegmentReport, 'warnings'> {
  const records: AuditRecord[] = [];
  let prev = firstPrev;
  for (const [index, line] of lines.entries()) {
    const record = parseRecord(line);
    const what =
      record === undefined ? 'is not a record' : recordProblem(record, { line, seq: index + 1, prev, digest });
    if (record === undefined || what !== undefined) {
      return { records, tampering: [finding(segment, index + 1, what ?? '')] };
    }
    records.push(record);
    prev = record.hash;
  }
  return { records, tampering: [] };
}

interface Expected {
  readonly line: string;
  readonly seq: number;
  readonly prev: string;
  readonly digest: Digest;
}

function recordProblem(record: AuditRecord, expected: Expected): string | undefined {
  if (!isSealed(record, expected.line, expected.digest)) return 'was edited: its hash does not cover its content';
  if (record.prev !== expected.prev) return 'does not follow the line before: a record was deleted, added or moved';
  return record.seq === expected.seq ? undefined : `has the number ${record.seq}, not ${expected.seq}`;
}

interface SegmentEnd {
  readonly segment: string;
  readonly records: readonly AuditRecord[];
  readonly torn: string;
  readonly head: AuditHead | 'missing' | 'broken';
}

/** Compares the end of a chain with its head. A killed process can be one record ahead of its head, or in the middle of one. */
function judgeEnd(end: SegmentEnd): Omit<SegmentReport, 'records'> {
  const { segment, records, torn, head } = end;
  const tampered = (what: string, line?: number) => ({ tampering: [finding(segment, line, what)], warnings: [] });
  if (head === 'broken') return tampered('its head is not readable; a head is only ever replaced as a whole');
  const acknowledged = head === 'missing' ? 0 : head.seq;
  if (records.length < acknowledged)
    return tampered(`was cut off: ${acknowledged} records were acknowledged, ${records.length} are there`);
  const headRecord = records[acknowledged - 1];
  if (head !== 'missing' && headRecord?.hash !== head.hash)
    return tampered('its last acknowledged record was replaced', acknowledged);
  const extra = records.length - acknowledged;
  if (extra > 1 || (extra === 1 && torn !== '')) {
    const what =
      head === 'missing'
        ? 'its head was deleted'
        : 'was added to: more than one record follows the last acknowledged one';
    return tampered(what, acknowledged + 1);
  }
  const warnings: AuditTampering[] = [];
  if (extra === 1)
    warnings.push(
      finding(segment, records.length, 'last record, not acknowledged: its process ended before the head was written'),
    );
  if (torn !== '')
    warnings.push(
      finding(segment, records.length + 1, 'torn tail, not acknowledged: its process ended while it was written'),
    );
  return { tampering: [], warnings };
}

function missingPredecessors(reports: ReadonlyMap<string, SegmentReport>): readonly AuditTampering[] {
  const missing = new Set<string>();
  for (const report of reports.values()) {
    for (const name of report.records[0]?.follows ?? []) {
      if (!reports.has(name)) missing.add(name);
    }
  }
  return [...missing].map((name) => finding(name, undefined, 'was deleted: a later segment names it'));
}

function interruptedRuns(segment: string, records: readonly AuditRecord[]): readonly InterruptedRun[] {
  const ended = new Set(records.filter((record) => record.kind === 'run_outcome').map((record) => record.run_id));
  return records
    .filter((record) => record.kind === 'run_intent' && !ended.has(record.run_id))
    .map(({ id, resource, time }) => ({ segment, id, resource, time }));
}

function parseRecord(line: string): AuditRecord | undefined {
  const value = parseJson(line) as AuditRecord | undefined | null;
  return typeof value?.hash === 'string' && typeof value.prev === 'string' ? value : undefined;
}

function parseHead(text: string | undefined): AuditHead | 'missing' | 'broken' {
  if (text === undefined) return 'missing';
  const value = parseJson(text) as AuditHead | undefined | null;
  return typeof value?.seq === 'number' && typeof value.hash === 'string' ? value : 'broken';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function finding(segment: string, line: number | undefined, what: string): AuditTampering {
  return { segment, line, what };
}

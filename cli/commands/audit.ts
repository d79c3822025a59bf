import { visibleElement, visibleText } from '../../capabilities/execution/visible-text';
import type { AuditRecord } from '../../capabilities/execution/audit-record';
import { summarizeAudit, type AuditSummary } from '../../capabilities/execution/audit-query';
import type { Command } from '../command';

const DEFAULT_LIMIT = 50;
const MOST = 1_000_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `capability audit`: what is on record. */
export const auditCommand: Command = {
  usage: 'audit [ID] [--kind KIND] [--decision D] [--outcome CODE] [--since 2h|3d|DATE] [--limit N] [--summary]',
  summary: 'Shows what was described, asked, approved, refused and run, newest last. `--summary` counts it.',
  options: {
    ...{ kind: { type: 'string' }, decision: { type: 'string' }, outcome: { type: 'string' } },
    ...{ since: { type: 'string' }, limit: { type: 'string' }, summary: { type: 'boolean' } },
  },
  positionals: [0, 1],
  async run({ positionals, values, json }, terminal, host) {
    const textOf = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
    const wantsSummary = values['summary'] === true;
    const since = textOf('since');
    const after = since === undefined ? undefined : readTime(since);
    const limit = Number(textOf('limit') ?? (wantsSummary ? MOST : DEFAULT_LIMIT));
    if ((since !== undefined && after === undefined) || !Number.isInteger(limit) || limit < 1) {
      terminal.tell('`--since` takes a span (30m, 2h, 3d) or a date (2026-12-01), `--limit` a whole number from 1.');
      return 2;
    }
    const records = await host.engine.auditRecords({
      ...{ resource: positionals[0], since: after, limit },
      ...{ kind: textOf('kind'), decision: textOf('decision'), outcome: textOf('outcome') },
    });
    if (wantsSummary) {
      const summary = summarizeAudit(records);
      terminal.write(json ? JSON.stringify(summary) : showSummary(summary));
    } else if (json) {
      for (const record of records) terminal.write(JSON.stringify(record));
    } else {
      terminal.write(records.length === 0 ? 'Nothing on record fits.' : records.map(showRecord).join('\n'));
    }
    return 0;
  },
};

function readTime(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/u.exec(text) ?? [];
  if (amount !== undefined) return Date.now() - Number(amount) * (UNITS[unit ?? ''] ?? 0);
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** One line; what a record repeats of others' words is shown so that it can do nothing to the terminal. */
function showRecord(record: AuditRecord): string {
  const {
    time,
    kind,
    resource,
    decision,
    outcome,
    exit_code: code,
    duration_ms: ms,
    isolated,
    reason,
    principals,
  } = record;
  const parts = [
    ...[time.slice(0, 19).replace('T', ' '), kind.padEnd(12), visibleElement(resource)],
    ...[decision, outcome].flatMap((word) => word ?? []),
    ...(code === undefined ? [] : [`exit ${code}`]),
    ...(ms === undefined ? [] : [`${ms} ms`]),
    ...(isolated === false ? ['NOT ISOLATED'] : []),
    ...(principals === undefined ? [] : [`by ${principals[0] ?? '?'}`]),
    ...(reason === undefined ? [] : [`(${reason})`]),
  ];
  return visibleText(parts.join('  '));
}

function showSummary(summary: AuditSummary): string {
  const { runs, succeeded, isolated, refused, confirmations, approvals, described } = summary;
  const reasons = Object.entries(refused).map(([code, count]) => `${code} ${count}`);
  return [
    `runs           ${runs}, of which ${succeeded} succeeded and ${isolated} were isolated`,
    `confirmations  ${confirmations.allowed} given, ${confirmations.refused} refused, ${confirmations.asked} waiting for a token`,
    `approvals      ${approvals.allowed} given, ${approvals.refused} refused`,
    `refusals       ${reasons.length === 0 ? 'none' : reasons.join(', ')}`,
    `described      ${described}`,
  ].join('\n');
}

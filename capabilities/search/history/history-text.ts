import type { UsageEvent, UsageOutcome } from '../../models';

/** What a history file holds. */
export interface HistoryText {
  /** Folder that the uses belong to; undefined when the first line does not say. */
  readonly root: string | undefined;
  /** When it was cleared last, in milliseconds since the Unix epoch; 0 for never. */
  readonly clearedAt: number;
  /** Oldest first. */
  readonly events: readonly UsageEvent[];
  /** Lines that are neither a head nor a use; a last line without an end is not counted: its process was killed. */
  readonly brokenLines: number;
}

/** The first line of a history file. */
export type HistoryHead = Pick<HistoryText, 'clearedAt'> & { readonly root: string };

const LONGEST_ID = 300;
const MOST_WORDS = 16;
const LONGEST_WORD = 40;
const OUTCOMES: ReadonlySet<unknown> = new Set<UsageOutcome>(['described', 'succeeded', 'failed', 'declined']);

/** Reads a history file: a head, which may be missing, then one use a line. Never throws; what it can't read it counts. */
export function parseHistory(text: string): HistoryText {
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const head = parseHead(lines[0] ?? '');
  const body = head === undefined ? lines : lines.slice(1);
  const last = torn === '' ? undefined : parseUse(torn);
  const events = [...body.map(parseUse), last].filter((event) => event !== undefined);
  const whole = events.length - (last === undefined ? 0 : 1);
  return {
    root: head?.root,
    clearedAt: head?.clearedAt ?? 0,
    events: events.toSorted((one, other) => one.time - other.time),
    brokenLines: body.length - whole,
  };
}

/** The whole text of a history file. */
export function formatHistory({ root, clearedAt }: HistoryHead, events: readonly UsageEvent[]): string {
  const head = JSON.stringify({ history: 1, root, cleared_at: clearedAt });
  return `${[head, ...events.map(formatUse)].join('\n')}\n`;
}

/** One use as a line, without its end. */
export function formatUse({ id, time, outcome, goal }: UsageEvent): string {
  return JSON.stringify({ time, id, outcome, ...(goal.length === 0 ? {} : { goal: goal.slice(0, MOST_WORDS) }) });
}

function parseHead(line: string): HistoryHead | undefined {
  const value = parseObject(line);
  if (value?.['history'] !== 1 || typeof value['root'] !== 'string') return undefined;
  return { root: value['root'], clearedAt: toTime(value['cleared_at']) ?? 0 };
}

function parseUse(line: string): UsageEvent | undefined {
  const value = parseObject(line);
  const time = toTime(value?.['time']);
  if (value === undefined || time === undefined) return undefined;
  const { id, outcome, goal = [] } = value;
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID || !OUTCOMES.has(outcome)) return undefined;
  if (!Array.isArray(goal) || goal.length > MOST_WORDS || !goal.every(isWord)) return undefined;
  return { id, time, outcome: outcome as UsageOutcome, goal };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_WORD;
}

function toTime(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

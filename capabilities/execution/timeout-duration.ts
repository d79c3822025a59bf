import type { Timeout } from '../models';

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const defaultTimeoutMs = 60_000;
/** Timers count in 32 bits; a day is the longest a definition may ask for. */
const longestTimeoutMs = 86_400_000;

/** Milliseconds of a `timeout`: whole seconds, or a number with `ms`, `s`, `m` or `h`; 60 seconds when there is none. */
export function timeoutMilliseconds(timeout: Timeout | undefined): number {
  if (timeout === undefined) return defaultTimeoutMs;
  const match = /^(\d+)(ms|s|m|h)$/.exec(typeof timeout === 'number' ? `${timeout}s` : timeout);
  const unit = match?.[2] as keyof typeof unitMs | undefined;
  const value = unit === undefined ? defaultTimeoutMs : Number(match?.[1]) * unitMs[unit];
  return Math.min(Math.max(value, 1), longestTimeoutMs);
}

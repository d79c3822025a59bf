/** Percentiles of durations in milliseconds. */
export interface Summary {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Sorts and picks; `values` must not be empty. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

/** `1.2 / 3.4 ms (P50 / P95)`. */
export function showSummary({ p50, p95, max }: Summary): string {
  return `${p50.toFixed(2)} / ${p95.toFixed(2)} ms P50 / P95, max ${max.toFixed(2)} ms`;
}

/** Runs `work` once and returns its duration in milliseconds. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

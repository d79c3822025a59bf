import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Pids (seen from here) of the processes whose command line or environment holds `mark`. */
export function processesWith(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      const state = read(`/proc/${pid}/stat`).split(') ')[1]?.[0];
      return (
        state !== 'Z' && (read(`/proc/${pid}/cmdline`).includes(mark) || read(`/proc/${pid}/environ`).includes(mark))
      );
    });
}

/** Resolves as soon as `condition` holds; rejects after `limitMs`. */
export async function eventually(condition: () => boolean, limitMs = 8_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > end) throw new Error('The condition did not come true in time.');
    await delay(10);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

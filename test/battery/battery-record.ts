import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

/** How one hostile attempt ended. `crashed`: an exception, a hang, or an answer that is none. */
export type Outcome = 'blocked' | 'escaped' | 'crashed';

/** One attempt. */
export interface Attempt {
  readonly threat: string;
  readonly name: string;
  readonly outcome: Outcome;
  readonly detail?: string;
}

/** Whether the whole battery is wanted (`npm run battery`), or what `npm test` has time for. */
export const isFullBattery = process.env['CAPABILITY_BATTERY'] === 'full';

/** The first number for the whole battery, the second for `npm test`. */
export function sized(full: number, quick: number): number {
  return isFullBattery ? full : quick;
}

/** Collects the attempts of one file; they are written at its end, for the table of `npm run battery`. */
export class BatteryRecord {
  readonly #attempts: Attempt[] = [];

  /** @param name of the file with the attempts. */
  constructor(name: string) {
    afterAll(() => {
      const folder = path.resolve('test-artifacts/battery');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(this.#attempts));
    });
  }

  /** Makes an attempt and keeps how it ended; whatever it throws counts as a crash. */
  async attempt(
    threat: string,
    name: string,
    make: () => Promise<Outcome | readonly [Outcome, string]>,
  ): Promise<Outcome> {
    let ended: Outcome | readonly [Outcome, string];
    try {
      ended = await make();
    } catch (error) {
      ended = ['crashed', error instanceof Error ? error.message : String(error)];
    }
    const [outcome, detail] = typeof ended === 'string' ? [ended] : ended;
    this.#attempts.push({ threat, name, outcome, ...(detail === undefined ? {} : { detail }) });
    return outcome;
  }

  /** Fails the test with the attempts that did not end as blocked. */
  expectAllBlocked(threat: string, atLeast: number): void {
    const made = this.#attempts.filter((each) => each.threat === threat);
    expect(made.filter(({ outcome }) => outcome !== 'blocked')).toEqual([]);
    expect(made.length).toBeGreaterThanOrEqual(atLeast);
  }
}

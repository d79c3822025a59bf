import type { BudgetAmounts, BudgetLimits } from '../models';
import type { Clock } from '../ports';

/** Nothing is limited. */
export const NO_BUDGET: BudgetLimits = {
  windowMinutes: 60,
  session: { runs: 0, seconds: 0, outputBytes: 0 },
  action: { runs: 0, seconds: 0, outputBytes: 0 },
};

/** Which limit a run would exceed. */
export interface BudgetExcess {
  /** One sentence: the limit and whose it is. */
  readonly limit: string;
  /** Seconds until enough of it is free again; at least 1. */
  readonly resetsInSeconds: number;
}

interface Use {
  readonly session: string;
  readonly action: string;
  readonly at: number;
  seconds: number;
  outputBytes: number;
}

const NAMES: Readonly<Record<keyof BudgetAmounts, (limit: number) => string>> = {
  runs: (limit) => `${limit} runs`,
  seconds: (limit) => `${limit} seconds of run time`,
  outputBytes: (limit) => `${limit} bytes of output`,
};

/**
 * Counts what each session runs, on a clock that can't be set. Kept in memory: a restart of the server begins anew, which a person does and no agent can.
 * A run counts from its start, so that runs side by side can't all pass the last free place; its time and output are added at its end.
 */
export class RunBudget {
  readonly #clock: Clock;
  readonly #limits: () => BudgetLimits;
  #uses: Use[] = [];

  /** @param limits asked for each run, so that a changed setting holds at once. */
  constructor(clock: Clock, limits: () => BudgetLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Takes a place for a run, or says which limit it would exceed. The returned function adds what the run has used. */
  start(
    session: string,
    action: string,
  ):
    | { readonly ok: true; readonly finish: (used: { readonly seconds: number; readonly outputBytes: number }) => void }
    | { readonly ok: false; readonly excess: BudgetExcess } {
    const limits = this.#limits();
    const now = this.#clock.monotonic();
    const windowMs = limits.windowMinutes * 60_000;
    this.#uses = this.#uses.filter(({ at }) => now - at < windowMs);
    const own = this.#uses.filter((use) => use.session === session);
    const excess =
      findExcess(own, limits.session, 'this session') ??
      findExcess(
        own.filter((use) => use.action === action),
        limits.action,
        `"${action}"`,
      );
    if (excess !== undefined) {
      const { limit, oldest } = excess;
      return {
        ok: false,
        excess: { limit, resetsInSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000)) },
      };
    }
    const use: Use = { session, action, at: now, seconds: 0, outputBytes: 0 };
    this.#uses.push(use);
    return {
      ok: true,
      finish: ({ seconds, outputBytes }) => {
        use.seconds = seconds;
        use.outputBytes = outputBytes;
      },
    };
  }
}

function findExcess(
  uses: readonly Use[],
  limits: BudgetAmounts,
  whose: string,
): { readonly limit: string; readonly oldest: number } | undefined {
  const used: BudgetAmounts = {
    runs: uses.length,
    seconds: uses.reduce((sum, { seconds }) => sum + seconds, 0),
    outputBytes: uses.reduce((sum, { outputBytes }) => sum + outputBytes, 0),
  };
  const kinds = ['runs', 'seconds', 'outputBytes'] as const;
  const exceeded = kinds.find((kind) => limits[kind] > 0 && used[kind] >= limits[kind]);
  if (exceeded === undefined) return undefined;
  return { limit: `${NAMES[exceeded](limits[exceeded])} for ${whose}`, oldest: uses[0]?.at ?? 0 };
}

/** Limits of what may be run within a time; a limit of 0 is none. The user's own; no workspace has a say in it. */
export interface BudgetLimits {
  /** Minutes after which what was used counts no more. */
  readonly windowMinutes: number;
  /** For everything in one session. */
  readonly session: BudgetAmounts;
  /** For each action in one session. */
  readonly action: BudgetAmounts;
}

/** What is counted. */
export interface BudgetAmounts {
  readonly runs: number;
  readonly seconds: number;
  readonly outputBytes: number;
}

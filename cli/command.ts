import type { CliHost } from './cli-host';
import type { Terminal } from './terminal';

/** Parsed options of every command. */
export interface CommandOptions {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly json: boolean;
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
}

/** Exit codes: 0 done, 1 the command's own failure, 2 wrong use. */
export type ExitCode = 0 | 1 | 2;

/** One subcommand. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  /** Options beside `--json`, `--workspace` and `--help`, by name. */
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;
  /** How many positionals it takes. */
  readonly positionals: readonly [minimum: number, maximum: number];
  run(options: CommandOptions, terminal: Terminal, host: CliHost): Promise<ExitCode>;
}

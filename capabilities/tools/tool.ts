import type { CallOptions, ErrorReply, RuntimeContext } from '../models';

/** Names of the four tools, as agents see them. */
export type ToolName = 'capability_search' | 'capability_list' | 'capability_describe' | 'capability_run';

/** What a host tells an agent about a tool. English, stable byte for byte, never localised. */
export interface ToolContract {
  readonly name: ToolName;
  /** Name for `#` references in a prompt. */
  readonly referenceName: string;
  /** For the model: what it does, when to use it and when not to, limits. */
  readonly description: string;
  /** Plain JSON Schema object, draft-07. */
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
}

/** A tool every host serves in the same way. */
export interface CapabilityTool<Reply> extends ToolContract {
  /**
   * Checks the input and carries it out. Expected failures are replies with `status: "error"`; rejects only on a bug
   * or when the signal is aborted before anything ran.
   */
  execute(input: unknown, context: RuntimeContext, options: CallOptions): Promise<Reply | ErrorReply>;
}

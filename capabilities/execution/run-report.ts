import type { ActionReference, ErrorReply, FrozenPlan, RunReply } from '../models';
import type { DataStore, Digest, Paths, ProcessResult } from '../ports';
import { fitText, jsonBytes } from './text-budget';

/** Hosts cut what is longer out of the middle of a reply. */
export const largestReplyBytes = 8_192;
/** Room for what is added after the texts are fitted. */
const reserveBytes = 512;
const smallestReplyBytes = 1_024;
/** A token of JSON is rarely shorter than three bytes. */
const bytesPerToken = 3;

/** A run that has ended, however it ended. */
export interface FinishedRun {
  readonly plan: FrozenPlan;
  readonly result: ProcessResult;
  readonly auditId: string | undefined;
  readonly notices: readonly string[];
}

/** Size limit of one reply. */
export function replyLimit(tokenBudget: number | undefined): number {
  if (tokenBudget === undefined) return largestReplyBytes;
  return Math.min(largestReplyBytes, Math.max(smallestReplyBytes, Math.floor(tokenBudget) * bytesPerToken));
}

/** Builds the replies of runs within their size limit; the whole of a shortened output goes to a file. */
export class RunReport {
  readonly #store: DataStore;
  readonly #paths: Paths;
  readonly #digest: Digest;

  constructor(store: DataStore, paths: Paths, digest: Digest) {
    this.#store = store;
    this.#paths = paths;
    this.#digest = digest;
  }

  /** The reply of a run that succeeded. `output` is the parsed JSON when a schema is declared, else the text. */
  async success(
    run: FinishedRun,
    output: unknown,
    nextActions: readonly ActionReference[],
    limit: number,
  ): Promise<RunReply> {
    const { plan, result } = run;
    const fixed: RunReply = {
      status: 'ok',
      action_id: plan.actionId,
      version: plan.version,
      ...exitCodeOf(result),
      duration_ms: result.durationMs,
      isolated: run.plan.isolation !== undefined,
      ...(run.auditId === undefined ? {} : { audit_id: run.auditId }),
    };
    const followers = fitActions(nextActions, limit / 4);
    const room = limit - reserveBytes - jsonBytes({ ...fixed, notices: run.notices, next_actions: followers });
    const errorText = fitText(result.stderr.text, Math.min(room / 4, 1_500));
    const errorBytes = result.stderr.text === '' ? 0 : jsonBytes(errorText.text);
    const fitted = fitOutput(output, result, room - errorBytes);
    const file = fitted.isShortened ? await this.#outputFile(result) : undefined;
    const notices = [
      ...run.notices,
      ...shorteningNotices(result, fitted.isShortened, file),
      ...errorNotice(errorText.isShortened),
    ];
    return {
      ...fixed,
      ...(fitted.isShortened ? { truncated: true } : {}),
      ...(file === undefined ? {} : { output_file: file }),
      ...(notices.length === 0 ? {} : { notices }),
      output: fitted.output,
      ...(result.stderr.text === '' ? {} : { error_output: errorText.text }),
      ...(followers.length === 0 ? {} : { next_actions: followers }),
    };
  }

  /** The reply of a run that did not succeed. */
  async failure(run: FinishedRun, code: ErrorReply['code'], message: string, limit: number): Promise<ErrorReply> {
    const { result } = run;
    const fixed: ErrorReply = {
      status: 'error',
      code,
      message: [message, ...run.notices].join(' '),
      retryable: code === 'cancelled' || (code === 'timeout' && run.plan.sideEffect === 'R'),
      ...exitCodeOf(result),
      duration_ms: result.durationMs,
      isolated: run.plan.isolation !== undefined,
      ...(run.auditId === undefined ? {} : { audit_id: run.auditId }),
    };
    const room = limit - reserveBytes - jsonBytes(fixed);
    // After a failure the error output says more than the output.
    const errorText = fitText(result.stderr.text, room * 0.6);
    const output = fitText(result.stdout.text, room - jsonBytes(errorText.text));
    const isShortened = output.isShortened || result.stdout.truncated;
    const file = isShortened ? await this.#outputFile(result) : undefined;
    return {
      ...fixed,
      ...(file === undefined ? {} : { output_file: file }),
      ...(result.stdout.text === '' ? {} : { output: output.text }),
      ...(result.stderr.text === '' ? {} : { error_output: errorText.text }),
    };
  }

  /** The file with the whole output: the runner's, or one written now. Undefined when it could not be written. */
  async #outputFile(result: ProcessResult): Promise<string | undefined> {
    if (result.stdout.truncated) return result.stdout.file;
    const name = `outputs/${this.#digest.randomId()}.txt`;
    try {
      await this.#store.write(name, result.stdout.text);
      return this.#paths.join(this.#store.folder, name);
    } catch {
      return undefined;
    }
  }
}

function exitCodeOf(result: ProcessResult): { readonly exit_code?: number } {
  return result.exitCode === undefined ? {} : { exit_code: result.exitCode };
}

interface FittedOutput {
  readonly output: NonNullable<RunReply['output']> | null;
  readonly isShortened: boolean;
}

function fitOutput(output: unknown, result: ProcessResult, budget: number): FittedOutput {
  if (typeof output !== 'string' && jsonBytes(output) <= budget) {
    return { output: output as FittedOutput['output'], isShortened: result.stdout.truncated };
  }
  const fitted = fitText(result.stdout.text, budget);
  return { output: fitted.text, isShortened: fitted.isShortened || result.stdout.truncated };
}

function shorteningNotices(result: ProcessResult, isShortened: boolean, file: string | undefined): readonly string[] {
  if (!isShortened) return [];
  const rest = file === undefined ? 'The whole output could not be saved.' : 'Read output_file for the whole.';
  return [`Output shortened: it has ${result.stdout.totalBytes} bytes; its beginning and its end are shown. ${rest}`];
}

function errorNotice(isShortened: boolean): readonly string[] {
  return isShortened ? ['error_output is shortened.'] : [];
}

/** Leaves out suggestions from the end until they fit. */
function fitActions(actions: readonly ActionReference[], budget: number): ActionReference[] {
  const shown = [...actions];
  while (shown.length > 0 && jsonBytes(shown) > budget) shown.pop();
  return shown;
}

import type { ErrorCode, ErrorReply, ResourceResolver, RunReply, RuntimeContext } from '../models';
import type { ProcessResult } from '../ports';
import type { ArgumentValidator } from './argument-validation';
import { followingActions } from './recommended-actions';
import type { AuthorizedRun } from './run-authorization';
import type { RunReport } from './run-report';

/** One confirmed call on its way. */
export interface RunSetting {
  readonly run: AuthorizedRun;
  readonly context: RuntimeContext;
  readonly signal: AbortSignal;
  /** Bytes the reply may have. */
  readonly limit: number;
}

/** A call whose process has ended. */
export interface EndedRun extends RunSetting {
  readonly result: ProcessResult;
  readonly auditId: string | undefined;
  readonly notices: readonly string[];
}

/** What a finished process means. */
export type Verdict =
  { readonly outcome: 'ok'; readonly output: unknown } | { readonly outcome: ErrorCode; readonly message: string };

/** What the judgement needs. */
export interface VerdictParts {
  readonly validator: ArgumentValidator;
  readonly report: RunReport;
  readonly resolver: ResourceResolver;
}

/** Judges how a process ended, checks its output against `output_schema`, and makes the reply. */
export class RunVerdict {
  readonly #parts: VerdictParts;

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** `ok` means: exit code 0, and an output that fits the declared schema. */
  judge(run: AuthorizedRun, result: ProcessResult): Verdict {
    const id = `"${run.plan.actionId}"`;
    switch (result.ended) {
      case 'timeout':
        return {
          outcome: 'timeout',
          message: `${id}: ${result.detail ?? 'Stopped after its time limit.'} It may have done a part of its work.`,
        };
      case 'cancelled':
        return {
          outcome: 'cancelled',
          message: `${id} was cancelled; all its processes were ended. It may have done a part of its work.`,
        };
      case 'failed-to-start':
        return {
          outcome: 'execution_failed',
          message: `${id} could not be started: ${result.detail ?? 'unknown reason.'} Nothing ran.`,
        };
      case 'signal':
        return {
          outcome: 'execution_failed',
          message: `${id} failed: ${result.detail ?? 'ended by a signal.'} It may have done a part of its work.`,
        };
      case 'exit':
        if (result.exitCode === 0) return this.#judgeOutput(run, result);
        return {
          outcome: 'execution_failed',
          message: `${id} failed with exit code ${result.exitCode ?? 'unknown'}${signalHint(result.exitCode)}. Read error_output and output for the reason.${limitHints(run, result)}`,
        };
    }
  }

  /** The reply within its size limit. */
  reply(verdict: Verdict, ended: EndedRun): Promise<RunReply | ErrorReply> {
    const { run, context, result, auditId, limit } = ended;
    const { resource, plan } = run;
    const notices = [...isolationNotice(run), ...ended.notices];
    const finished = { plan, result, auditId, notices };
    if (verdict.outcome !== 'ok') {
      return this.#parts.report.failure(
        { ...finished, notices: ended.notices },
        verdict.outcome,
        verdict.message,
        limit,
      );
    }
    const next = followingActions(resource, result.stdout.text, this.#parts.resolver, context);
    return this.#parts.report.success(finished, verdict.output, next, limit);
  }

  #judgeOutput(run: AuthorizedRun, result: ProcessResult): Verdict {
    const schema = run.resource.definition.output_schema;
    if (schema === undefined) return { outcome: 'ok', output: result.stdout.text };
    const refuse = (reason: string): Verdict => ({
      outcome: 'invalid_output',
      message: `"${run.plan.actionId}" ran and ended with exit code 0, but its output does not fit its output_schema: ${reason}. Do not rely on the output; tell the user.`,
    });
    if (result.stdout.truncated) return refuse(`it has ${result.stdout.totalBytes} bytes, more than can be checked`);
    try {
      const output: unknown = JSON.parse(result.stdout.text);
      const difference = this.#parts.validator.checkOutput(schema, output);
      return difference === undefined ? { outcome: 'ok', output } : refuse(difference);
    } catch {
      return refuse('it is not JSON');
    }
  }
}

function isolationNotice({ plan }: AuthorizedRun): readonly string[] {
  return plan.isolation === undefined ? ['Not isolated: its limits on files and network were not enforced.'] : [];
}

const REFUSED_WRITE = /read-only file system|EROFS|permission denied|EACCES|device or resource busy|EBUSY/iu;
const REFUSED_CONNECTION =
  /\b403\b|network is unreachable|ENETUNREACH|could not resolve|ENOTFOUND|EAI_AGAIN|name resolution|ECONNREFUSED|connection refused|EPERM|operation not permitted/iu;

/** What a failure may have to do with the limits: the program itself can't know of them. */
function limitHints({ plan }: AuthorizedRun, { stderr }: ProcessResult): string {
  if (plan.isolation === undefined) return '';
  const { writable, network } = plan.isolation;
  const places = writable.length === 0 ? 'may write nothing' : 'may write only where its filesystem.write says';
  const hosts = network === 'none' ? 'has no network (network_policy: none)' : 'reaches only the hosts it names';
  const hints = [
    ...(REFUSED_WRITE.test(stderr.text) ? [`it ${places}`] : []),
    ...(network !== 'any' && REFUSED_CONNECTION.test(stderr.text) ? [`it ${hosts}`] : []),
  ];
  return hints.length === 0 ? '' : ` It ran isolated: ${hints.join(', and ')}. Do not work around this; tell the user.`;
}

/** 128 + n is how a shell and a PID namespace report signal n. */
function signalHint(exitCode: number | undefined): string {
  const names: Readonly<Record<number, string>> = {
    132: 'SIGILL',
    134: 'SIGABRT',
    135: 'SIGBUS',
    136: 'SIGFPE',
    137: 'SIGKILL',
    139: 'SIGSEGV',
    143: 'SIGTERM',
  };
  const name = exitCode === undefined ? undefined : names[exitCode];
  return name === undefined ? '' : ` (probably ended by ${name})`;
}

import type { ErrorReply } from '../capabilities/models';
import type { ExitCode } from './command';
import type { Terminal } from './terminal';

/** Prints a reply: JSON as it is, or for a person. Failures go to standard error. Returns the exit code. */
export function finish<Reply extends object>(
  reply: Reply | ErrorReply,
  output: { readonly json: boolean; readonly terminal: Terminal; readonly show: (reply: Reply) => string },
): ExitCode {
  const failure = isErrorReply(reply) ? reply : undefined;
  if (output.json) output.terminal.write(JSON.stringify(reply));
  else if (failure) output.terminal.tell(showFailure(failure));
  else output.terminal.write(output.show(reply as Reply));
  return failure ? 1 : 0;
}

function isErrorReply(reply: object): reply is ErrorReply {
  return 'status' in reply && reply.status === 'error';
}

function showFailure(failure: ErrorReply): string {
  const problems = (failure.problems ?? []).map((problem) => `  ${problem.pointer || '/'}: ${problem.message}`);
  const errorOutput = failure.error_output === undefined ? [] : [failure.error_output.trimEnd()];
  return [`${failure.code}: ${failure.message}`, ...problems, ...errorOutput].join('\n');
}

/** `{name: number}` for an option that was given; text that is no number is passed on for the engine to refuse. */
export function numberOption(name: string, value: string | boolean | undefined): Record<string, number | string> {
  if (typeof value !== 'string') return {};
  const number = Number(value);
  return { [name]: Number.isNaN(number) ? value : number };
}

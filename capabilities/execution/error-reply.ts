import type { ErrorReply, Problem } from '../models';
import { clipText, jsonBytes } from './text-budget';

const mostProblems = 20;
const longestMessage = 2_000;

/**
 * The reply of a failure before anything ran, in at most `limit` bytes: many problems are cut to the first ones, and a schema that
 * does not fit is left to `capability_describe`.
 */
export function errorReply(problem: Problem, limit: number): ErrorReply {
  const { problems, ...rest } = problem;
  const message = clipText(problem.message, longestMessage);
  const whole: ErrorReply = {
    status: 'error',
    ...rest,
    message,
    ...(problems === undefined ? {} : { problems: firstOf(problems) }),
  };
  if (jsonBytes(whole) <= limit) return whole;
  const { arguments_schema: schema, ...withoutSchema } = whole;
  const lean: ErrorReply =
    schema === undefined
      ? whole
      : { ...withoutSchema, message: `${message} The schema is too long for this reply: describe the action.` };
  if (jsonBytes(lean) <= limit) return lean;
  const { status, code, retryable, next_step: nextStep } = lean;
  return {
    status,
    code,
    message: clipText(lean.message, limit / 4),
    retryable,
    ...(nextStep === undefined ? {} : { next_step: nextStep }),
  };
}

function firstOf(problems: NonNullable<Problem['problems']>): NonNullable<Problem['problems']> {
  const shown = problems
    .slice(0, mostProblems)
    .map(({ pointer, message }) => ({ pointer: clipText(pointer, 200), message: clipText(message, 300) }));
  const left = problems.length - shown.length;
  return left === 0 ? shown : [...shown, { pointer: '', message: `${left} more problems` }];
}

import type { ErrorObject } from 'ajv';
import type { ErrorReply, InputProblem } from '../models';

interface InputValidator {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Input that fits its schema, or the reply to send. */
export type ParsedInput<Input> =
  { readonly ok: true; readonly input: Input } | { readonly ok: false; readonly reply: ErrorReply };

/** Longest message that repeats the caller's own words. */
const quotedLimit = 80;
/** Most problems a reply names: hosts cut long replies in the middle. */
const mostProblems = 20;

/**
 * Checks a tool's raw input against its compiled schema. Input that arrives as a JSON string is unwrapped once, as
 * some models send it. Fails with `invalid_request` and one problem per place.
 */
export function parseToolInput<Input>(raw: unknown, validate: InputValidator): ParsedInput<Input> {
  const input = parseJsonText(raw);
  if (validate(input)) return { ok: true, input: input as Input };
  const problems = (validate.errors ?? []).slice(0, mostProblems).map(describeError);
  const first = problems[0];
  return {
    ok: false,
    reply: {
      status: 'error',
      code: 'invalid_request',
      message: `The input does not fit this tool: ${first ? `${first.pointer || 'input'} ${first.message}` : 'it must be an object'}. Send it again, corrected.`,
      retryable: false,
      problems,
    },
  };
}

/** `"{\"query\": …}"` → the object; anything else is returned as it is. */
export function parseJsonText(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

function describeError(error: ErrorObject): InputProblem {
  const parameters: Readonly<Record<string, unknown>> = error.params;
  const extra = parameters['additionalProperty'];
  if (typeof extra === 'string')
    return {
      pointer: `${error.instancePath}/${escapePointer(extra.slice(0, quotedLimit))}`,
      message: 'is not an input of this tool',
    };
  const allowed = parameters['allowedValues'];
  if (Array.isArray(allowed)) return { pointer: error.instancePath, message: `must be one of ${allowed.join(', ')}` };
  if (error.keyword === 'minLength') return { pointer: error.instancePath, message: 'must not be empty' };
  return { pointer: error.instancePath, message: error.message ?? 'is not valid' };
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

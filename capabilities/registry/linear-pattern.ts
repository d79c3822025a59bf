/**
 * Regular expressions that can't be slow. Patterns of schemas come from packs and are matched against what a model
 * sends; RE2's algorithm takes linear time, and refuses look-around and back-references, which can't have that.
 */
import { RE2JS, RE2JSException } from 're2js';
import type { Result } from '../models';

/** Longest pattern that is compiled. */
const MAX_PATTERN_LENGTH = 1000;

/** A compiled pattern; matches anywhere in the text, as JSON Schema wants it. */
export interface LinearPattern {
  test(text: string): boolean;
  /** The pattern. The schema compiler tells compiled patterns apart by it: two that print alike count as one. */
  toString(): string;
}

/** Compiles a pattern, or says in a sentence why it is refused. */
export function compilePattern(pattern: string): Result<LinearPattern, string> {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return { ok: false, problem: `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.` };
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { ok: true, value: { test: (text) => compiled.matcher(text).find(), toString: () => pattern } };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    const advice = 'Look-around and back-references are not supported, and a repeat count may be at most 1000.';
    return { ok: false, problem: `The pattern is not supported (${reason}). ${advice}` };
  }
}

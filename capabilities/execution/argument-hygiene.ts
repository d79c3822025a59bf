import type { InputProblem } from '../models';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const deepest = 64;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * What no argument may hold, whatever its schema says: NUL and half surrogate pairs (neither reaches a program unchanged),
 * names that reach into prototypes, and nesting beyond 64 levels.
 */
export function findUncleanArguments(value: unknown): readonly InputProblem[] {
  const problems: InputProblem[] = [];
  visit(value, '', { problems, depth: 0 });
  return problems;
}

interface Visit {
  readonly problems: InputProblem[];
  readonly depth: number;
}

function visit(value: unknown, pointer: string, state: Visit): void {
  if (typeof value === 'string') {
    checkText(value, pointer, state.problems);
    return;
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    state.problems.push({ pointer, message: 'must be a finite number' });
  if (typeof value !== 'object' || value === null) return;
  if (state.depth >= deepest) {
    state.problems.push({ pointer, message: `is nested deeper than ${deepest} levels` });
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const place = `${pointer}/${escapePointer(key)}`;
    if (!Array.isArray(value)) checkKey(key, place, state.problems);
    visit(item, place, { problems: state.problems, depth: state.depth + 1 });
  }
}

function checkText(text: string, pointer: string, problems: InputProblem[]): void {
  if (text.includes('\0'))
    problems.push({ pointer, message: 'holds a NUL character, which no program argument can carry' });
  if (loneSurrogate.test(text))
    problems.push({ pointer, message: 'holds half of a surrogate pair, which is not valid Unicode' });
}

function checkKey(key: string, pointer: string, problems: InputProblem[]): void {
  if (forbiddenKeys.has(key)) problems.push({ pointer, message: 'is not allowed as a name' });
  checkText(key, pointer, problems);
}

/** One segment of a JSON Pointer (RFC 6901). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * Turns the errors of compiled JSON Schemas into findings that a person or a model can act on: one a mistake, at the
 * place of the mistake. The noise of `anyOf` and `oneOf` (an error for every alternative) is collapsed to what matters
 * for the value that is there.
 */
import type { ErrorObject } from 'ajv';
import { collapseAlternatives } from './alternative-errors';
import { findNearestNames } from './nearest-names';
import type { ValuePath } from './span-tree';

/** One mistake in a value. */
export interface ValidationFinding {
  readonly kind: 'unknown-key' | 'missing-key' | 'invalid-key' | 'invalid-type' | 'invalid-value';
  /** Place of the value; for the kinds about a key, of the map. */
  readonly path: ValuePath;
  /** The key, for the kinds about one. */
  readonly key: string | undefined;
  /** Sentence without the place: "must be …". */
  readonly message: string;
  /** The known key that was probably meant. */
  readonly suggestion: string | undefined;
}

/** Names the keys that a map may have, so that a misspelt one can be recognised. */
export type KnownKeys = (error: ErrorObject) => readonly string[];

/** Interprets the errors of one validation of `root`. */
export function interpretErrors(
  errors: readonly ErrorObject[],
  root: unknown,
  knownKeys: KnownKeys,
): readonly ValidationFinding[] {
  const findings: ValidationFinding[] = [];
  const seen = new Set<string>();
  for (const error of collapseAlternatives(errors, (pointer) => valueAt(root, toPath(pointer, root)))) {
    const finding = interpret(error, root, knownKeys);
    const identity = JSON.stringify([finding.kind, finding.path, finding.key]);
    if (seen.has(identity)) continue;
    seen.add(identity);
    findings.push(finding);
  }
  return dropExplained(findings);
}

/** A key that is missing because it is misspelt is one mistake, not two. */
function dropExplained(findings: readonly ValidationFinding[]): readonly ValidationFinding[] {
  const explained = new Set(
    findings
      .filter(({ suggestion }) => suggestion !== undefined)
      .map(({ path, suggestion }) => JSON.stringify([path, suggestion])),
  );
  return findings.filter(
    ({ kind, path, key }) => kind !== 'missing-key' || !explained.has(JSON.stringify([path, key])),
  );
}

/** JSON Pointer to steps; a step into a list becomes its index. */
export function toPath(pointer: string, root: unknown): ValuePath {
  if (pointer === '') return [];
  const path: (string | number)[] = [];
  let value = root;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const name = Array.isArray(value) ? Number(key) : key;
    path.push(name);
    value = child(value, name);
  }
  return path;
}

/** Value at a path; undefined when there is none. */
export function valueAt(root: unknown, path: ValuePath): unknown {
  return path.reduce(child, root);
}

function child(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, unknown>)[step];
}

function interpret(error: ErrorObject, root: unknown, knownKeys: KnownKeys): ValidationFinding {
  const path = toPath(error.instancePath, root);
  const parameters = error.params as Readonly<Record<string, unknown>>;
  const base = { path, key: undefined, suggestion: undefined };
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies': {
      const key = String(parameters['missingProperty']);
      return { ...base, kind: 'missing-key', key, message: `\`${key}\` is missing` };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const key = String(parameters['additionalProperty'] ?? parameters['unevaluatedProperty']);
      return interpretUnknownKey(path, key, knownKeys(error));
    }
    case 'propertyNames': {
      const key = String(parameters['propertyName']);
      return { ...base, kind: 'invalid-key', key, message: `\`${key}\` is not allowed as a key here` };
    }
    case 'type':
      return { ...base, kind: 'invalid-type', message: describeType(parameters['type'], valueAt(root, path)) };
    default:
      return { ...base, kind: 'invalid-value', message: describeValue(error, valueAt(root, path)) };
  }
}

function interpretUnknownKey(path: ValuePath, key: string, known: readonly string[]): ValidationFinding {
  const suggestion = findNearestNames(key, known, 1)[0];
  const list = known.length > 0 && known.length <= 12 ? ` Known keys: ${quoteAll(known)}.` : '';
  const advice = suggestion === undefined ? list : ` Did you mean \`${suggestion}\`?`;
  return { kind: 'unknown-key', path, key, suggestion, message: `\`${key}\` is not a known key.${advice}` };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: '`true` or `false`',
  object: 'a map',
  array: 'a list',
  null: 'null',
};

function describeType(expected: unknown, actual: unknown): string {
  const names = String(expected)
    .split(',')
    .map((type) => TYPE_NAMES[type] ?? type);
  return `must be ${names.join(' or ')}, not ${describeActual(actual)}`;
}

/** What a value is, in words. */
export function describeActual(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'a map';
    case 'string':
      return 'text';
    default:
      return `the ${typeof value} ${JSON.stringify(value)}`;
  }
}

function describeValue(error: ErrorObject, actual: unknown): string {
  const parameters = error.params as Readonly<Record<string, unknown>>;
  const limit = Number(parameters['limit']);
  switch (error.keyword) {
    case 'enum':
      return describeChoice(parameters['allowedValues'] as readonly unknown[], actual);
    case 'const':
      return describeChoice([parameters['allowedValue']], actual);
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'must have at least one item' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'minProperties':
      return `must have at least ${limit} keys`;
    case 'maxProperties':
      return `must have at most ${limit} keys`;
    case 'uniqueItems': {
      const places = [Number(parameters['i']) + 1, Number(parameters['j']) + 1];
      return `must not hold the same item twice (items ${Math.min(...places)} and ${Math.max(...places)})`;
    }
    case 'pattern':
      return `must match the pattern \`${String(parameters['pattern'])}\``;
    default:
      return error.message ?? `breaks the rule \`${error.keyword}\``;
  }
}

function describeChoice(allowed: readonly unknown[], actual: unknown): string {
  const texts = allowed.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const suggestion = typeof actual === 'string' ? findNearestNames(actual, texts, 1)[0] : undefined;
  const advice = suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`;
  return texts.length === 1 ? `must be ${quoteAll(texts)}.${advice}` : `must be one of ${quoteAll(texts)}.${advice}`;
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Closes a message with a full stop unless it ends a sentence already. */
export function asSentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`;
}

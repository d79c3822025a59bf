/**
 * Collapses what a validator says about `anyOf` and `oneOf`: it reports an error for every alternative and then one for
 * the keyword. What helps is the errors of the alternative that was meant, or, if none was, what there is to choose from.
 */
import type { ErrorObject } from 'ajv';

/** Reads the value that stands at a JSON Pointer. */
export type ValueReader = (pointer: string) => unknown;

interface ErrorGroup {
  readonly error: ErrorObject;
  /** Errors of the alternatives, for an `anyOf` or `oneOf` error. */
  readonly alternatives: readonly ErrorGroup[];
}

/** The errors that remain, in order. */
export function collapseAlternatives(errors: readonly ErrorObject[], readValue: ValueReader): readonly ErrorObject[] {
  const groups: ErrorGroup[] = [];
  for (const error of errors) {
    // These say only that another error was found: in a branch, or in the name of a key.
    if (error.keyword === 'if' || (error.propertyName !== undefined && error.keyword !== 'propertyNames')) continue;
    const isAlternative = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    groups.push({ error, alternatives: isAlternative ? claim(groups, error) : [] });
  }
  return groups.flatMap((group) => resolve(group, readValue));
}

/** Definitions apply through a `$ref` only. */
const DEFINITION = /^[^#]*#\/(?:definitions|\$defs)\//;

/** Takes the errors of the alternatives, which stand right before the error of the keyword, from the list. */
function claim(groups: ErrorGroup[], error: ErrorObject): readonly ErrorGroup[] {
  const parent = error.schemaPath.slice(0, error.schemaPath.lastIndexOf('/') + 1);
  let first = groups.length;
  let lowestBranch = Infinity;
  while (first > 0) {
    const candidate = groups[first - 1]?.error;
    if (!candidate || !isWithin(candidate.instancePath, error.instancePath)) break;
    const branch = branchOf(candidate, error);
    // The errors of an alternative that is a $ref carry the path of the definition they stand in.
    const isElsewhere = !candidate.schemaPath.startsWith(parent) || DEFINITION.test(candidate.schemaPath);
    const isReference = isElsewhere && lowestBranch !== 0;
    if (branch === undefined && !isReference) break;
    lowestBranch = Math.min(lowestBranch, branch ?? Infinity);
    first -= 1;
  }
  return groups.splice(first);
}

function isWithin(pointer: string, ancestor: string): boolean {
  return pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

/** Index of the alternative that an error belongs to. */
function branchOf(error: ErrorObject, alternatives: ErrorObject): number | undefined {
  const prefix = `${alternatives.schemaPath}/`;
  if (!error.schemaPath.startsWith(prefix)) return undefined;
  return Number.parseInt(error.schemaPath.slice(prefix.length), 10);
}

function resolve({ error, alternatives }: ErrorGroup, readValue: ValueReader): readonly ErrorObject[] {
  if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') return [error];
  if (alternatives.length === 0) return [error];
  const byConstant = resolveByConstant(error, alternatives);
  const chosen = byConstant ?? alternatives.filter((group) => !rejectsTheKind(group.error, error));
  if (chosen.length > 0) {
    const missing = chosen.filter((group) => group.error.keyword === 'required');
    // Alternatives that differ in what they require: one sentence says it all.
    if (missing.length === chosen.length && missing.length > 1 && !byConstant) return [joinMissing(error, missing)];
    return chosen.flatMap((group) => resolve(group, readValue));
  }
  return [describeKinds(error, alternatives, readValue(error.instancePath))];
}

/** Alternatives told apart by the constant value of one key (`type: command`). */
function resolveByConstant(error: ErrorObject, alternatives: readonly ErrorGroup[]): readonly ErrorGroup[] | undefined {
  const constants = alternatives.filter(
    (group) => group.error.keyword === 'const' && isDirectChild(group.error.instancePath, error.instancePath),
  );
  const branches = new Set(alternatives.map((group) => branchOf(group.error, error)));
  const [first] = constants;
  if (!first) return resolveByMissing(alternatives, branches, error);
  const rejected = new Set(constants.map((group) => branchOf(group.error, error)));
  const meant = alternatives.filter((group) => !rejected.has(branchOf(group.error, error)));
  if (meant.length > 0) return meant;
  const allowedValues: unknown[] = constants.map(
    (group) => (group.error.params as { allowedValue: unknown }).allowedValue,
  );
  return [{ error: { ...first.error, keyword: 'enum', params: { allowedValues } }, alternatives: [] }];
}

/** When every alternative misses the same key, that key is what tells them apart. */
function resolveByMissing(
  alternatives: readonly ErrorGroup[],
  branches: ReadonlySet<number | undefined>,
  error: ErrorObject,
): readonly ErrorGroup[] | undefined {
  const missing = alternatives.filter(
    (group) => group.error.keyword === 'required' && group.error.instancePath === error.instancePath,
  );
  for (const group of missing) {
    const same = missing.filter((other) => missingKey(other.error) === missingKey(group.error));
    if (branches.size > 1 && new Set(same.map((other) => branchOf(other.error, error))).size === branches.size)
      return [group];
  }
  return undefined;
}

function isDirectChild(pointer: string, parent: string): boolean {
  return isWithin(pointer, parent) && pointer.lastIndexOf('/') === parent.length && pointer !== parent;
}

function missingKey(error: ErrorObject): string {
  return (error.params as { missingProperty: string }).missingProperty;
}

/** Whether an alternative is out because the value is of another kind altogether. */
function rejectsTheKind(error: ErrorObject, alternatives: ErrorObject): boolean {
  return error.instancePath === alternatives.instancePath && ['type', 'enum', 'const'].includes(error.keyword);
}

function joinMissing(error: ErrorObject, missing: readonly ErrorGroup[]): ErrorObject {
  const keys = [...new Set(missing.map((group) => missingKey(group.error)))];
  return { ...error, keyword: 'required', params: { missingProperty: keys.join('` or `') } };
}

/** One error that names every kind of value there is to choose from. */
function describeKinds(error: ErrorObject, alternatives: readonly ErrorGroup[], value: unknown): ErrorObject {
  const types: string[] = [];
  const allowedValues: unknown[] = [];
  for (const { error: rejected } of alternatives) {
    const { type, allowedValues: list, allowedValue } = rejected.params as Readonly<Record<string, unknown>>;
    if (rejected.keyword === 'type') types.push(...String(type).split(','));
    if (rejected.keyword === 'enum') allowedValues.push(...(list as readonly unknown[]));
    if (rejected.keyword === 'const') allowedValues.push(allowedValue);
  }
  const isText = typeof value === 'string' || types.length === 0;
  if (allowedValues.length > 0 && isText) return { ...error, keyword: 'enum', params: { allowedValues } };
  const kinds = allowedValues.length > 0 ? ['string', ...types] : types;
  return { ...error, keyword: 'type', params: { type: [...new Set(kinds)].join(',') } };
}

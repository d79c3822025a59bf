/** Fills in the defaults that a JSON Schema declares. */
import { isObject, localReference } from './schema-walker';
import type { SchemaObject } from './schema-walker';

/** Steps a `$ref` may take; a schema that was checked has no loops, this bounds long chains. */
const MAX_HOPS = 32;
/** Levels of a value that are looked at. */
const MAX_DEPTH = 64;

/**
 * A new value with `default`s in place of absent properties, on every level: through `properties`, `additionalProperties`,
 * `items`, `prefixItems`, `allOf` and local `$ref`s. Alternatives (`anyOf`, `oneOf`, `if`) are left alone: which one applies
 * may depend on the defaults. Shares nothing with the value or the schema.
 */
export function applySchemaDefaults(root: SchemaObject, value: unknown): unknown {
  return fill(root, root, copy(value, 0), 0);
}

function fill(root: SchemaObject, schema: unknown, value: unknown, depth: number): unknown {
  const resolved = resolve(root, schema);
  if (!resolved || depth > MAX_DEPTH) return value;
  let filled = value;
  const parts = resolved['allOf'];
  if (Array.isArray(parts)) for (const part of parts) filled = fill(root, part, filled, depth + 1);
  if (Array.isArray(filled)) return fillList(root, resolved, filled, depth);
  return isObject(filled) ? fillMap(root, resolved, filled, depth) : filled;
}

function fillMap(root: SchemaObject, schema: SchemaObject, value: SchemaObject, depth: number): SchemaObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const [key, property] of Object.entries(properties)) {
    const fallback = resolve(root, property);
    if (!entries.has(key) && fallback && Object.hasOwn(fallback, 'default'))
      entries.set(key, copy(fallback['default'], 0));
    if (entries.has(key)) entries.set(key, fill(root, property, entries.get(key), depth + 1));
  }
  for (const [key, item] of entries) {
    if (!Object.hasOwn(properties, key)) entries.set(key, fill(root, schema['additionalProperties'], item, depth + 1));
  }
  return Object.fromEntries(entries);
}

function fillList(
  root: SchemaObject,
  schema: SchemaObject,
  value: readonly unknown[],
  depth: number,
): readonly unknown[] {
  const items = schema['items'];
  const leading: readonly unknown[] = firstList(schema['prefixItems'], items);
  const others = Array.isArray(items) ? schema['additionalItems'] : items;
  return value.map((item, index) => fill(root, index < leading.length ? leading[index] : others, item, depth + 1));
}

function firstList(...candidates: readonly unknown[]): readonly unknown[] {
  return candidates.find((candidate): candidate is unknown[] => Array.isArray(candidate)) ?? [];
}

/** The schema itself, or the one its `$ref` leads to. */
function resolve(root: SchemaObject, schema: unknown): SchemaObject | undefined {
  let current = schema;
  for (let hops = 0; hops < MAX_HOPS && isObject(current); hops += 1) {
    const target = localReference(current['$ref']);
    if (target === undefined) return current;
    current = target.split('/').slice(1).reduce<unknown>(step, root);
  }
  return undefined;
}

function step(value: unknown, key: string): unknown {
  const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as SchemaObject)[name];
}

/** Deep copy of JSON. `Object.fromEntries` keeps a key like `__proto__` an ordinary key. */
function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH * 2) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, depth + 1)]));
}

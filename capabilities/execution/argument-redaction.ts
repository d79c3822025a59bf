import { dereference, isObject } from './option-guard';

const placeholder = '[redacted]';
const longestText = 500;
const deepest = 64;

/**
 * The arguments as the audit keeps them: what the schema marks `writeOnly` is replaced, wherever it stands, and long texts
 * are cut, with the number of characters that are missing.
 */
export function redactArguments(value: unknown, schema: Readonly<Record<string, unknown>>): unknown {
  return redact(value, [schema], { root: schema, depth: 0 });
}

interface Walk {
  readonly root: Readonly<Record<string, unknown>>;
  readonly depth: number;
}

function redact(value: unknown, schemas: readonly unknown[], walk: Walk): unknown {
  const applicable = expand(schemas, walk);
  if (applicable.some((schema) => schema['writeOnly'] === true)) return placeholder;
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (walk.depth >= deepest) return placeholder;
  const inner = { root: walk.root, depth: walk.depth + 1 };
  if (Array.isArray(value)) return value.map((item, index) => redact(item, itemSchemas(applicable, index), inner));
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    redact(item, propertySchemas(applicable, key), inner),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** Every schema that speaks about the same value: references followed, combinations opened. */
function expand(schemas: readonly unknown[], walk: Walk): readonly Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>();
  const waiting = [...schemas];
  while (waiting.length > 0) {
    const next = waiting.pop();
    const schema = dereference(walk.root, next);
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    // Keywords beside a `$ref` count in 2020-12.
    if (isObject(next) && next !== schema) waiting.push({ ...next, $ref: undefined });
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const list = schema[key];
      if (Array.isArray(list)) waiting.push(...(list as unknown[]));
    }
    for (const key of ['if', 'then', 'else']) waiting.push(schema[key]);
  }
  return [...found];
}

function propertySchemas(schemas: readonly Record<string, unknown>[], key: string): readonly unknown[] {
  return schemas.flatMap((schema) => {
    const properties = schema['properties'];
    const own = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    // Which patterns match is not decided here: redacting too much is the safe side.
    const patterns = isObject(schema['patternProperties']) ? Object.values(schema['patternProperties']) : [];
    return [...own, ...patterns, ...(own.length === 0 ? [schema['additionalProperties']] : [])];
  });
}

function itemSchemas(schemas: readonly Record<string, unknown>[], index: number): readonly unknown[] {
  return schemas.flatMap((schema) => {
    const { items, prefixItems, additionalItems, contains } = schema;
    const tuple = Array.isArray(prefixItems)
      ? (prefixItems as unknown[])
      : Array.isArray(items)
        ? (items as unknown[])
        : [];
    return [tuple[index], Array.isArray(items) ? additionalItems : items, contains];
  });
}

function cut(text: string): string {
  if (text.length <= longestText) return text;
  const kept = text.slice(0, longestText).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… ${text.length - kept.length} more characters`;
}

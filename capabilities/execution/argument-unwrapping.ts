import { isObject } from './option-guard';

/**
 * Undoes the two ways models wrap arguments, each at most once: all of them as one JSON string, and nested in a single
 * `arguments` key that the schema does not have. Nothing given means no arguments. Anything else is returned as it is.
 */
export function unwrapArguments(raw: unknown, schema: Readonly<Record<string, unknown>>): unknown {
  const value = parseText(raw ?? {});
  if (!isObject(value) || declares(schema, 'arguments')) return value;
  const keys = Object.keys(value);
  if (keys.length !== 1 || keys[0] !== 'arguments') return value;
  const inner = parseText(value['arguments']);
  return isObject(inner) ? inner : value;
}

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function declares(schema: Readonly<Record<string, unknown>>, name: string): boolean {
  const properties = schema['properties'];
  return isObject(properties) && Object.hasOwn(properties, name);
}

/** A pattern whose first character is a literal `-` or `@`, or a sign: `^--[a-z]+$`, `^@scope/`, `^[-+]?[0-9]+$`. */
const opensLikeOption = /^\^(?:\((?:\?:)?)*(?:\\?[-@]|\[[-+@]+\])/;

/**
 * Whether the schema of an argument says in so many words that its value may begin like an option: by `enum`, by `const`, or
 * by a `pattern` that begins like one. A pattern that only happens to admit a dash (`^[a-z./-]+$`) does not say so. The value
 * has already been validated, so each of these has admitted it.
 */
export function allowsOptionLikeValue(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (Array.isArray(schema['enum']) || Object.hasOwn(schema, 'const')) return true;
  const pattern = schema['pattern'];
  return typeof pattern === 'string' && opensLikeOption.test(pattern);
}

/** Whether a program could take the text for an option (`-x`, `--x`) or for a file of arguments (`@x`). */
export function looksLikeOption(text: string): boolean {
  return text.startsWith('-') || text.startsWith('@');
}

/** Schema of one top-level argument; a local `$ref` is followed. */
export function argumentSchema(root: Readonly<Record<string, unknown>>, name: string): unknown {
  const properties = root['properties'];
  return isObject(properties) && Object.hasOwn(properties, name) ? dereference(root, properties[name]) : undefined;
}

/** Schema of the items of a list argument. */
export function itemSchema(root: Readonly<Record<string, unknown>>, name: string): unknown {
  const schema = argumentSchema(root, name);
  return isObject(schema) ? dereference(root, schema['items']) : undefined;
}

const longestReferenceChain = 8;

/** Follows `#/…` references inside the schema, a few steps at most. */
export function dereference(root: Readonly<Record<string, unknown>>, schema: unknown): unknown {
  let current = schema;
  for (let step = 0; step < longestReferenceChain; step += 1) {
    if (!isObject(current) || typeof current['$ref'] !== 'string') return current;
    current = lookUp(root, current['$ref']);
  }
  return undefined;
}

function lookUp(root: Readonly<Record<string, unknown>>, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const segment of reference.slice(2).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** Narrows a part of a schema to a map. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isArraySchema(schema: JsonObject): boolean {
  const type = schema['type'];
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** Keywords whose value is one schema, and those whose value is a map or a list of schemas. Data such as `default` and `enum` is left alone. */
const ONE = [
  'items',
  'additionalProperties',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
];
const MANY = [
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
];

function normalizeMany(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => (isObject(entry) ? normalizeSchema(entry) : entry));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, isObject(entry) ? normalizeSchema(entry) : entry]),
  );
}

/**
 * A copy of a JSON Schema in which every array has `items`: hosts refuse a whole request over one that has not. Says the same as before.
 */
export function normalizeSchema(schema: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of MANY) {
    if (keyword in schema && !(keyword === 'items' && isObject(schema[keyword])))
      copy[keyword] = normalizeMany(schema[keyword]);
  }
  for (const keyword of ONE) {
    const inner = schema[keyword];
    if (isObject(inner)) copy[keyword] = normalizeSchema(inner);
  }
  if (isArraySchema(schema) && !('items' in schema)) copy['items'] = {};
  return copy;
}

/** Which keywords of JSON Schema hold schemas, and which are known at all. */

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords whose value is a list of schemas. */
export const LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);

/** Keywords whose value is a map of schemas. */
export const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose schemas apply to the same value: a loop through them never ends. */
export const IN_PLACE_KEYWORDS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
]);

/** Keywords that draft-07 does not have: without `$schema` they would be ignored in silence. */
export const NEW_KEYWORDS: ReadonlySet<string> = new Set([
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Keywords that would reach outside the schema or change how it is compiled. */
export const REFUSED_KEYWORDS: ReadonlySet<string> = new Set([
  '$anchor',
  '$async',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
  '$vocabulary',
]);

/** Every keyword that may be used. */
export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMA_KEYWORDS,
  ...LIST_KEYWORDS,
  ...MAP_KEYWORDS,
  ...NEW_KEYWORDS,
  '$comment',
  '$id',
  '$ref',
  '$schema',
  'const',
  'contentEncoding',
  'contentMediaType',
  'default',
  'deprecated',
  'description',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'nullable',
  'pattern',
  'readOnly',
  'required',
  'title',
  'type',
  'uniqueItems',
  'writeOnly',
]);

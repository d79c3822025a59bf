/** A JSON Schema as read: nothing about its shape is believed, because definitions carry schemas that people are still typing. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema and the document its `#/…` references point into. */
export interface LocatedSchema {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** The value as a schema; anything but an object reads as the empty schema. */
export function asSchema(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

/** A keyword's value, when it is an object. */
export function recordOf(schema: JsonSchema, keyword: string): JsonSchema | undefined {
  const value = ownValue(schema, keyword);
  return isRecord(value) ? value : undefined;
}

/** A keyword's value, when it is text. */
export function textOf(schema: JsonSchema, keyword: string): string | undefined {
  const value = ownValue(schema, keyword);
  return typeof value === 'string' ? value : undefined;
}

/** A keyword's value as a list: a single value counts as a list of one, a missing one as an empty list. */
export function listOf(schema: JsonSchema, keyword: string): readonly unknown[] {
  const value = ownValue(schema, keyword);
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/** The texts among a keyword's values. */
export function textsOf(schema: JsonSchema, keyword: string): string[] {
  return listOf(schema, keyword).filter((value) => typeof value === 'string');
}

/** A property of its own, never an inherited one. */
export function ownValue(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

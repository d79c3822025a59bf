import type { ActionDefinition, CompiledSchema } from '../models';
import { dereference, isObject } from './option-guard';

type Schema = Readonly<Record<string, unknown>>;

const deepest = 6;

/**
 * Arguments that would be accepted, as close as possible to what was sent: the caller's own values where they fit, the
 * definition's examples, the schema's own values. Undefined when none of these passes validation.
 */
export function correctedExample(
  definition: ActionDefinition,
  compiled: CompiledSchema,
  sent: unknown,
): Record<string, unknown> | undefined {
  const schema = definition.arguments_schema;
  const example = definition.examples?.[0]?.arguments ?? {};
  const sample = sampleObject(schema, schema, 0);
  const kept = isObject(sent) ? fittingProperties(schema, compiled, sent) : {};
  const candidates = [{ ...sample, ...requiredOf(schema, example), ...kept }, example, sample];
  return candidates.find((candidate) => compiled.validate(compiled.applyDefaults(candidate)).length === 0);
}

/** The properties of what was sent that no problem points at. */
function fittingProperties(schema: Schema, compiled: CompiledSchema, sent: Schema): Record<string, unknown> {
  const pointers = compiled.validate(sent).map((problem) => problem.pointer);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = Object.entries(sent).filter(([key]) => {
    const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return (
      Object.hasOwn(properties, key) && !pointers.some((place) => place === pointer || place.startsWith(`${pointer}/`))
    );
  });
  return Object.fromEntries(entries);
}

function requiredOf(schema: Schema, example: Schema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(example).filter(([key]) => requiredNames(schema).includes(key)));
}

function requiredNames(schema: Schema): readonly string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

function sampleObject(root: Schema, schema: Schema, depth: number): Record<string, unknown> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(requiredNames(schema).map((name) => [name, sample(root, properties[name], depth + 1)]));
}

/** A value that the schema most likely admits: one it names itself, else the smallest of its type. */
function sample(root: Schema, unresolved: unknown, depth: number): unknown {
  const schema = dereference(root, unresolved);
  if (!isObject(schema) || depth > deepest) return 'value';
  if (Object.hasOwn(schema, 'const')) return schema['const'];
  if (Object.hasOwn(schema, 'default')) return schema['default'];
  for (const key of ['enum', 'examples']) {
    const list = schema[key];
    if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  }
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  return sampleOfType(root, { ...schema, type }, depth);
}

function sampleOfType(root: Schema, schema: Schema, depth: number): unknown {
  switch (schema['type']) {
    case 'object':
      return sampleObject(root, schema, depth);
    case 'array':
      return Array.from({ length: Math.min(numberOf(schema, 'minItems') ?? 0, 10) }, () =>
        sample(root, schema['items'], depth + 1),
      );
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'value'
        .padEnd(Math.min(numberOf(schema, 'minLength') ?? 0, 100), '_')
        .slice(0, numberOf(schema, 'maxLength'));
  }
}

function sampleNumber(schema: Schema): number {
  const above = numberOf(schema, 'exclusiveMinimum');
  return numberOf(schema, 'minimum') ?? (above === undefined ? (numberOf(schema, 'maximum') ?? 1) : above + 1);
}

function numberOf(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}

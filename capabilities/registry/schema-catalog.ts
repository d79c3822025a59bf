/** Looks up what the schemas of definitions say about a place in a definition. */
import actionSchema from '../../schemas/action.schema.json';
import commonSchema from '../../schemas/common.schema.json';
import lexiconSchema from '../../schemas/lexicon.schema.json';
import packSchema from '../../schemas/pack.schema.json';
import policySchema from '../../schemas/policy.schema.json';
import recipeSchema from '../../schemas/recipe.schema.json';
import type { DocumentKind } from './definition-type';
import { isObject } from './schema-walker';
import type { SchemaObject } from './schema-walker';
import type { ValuePath } from './span-tree';
import { valueAt } from './validation-findings';

const SCHEMAS: Readonly<Record<DocumentKind, SchemaObject>> = {
  action: actionSchema,
  pack: packSchema,
  recipe: recipeSchema,
  lexicon: lexiconSchema,
  policy: policySchema,
};

/** A definition and what it claims to be. */
export interface TypedValue {
  readonly type: DocumentKind;
  readonly value: unknown;
}

/** Keys that the map at a path may have. */
export function knownKeysAt(definition: TypedValue, path: ValuePath): readonly string[] {
  const keys = schemasAt(definition, path).flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  return [...new Set(keys)];
}

/** Description of what stands at a path: its own, or that of the list it stands in. */
export function descriptionAt(definition: TypedValue, path: ValuePath): string | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const place = path.slice(0, length);
    const described = schemasAt(definition, place).find(({ description }) => typeof description === 'string');
    if (described) return String(described['description']);
    if (typeof place.at(-1) === 'string') return undefined;
  }
  return undefined;
}

/** Every schema that applies at a path; alternatives that the value rules out by a constant are left out. */
function schemasAt({ type, value }: TypedValue, path: ValuePath): readonly SchemaObject[] {
  let schemas = expand(SCHEMAS[type], value);
  path.forEach((step, index) => {
    const place = valueAt(value, path.slice(0, index + 1));
    schemas = schemas.flatMap((schema) => expand(childSchema(schema, step), place));
  });
  return schemas;
}

function childSchema(schema: SchemaObject, step: string | number): unknown {
  if (typeof step === 'number') return schema['items'];
  const { properties } = schema;
  return isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : schema['additionalProperties'];
}

/** A schema with everything it refers to or is combined of, outermost first. */
function expand(schema: unknown, value: unknown): readonly SchemaObject[] {
  if (!isObject(schema) || isRuledOut(schema, value)) return [];
  const target = typeof schema['$ref'] === 'string' ? resolve(schema['$ref']) : undefined;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (schema[keyword] ?? []) as readonly unknown[]);
  return [schema, ...expand(target, value), ...parts.flatMap((part) => expand(part, value))];
}

function isRuledOut(schema: SchemaObject, value: unknown): boolean {
  if (!isObject(value) || !isObject(schema['properties'])) return false;
  return Object.entries(schema['properties']).some(([key, property]) => {
    const isConstant = isObject(property) && Object.hasOwn(property, 'const');
    return isConstant && Object.hasOwn(value, key) && value[key] !== property['const'];
  });
}

/** Every shared part stands in the common schema. */
function resolve(reference: string): unknown {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const { definitions } = commonSchema as SchemaObject;
  return isObject(definitions) ? definitions[name] : undefined;
}

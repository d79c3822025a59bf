import type { JsonSchema } from './json-schema';

const schema: JsonSchema = { $ref: '#' };
const schemas: JsonSchema = { type: 'array', items: schema };
const namedSchemas: JsonSchema = { type: 'object', additionalProperties: schema };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const names: JsonSchema = { type: 'array', items: { title: 'PropertyName', type: 'string' } };

/** The types of JSON Schema, each with what it admits. */
const types: JsonSchema = {
  anyOf: [
    { const: 'string', description: 'Text.' },
    { const: 'integer', description: 'A whole number.' },
    { const: 'number', description: 'Any number.' },
    { const: 'boolean', description: '`true` or `false`.' },
    { const: 'array', description: 'A list. Say what it holds with `items`.' },
    { const: 'object', description: 'Named values. Say which with `properties`.' },
    { const: 'null', description: 'Nothing.' },
  ],
};

const formats = ['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid', 'regex'];

const any = (description: string): JsonSchema => ({ description });
const described = (base: JsonSchema, description: string): JsonSchema => ({ allOf: [base], description });

/** The keywords of JSON Schema as a schema, for completion and hover inside `arguments_schema` and `output_schema`. */
export const jsonSchemaKeywords: JsonSchema = {
  title: 'JsonSchema',
  type: 'object',
  additionalProperties: false,
  properties: {
    type: {
      anyOf: [types, { type: 'array', items: types }],
      description: 'What kind of value is meant. At the top of `arguments_schema` it must be `object`.',
    },
    description: {
      type: 'string',
      description: 'What the value means. The agent reads this before it fills the value in.',
    },
    properties: described(namedSchemas, 'The named values of an object, each with its schema.'),
    required: described(names, 'Names of the properties that must be there.'),
    additionalProperties: {
      anyOf: [{ type: 'boolean' }, schema],
      description: '`false` refuses properties that are not named in `properties`; a schema describes them.',
    },
    items: described(
      schema,
      'The schema of every item of an array. Write it always: some agents refuse arrays without it.',
    ),
    enum: { type: 'array', items: {}, description: 'The only values that are allowed.' },
    const: any('The only value that is allowed.'),
    default: any('The value used when none is given. Filled in before the call is confirmed.'),
    examples: { type: 'array', items: {}, description: 'Sample values.' },
    minimum: { type: 'number', description: 'Smallest number allowed.' },
    maximum: { type: 'number', description: 'Largest number allowed.' },
    exclusiveMinimum: { type: 'number', description: 'The number must be larger than this.' },
    exclusiveMaximum: { type: 'number', description: 'The number must be smaller than this.' },
    multipleOf: { type: 'number', description: 'The number must be a multiple of this.' },
    minLength: described(count, 'Fewest characters allowed.'),
    maxLength: described(count, 'Most characters allowed.'),
    pattern: {
      type: 'string',
      description: 'Regular expression that must match somewhere in the text. Anchor it with `^` and `$`.',
    },
    format: {
      type: 'string',
      examples: formats,
      description: 'A well-known form of text, for example `date` or `uri`.',
    },
    minItems: described(count, 'Fewest items allowed.'),
    maxItems: described(count, 'Most items allowed.'),
    uniqueItems: { type: 'boolean', description: '`true` refuses items that are equal.' },
    contains: described(schema, 'At least one item must fit this schema.'),
    minProperties: described(count, 'Fewest properties allowed.'),
    maxProperties: described(count, 'Most properties allowed.'),
    propertyNames: described(schema, 'The schema of every property name.'),
    patternProperties: described(namedSchemas, 'Schemas for the properties whose name matches a regular expression.'),
    writeOnly: {
      type: 'boolean',
      description: '`true` for a value that must not be shown again: it is redacted from the audit log.',
    },
    readOnly: { type: 'boolean', description: '`true` for a value that is only given back.' },
    allOf: described(schemas, 'The value must fit all of these schemas.'),
    anyOf: described(schemas, 'The value must fit at least one of these schemas.'),
    oneOf: described(schemas, 'The value must fit exactly one of these schemas.'),
    not: described(schema, 'The value must not fit this schema.'),
    if: described(schema, 'Chooses between `then` and `else`.'),
    then: described(schema, 'Holds when `if` fits.'),
    else: described(schema, 'Holds when `if` does not fit.'),
    definitions: described(namedSchemas, 'Schemas to refer to with `$ref: "#/definitions/<name>"`.'),
    $defs: described(namedSchemas, 'Schemas to refer to with `$ref: "#/$defs/<name>"` (2020-12).'),
    $ref: { type: 'string', description: 'Refers to a schema of `definitions` or `$defs`.' },
    $schema: {
      type: 'string',
      examples: ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'],
      description: 'The version of JSON Schema. Draft-07 when left out.',
    },
    title: { type: 'string', description: 'A short name.' },
    $comment: { type: 'string', description: 'A note for the authors of the schema.' },
  },
};

import type { ResourceType } from '../../../capabilities/models';
import type { DocumentKind } from '../../../capabilities/registry/definition-type';
import actionSchema from '../../../schemas/action.schema.json';
import commonSchema from '../../../schemas/common.schema.json';
import lexiconSchema from '../../../schemas/lexicon.schema.json';
import packSchema from '../../../schemas/pack.schema.json';
import policySchema from '../../../schemas/policy.schema.json';
import recipeSchema from '../../../schemas/recipe.schema.json';
import type { OutlineValue } from '../outline/outline-model';
import { keysAt, textAt } from '../outline/outline-queries';
import { asSchema, recordOf } from './json-schema';
import type { JsonSchema, LocatedSchema } from './json-schema';
import { jsonSchemaKeywords } from './json-schema-keywords';
import { SchemaWalker } from './schema-walker';

const KEYWORDS_ID = 'json-schema-keywords';

const documents: ReadonlyMap<string, JsonSchema> = new Map([
  ['common.schema.json', asSchema(commonSchema)],
  [KEYWORDS_ID, jsonSchemaKeywords],
]);

/** Walks the schemas of definition files. */
export const definitionSchemas = new SchemaWalker(documents);

const roots: Readonly<Record<DocumentKind, LocatedSchema>> = {
  pack: located(packSchema),
  action: located(withKeywords(asSchema(actionSchema))),
  recipe: located(recipeSchema),
  lexicon: located(lexiconSchema),
  policy: located(policySchema),
};

const idKeys: Readonly<Record<ResourceType, string>> = { pack: 'pack_id', action: 'action_id', recipe: 'recipe_id' };
const resourceTypes: readonly ResourceType[] = ['pack', 'action', 'recipe'];

/** Name of the key that holds a resource's id. */
export function idKeyOf(type: ResourceType): string {
  return idKeys[type];
}

/** Types a document can be of: what `resource_type` says, else its id key, else those that know its keys. */
export function resourceTypesOf(text: string, root: OutlineValue): readonly ResourceType[] {
  const stated = textAt(text, root, ['resource_type']);
  const named = resourceTypes.filter((type) => type === stated);
  if (named.length > 0) return named;
  const keys = keysAt(root, []);
  const implied = resourceTypes.filter((type) => keys.includes(idKeys[type]));
  if (implied.length > 0) return implied;
  const possible = resourceTypes.filter((type) => keys.every((key) => Object.hasOwn(propertiesOf(type), key)));
  return possible.length > 0 ? possible : resourceTypes;
}

function propertiesOf(type: ResourceType): JsonSchema {
  return recordOf(roots[type].schema, 'properties') ?? {};
}

/** Schema of a kind of document, with JSON Schema's keywords where a definition holds a schema. */
export function rootSchemaOf(type: DocumentKind): LocatedSchema {
  return roots[type];
}

function located(schema: unknown): LocatedSchema {
  return { schema: asSchema(schema), root: asSchema(schema) };
}

/** The definition schema says no more of the schemas in a definition than that they are objects. */
function withKeywords(schema: JsonSchema): JsonSchema {
  const properties = recordOf(schema, 'properties') ?? {};
  const keywords = { $ref: `${KEYWORDS_ID}#` };
  const type = { const: 'object', description: 'The arguments are always an object.' };
  return {
    ...schema,
    properties: {
      ...properties,
      arguments_schema: { ...asSchema(properties['arguments_schema']), ...keywords, properties: { type } },
      output_schema: { ...asSchema(properties['output_schema']), ...keywords },
    },
  };
}

import type { ActionDefinition } from '../../../capabilities/models';
import { valueAt, textAt, toData } from '../outline/outline-queries';
import type { OutlinePath } from '../outline/outline-model';
import { definitionSchemas, rootSchemaOf } from './definition-schemas';
import { asSchema } from './json-schema';
import type { JsonSchema } from './json-schema';
import type { SchemaView } from './schema-walker';
import type { DocumentContext } from '../document-context';
import type { RegistryView } from '../../../capabilities/models';

/**
 * The views of the value at a path of a document. Arguments that the document holds for an action (its examples, and what it
 * suggests for the actions it refers to) follow that action's own schema.
 */
export function viewsAt(context: DocumentContext, registry: RegistryView, path: OutlinePath): readonly SchemaView[] {
  const { text, outline } = context;
  const depth = path[0] === 'undo' ? 1 : 2;
  const isArguments = path[depth] === 'arguments' && HOLDERS.has(path[0]);
  if (isArguments) {
    const schema = argumentsSchemaAt(context, registry, path.slice(0, depth));
    const value = valueAt(outline.root, path.slice(0, depth + 1));
    const written = { text, value: value ?? outline.root };
    return definitionSchemas.viewsAt({ schema, root: schema }, path.slice(depth + 1), written);
  }
  return context.types.flatMap((type) =>
    definitionSchemas.viewsAt(rootSchemaOf(type), path, { text, value: outline.root }),
  );
}

const HOLDERS: ReadonlySet<unknown> = new Set(['examples', 'undo', 'verify', 'next_actions']);

function argumentsSchemaAt(context: DocumentContext, registry: RegistryView, holder: OutlinePath): JsonSchema {
  const { text, outline } = context;
  if (holder[0] === 'examples') {
    const value = valueAt(outline.root, ['arguments_schema']);
    return asSchema(value === undefined ? undefined : toData(text, value));
  }
  const reference = textAt(text, outline.root, [...holder, 'action']) ?? '';
  return asSchema(actionDefinition(registry, reference)?.arguments_schema);
}

function actionDefinition(registry: RegistryView, reference: string): ActionDefinition | undefined {
  const found = registry.lookup(reference);
  return found.kind === 'found' && found.resource.type === 'action' ? found.resource.definition : undefined;
}

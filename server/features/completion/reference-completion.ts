import type { CompletionItem } from 'vscode-languageserver';
import { CompletionItemKind } from 'vscode-languageserver';
import type { RegistryView, Resource } from '../../../capabilities/models';
import { describeResource, markdown } from '../markdown-text';
import { textAt } from '../outline/outline-queries';
import { idKeyOf } from '../schema/definition-schemas';
import type { CompletionScope } from './completion-request';
import { sortGroups, sortTextOf, toCompletionItem } from './completion-request';
import type { ValueSlot } from './completion-slots';
import { encodeScalar } from './scalar-encoding';
import { viewsAt } from '../schema/value-views';

/** Items and whether more ids fit than are listed. */
export interface ReferenceItems {
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;
}

const MOST_REFERENCES = 200;

/** Ids of actions where an action is referred to, and ids of packs as the beginning of a new resource's id. */
export function completeReferences(scope: CompletionScope, slot: ValueSlot): ReferenceItems {
  const titles = new Set(viewsAt(scope.context, scope.registry, slot.path).flatMap((view) => view.titles));
  if (titles.has('ResourceReference')) return actionReferences(scope, slot);
  return { items: titles.has('ResourceId') ? packPrefixes(scope, slot) : [], isIncomplete: false };
}

function actionReferences(scope: CompletionScope, slot: ValueSlot): ReferenceItems {
  const { registry, context } = scope;
  const ownId = ownIdOf(scope);
  const packId = ownId?.slice(0, Math.max(ownId.lastIndexOf('.'), 0));
  const fits = subsequenceTest(context.text.slice(slot.replace.start, scope.offset));
  const near: Resource[] = [];
  const far: Resource[] = [];
  for (const resource of registry.all()) {
    if (resource.type !== 'action' || !fits(resource.key)) continue;
    if (resource.id === ownId && !standsInSeveralScopes(registry, resource)) continue;
    (resource.parentId === packId ? near : far).push(resource);
  }
  const offered = [...near, ...far].slice(0, MOST_REFERENCES);
  const items = offered.map((resource, place) => {
    const label = standsInSeveralScopes(registry, resource) ? resource.key : resource.id;
    return toCompletionItem(scope, {
      label,
      kind: CompletionItemKind.Reference,
      replace: slot.replace,
      insert: slot.prefix + encodeScalar(label, slot),
      detail: resource.definition.title,
      documentation: markdown(describeResource(resource)),
      sortText: sortTextOf(place < near.length ? sortGroups.near : sortGroups.value, place),
    });
  });
  return { items, isIncomplete: near.length + far.length > offered.length };
}

/** Then only the scoped form of the id names one resource. */
function standsInSeveralScopes(registry: RegistryView, { id }: Resource): boolean {
  return registry.lookup(id).kind === 'ambiguous';
}

function packPrefixes(scope: CompletionScope, slot: ValueSlot): CompletionItem[] {
  const packs = scope.registry.all().filter(({ type }) => type === 'pack');
  const byId = new Map(packs.map((pack) => [pack.id, pack]));
  return [...byId.values()].slice(0, MOST_REFERENCES).map((pack, place) =>
    toCompletionItem(scope, {
      label: `${pack.id}.`,
      kind: CompletionItemKind.Module,
      replace: slot.replace,
      insert: `${slot.prefix}${pack.id}.`,
      detail: pack.definition.title,
      documentation: markdown(describeResource(pack)),
      sortText: sortTextOf(sortGroups.value, place),
    }),
  );
}

function ownIdOf({ context }: CompletionScope): string | undefined {
  const [type] = context.types;
  return context.types.length === 1 && type !== undefined && type !== 'lexicon' && type !== 'policy'
    ? textAt(context.text, context.outline.root, [idKeyOf(type)])
    : undefined;
}

/** Whether a label holds the typed characters in their order: never narrower than the editor's own filter. */
function subsequenceTest(typed: string): (label: string) => boolean {
  const wanted = typed.toLowerCase();
  return (label) => {
    let found = 0;
    for (let index = 0; index < label.length && found < wanted.length; index++) {
      if (label[index]?.toLowerCase() === wanted[found]) found++;
    }
    return found === wanted.length;
  };
}

import type { CompletionItem } from 'vscode-languageserver';
import { CompletionItemKind } from 'vscode-languageserver';
import { markdown } from '../markdown-text';
import type { OutlinePath } from '../outline/outline-model';
import { definitionSchemas } from '../schema/definition-schemas';
import type { LocatedSchema } from '../schema/json-schema';
import type { SchemaView } from '../schema/schema-walker';
import { fitTo } from '../schema/schema-walker';
import type { CompletionScope } from './completion-request';
import { sortGroups, sortTextOf, toCompletionItem } from './completion-request';
import type { KeySlot } from './completion-slots';
import { insertTextOfKey } from './key-insert-text';
import { lexiconNamesInUse } from './lexicon-names';
import { viewsAt } from '../schema/value-views';

/** The keys that a mapping still lacks: required ones first, each with its documentation. */
export function completeKeys(scope: CompletionScope, slot: KeySlot): readonly CompletionItem[] {
  const { context, registry } = scope;
  const views = fittingViews(scope, slot, viewsAt(context, registry, slot.path));
  const present = new Set(slot.map?.entries.filter((entry) => entry !== slot.entry).map(({ key }) => key));
  const known = views.flatMap(({ properties }) => [...properties.keys()]);
  const names = new Set([...known, ...lexiconNamesInUse(scope, slot.path)]);
  return [...names]
    .filter((name) => !present.has(name))
    .map((name, place) => keyItem(scope, { slot, views, name, place }));
}

interface NamedKey {
  readonly slot: KeySlot;
  readonly views: readonly SchemaView[];
  readonly name: string;
  /** Position among the keys, in the schema's order. */
  readonly place: number;
}

function keyItem(scope: CompletionScope, { slot, views, name, place }: NamedKey): CompletionItem {
  const values = valueViewsOf(views, name);
  const holders = views.filter(({ properties }) => properties.has(name));
  const isRequired = holders.some(({ required }) => required.includes(name));
  const description = values.find((view) => view.description !== undefined)?.description;
  const inserted = insertTextOfKey(slot, {
    name,
    views: values,
    lineBreak: scope.lineBreak,
    isProse: isProse(slot.path, name),
  });
  return toCompletionItem(scope, {
    label: name,
    kind: CompletionItemKind.Property,
    replace: slot.replace,
    insert: inserted.text,
    isSnippet: inserted.isSnippet,
    suggestsNext: inserted.suggestsNext,
    detail: isRequired ? 'required' : undefined,
    documentation: description === undefined ? undefined : markdown(description),
    sortText: sortTextOf(isRequired ? sortGroups.requiredKey : sortGroups.key, place),
  });
}

function fittingViews(scope: CompletionScope, slot: KeySlot, views: readonly SchemaView[]): readonly SchemaView[] {
  if (slot.map === undefined) return views;
  const exceptKey = slot.entry?.key;
  return fitTo(views, slot.map, { text: scope.context.text, ...(exceptKey === undefined ? {} : { exceptKey }) });
}

function valueViewsOf(views: readonly SchemaView[], name: string): readonly SchemaView[] {
  return views
    .map(({ properties, additional }) => properties.get(name) ?? additional)
    .filter((property): property is LocatedSchema => property !== undefined)
    .flatMap((property) => definitionSchemas.expand(property));
}

/** Long Markdown is written as a block scalar. */
function isProse(path: OutlinePath, name: string): boolean {
  return path.length === 0 && (name === 'body' || name === 'conventions');
}

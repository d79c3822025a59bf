import type { CompletionItem } from 'vscode-languageserver';
import { CompletionItemKind } from 'vscode-languageserver';
import { markdown } from '../markdown-text';
import { keysAt } from '../outline/outline-queries';
import type { SchemaView } from '../schema/schema-walker';
import type { CompletionScope, Proposal } from './completion-request';
import { sortGroups, sortTextOf, toCompletionItem } from './completion-request';
import type { ValueSlot } from './completion-slots';
import { encodeScalar } from './scalar-encoding';
import { suggestedValues } from './suggested-values';
import { viewsAt } from '../schema/value-views';
import { valuesInUse } from './values-in-use';

/** A value to offer, before it is written as YAML. */
interface Value {
  /** Texts are quoted where YAML needs it; other values are written as they are. */
  readonly value: unknown;
  readonly kind: Proposal['kind'];
  readonly detail?: string | undefined;
  readonly documentation?: string | undefined;
}

/** The scalars that fit a place: allowed values, booleans, examples, files, and phrases that other resources use there. */
export function completeValues(scope: CompletionScope, slot: ValueSlot): readonly CompletionItem[] {
  const views = viewsAt(scope.context, scope.registry, slot.path);
  const values = [
    ...views.flatMap(schemaValues),
    ...suggestedValues(scope, slot).map((value) => ({ value, kind: CompletionItemKind.Value })),
    ...propertyNames(scope, slot, views),
    ...valuesInUse(scope, slot.path).map((value) => ({ value, kind: CompletionItemKind.Text })),
  ];
  const byLabel = new Map(values.map((value) => [labelOf(value.value), value]).reverse() as [string, Value][]);
  return [...byLabel].reverse().map(([label, value], place) =>
    toCompletionItem(scope, {
      label,
      kind: value.kind,
      replace: slot.replace,
      insert: slot.prefix + (typeof value.value === 'string' ? encodeScalar(value.value, slot) : label),
      detail: value.detail,
      documentation: value.documentation === undefined ? undefined : markdown(value.documentation),
      sortText: sortTextOf(sortGroups.value, place),
    }),
  );
}

function schemaValues(view: SchemaView): Value[] {
  const described = view.valueDescription ?? view.description;
  const values = view.values.map((value) => ({
    value,
    kind: CompletionItemKind.EnumMember,
    detail: sentenceAbout(labelOf(value), view.valueDescription),
    documentation: described,
  }));
  const booleans = view.types.includes('boolean') ? [true, false] : [];
  const others = [...booleans, ...view.examples].map((value) => ({
    value,
    kind: CompletionItemKind.Value,
    documentation: described,
  }));
  return [...values, ...others];
}

/** The part of a description that speaks of one value: "`R` reads only." */
function sentenceAbout(label: string, description: string | undefined): string | undefined {
  const sentences = description?.split(/(?<=\.)\s+/) ?? [];
  const start = `\`${label}\` `;
  return sentences.find((sentence) => sentence.startsWith(start))?.slice(start.length);
}

function propertyNames(scope: CompletionScope, slot: ValueSlot, views: readonly SchemaView[]): Value[] {
  if (!views.some(({ titles }) => titles.includes('PropertyName'))) return [];
  const names = keysAt(scope.context.outline.root, [...slot.path.slice(0, -2), 'properties']);
  return names.map((value) => ({ value, kind: CompletionItemKind.Field }));
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import type { DiagnosticFix } from '../../capabilities/models';
import type { DocumentContext } from './document-context';
import { documentContextAt } from './document-context';
import { endOf, valueAt } from './outline/outline-queries';
import { definitionSchemas, rootSchemaOf } from './schema/definition-schemas';
import type { SchemaView } from './schema/schema-walker';

/** A key to insert, and an offset in its document. */
export interface KeyInsertion {
  readonly fix: DiagnosticFix & { readonly kind: 'insert-key' };
  readonly offset: number;
  readonly lineBreak: string;
}

/** Writes a missing key with a value to fill in below the last key of its mapping; undefined when the mapping can't be found. */
export function insertKeyEdit(
  text: string,
  { fix, offset, lineBreak }: KeyInsertion,
): { readonly offset: number; readonly newText: string } | undefined {
  const context = documentContextAt(text, offset);
  const map = context === undefined ? undefined : valueAt(context.outline.root, fix.path);
  if (context === undefined || map?.kind !== 'map') return undefined;
  const value = placeholderFor(context, fix);
  if (map.style === 'block') {
    const indent = ' '.repeat(map.column);
    const lines = [`${fix.key}:${value.inline}`, ...value.nested.map((line) => `  ${line}`)];
    return {
      offset: endOfLine(context, endOf(map)),
      newText: lines.map((line) => `${lineBreak}${indent}${line}`).join(''),
    };
  }
  if (value.nested.length > 0 || !map.isClosed) return undefined;
  return { offset: map.span.start + 1, newText: ` ${fix.key}:${value.inline}${map.entries.length > 0 ? ',' : ' '}` };
}

/** A comment behind the last value stays on its line. */
function endOfLine({ lines }: DocumentContext, offset: number): number {
  return lines.find(({ start, end }) => start <= offset && offset <= end)?.end ?? offset;
}

interface PlaceholderValue {
  /** What follows the colon, with its blank. */
  readonly inline: string;
  /** Lines below, relative to the key's children. */
  readonly nested: readonly string[];
}

const nestedPlaceholders: ReadonlyMap<string, readonly string[]> = new Map([
  ['arguments_schema', ['type: object', 'properties: {}']],
  ['handler', ['type: command', 'argv:', '  - echo', '  - TODO']],
  ['argv', ['- echo', '- TODO']],
  ['steps', ['- TODO']],
]);

/** Until a person has said how strong the effect is, it counts as the strongest. */
const strongest: ReadonlySet<string> = new Set(['side_effect', 'risk_level']);

function placeholderFor(context: DocumentContext, fix: KeyInsertion['fix']): PlaceholderValue {
  const nested = nestedPlaceholders.get(fix.key);
  if (nested !== undefined) return { inline: '', nested };
  const written = { text: context.text, value: context.outline.root };
  const path = [...fix.path, fix.key];
  const views = context.types.flatMap((type) => definitionSchemas.viewsAt(rootSchemaOf(type), path, written));
  return { inline: ` ${fittingValue(views, strongest.has(fix.key) ? 'last' : 'first')}`, nested: [] };
}

function fittingValue(views: readonly SchemaView[], which: 'first' | 'last'): string {
  for (const view of views) {
    const value = view.values.at(which === 'first' ? 0 : -1);
    if (typeof value === 'string') return value;
    if (view.types.includes('array')) return '[]';
    if (view.types.includes('object')) return '{}';
    if (view.types.includes('integer')) return String(view.minimum ?? 0);
    if (view.types.includes('boolean')) return 'false';
  }
  return 'TODO';
}

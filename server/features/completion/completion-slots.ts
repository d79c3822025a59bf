import type { Span } from '../../../capabilities/models';
import type { DocumentContext } from '../document-context';
import type { OutlineEntry, OutlineItem, OutlineMap, OutlinePath, OutlineScalar } from '../outline/outline-model';
import type { OutlinePlace } from '../outline/outline-queries';
import { placeAt } from '../outline/outline-queries';

/** What every place for a completion has. */
interface Slot {
  /** Written text that the completion replaces. */
  readonly replace: Span;
  /** What must stand before the inserted text: a blank behind `:` or `-`, a dash for a new item. */
  readonly prefix: '' | ' ' | '- ';
  readonly style: 'block' | 'flow';
}

/** A place where a key can be written. */
export interface KeySlot extends Slot {
  /** Path of the mapping. */
  readonly path: OutlinePath;
  /** The mapping so far; undefined when this key is its first. */
  readonly map: OutlineMap | undefined;
  /** The key that is replaced. */
  readonly entry: OutlineEntry | undefined;
  /** Column of the key, that nested lines are indented from. */
  readonly column: number;
}

/** A place where a scalar can be written. */
export interface ValueSlot extends Slot {
  /** Path of the value. */
  readonly path: OutlinePath;
  readonly quote: 'single' | 'double' | undefined;
}

/** Where the cursor stands, as the places that a completion can fill. A place may take a key as well as a value. */
export interface CompletionSlots {
  readonly keys: readonly KeySlot[];
  readonly values: readonly ValueSlot[];
}

const NOTHING: CompletionSlots = { keys: [], values: [] };

/** The places at an offset of a document that was read with the cursor; none in comments, block scalars and long texts. */
export function completionSlotsAt(context: DocumentContext, offset: number): CompletionSlots {
  const place = placeAt(context.outline, offset);
  switch (place?.kind) {
    case 'key':
      return keySlots(context, place, offset);
    case 'gap':
      return gapSlots(context, place, offset);
    case 'value':
      return place.value.kind === 'scalar'
        ? scalarSlots(context, { ...place, value: place.value }, offset)
        : { keys: [], values: [roomSlot(context, { path: place.path, isFlow: place.value.isFlow }, offset)] };
    case undefined:
      return NOTHING;
  }
}

function keySlots({ text }: DocumentContext, place: OutlinePlace & { kind: 'key' }, offset: number): CompletionSlots {
  const { path, map, entry } = place;
  const first = text[entry.keySpan.start];
  const isQuoted = first === '"' || first === "'";
  const replace = isQuoted ? withoutQuotes(text, entry.keySpan) : entry.keySpan;
  if (!holds(replace, offset)) return NOTHING;
  return { keys: [{ path, map, entry, replace, column: entry.column, prefix: '', style: map.style }], values: [] };
}

/** The room behind a colon. */
function roomSlot(
  { text }: DocumentContext,
  { path, isFlow }: { readonly path: OutlinePath; readonly isFlow: boolean },
  offset: number,
): ValueSlot {
  const replace = { start: offset, end: offset };
  const prefix = text[offset - 1] === ':' ? ' ' : '';
  const style = isFlow ? 'flow' : 'block';
  return { path, replace, prefix, style, quote: undefined };
}

type ScalarPlace = OutlinePlace & { readonly kind: 'value'; readonly value: OutlineScalar };

function scalarSlots(context: DocumentContext, place: ScalarPlace, offset: number): CompletionSlots {
  const { value: scalar, holder, path } = place;
  if (scalar.isMultiline || scalar.style === 'block') return NOTHING;
  const style = scalar.isFlow ? 'flow' : 'block';
  const quote = scalar.style === 'single' || scalar.style === 'double' ? scalar.style : undefined;
  const replace = quote === undefined ? scalar.span : withoutQuotes(context.text, scalar.span);
  const prefix = scalar.isFlow ? '' : prefixOf(holder, offset);
  if (!holds(replace, offset)) return NOTHING;
  const values = [{ path, replace, prefix, style, quote } as const];
  if (scalar.isInline || quote !== undefined) return { keys: [], values };
  const column = scalar.column + (prefix === ' ' ? 1 : prefix === '- ' ? 2 : 0);
  const key = { path, map: undefined, entry: undefined, replace, prefix, style, column } as const;
  if (holder === undefined || !('colon' in holder)) return { keys: [key], values };
  // Below a key: its value may also be a sequence, whose first dash is still missing.
  const first = { path: [...path, 0], prefix: '- ' } as const;
  return {
    keys: [key, { ...key, ...first, column: column + 2 }],
    values: [...values, { replace, style, quote, ...first }],
  };
}

function prefixOf(holder: OutlineEntry | OutlineItem | undefined, offset: number): Slot['prefix'] {
  if (holder === undefined || 'colon' in holder) return '';
  if (holder.dash === undefined) return '- ';
  return holder.dash === offset - 1 ? ' ' : '';
}

function gapSlots(context: DocumentContext, place: OutlinePlace & { kind: 'gap' }, offset: number): CompletionSlots {
  const { collection, path } = place;
  const before = context.text.slice(collection.span.start, offset).trimEnd().at(-1);
  if (before !== ',' && before !== (collection.kind === 'map' ? '{' : '[')) return NOTHING;
  const slot = { replace: { start: offset, end: offset }, prefix: '', style: 'flow' } as const;
  if (collection.kind === 'map') {
    return { keys: [{ ...slot, path, map: collection, entry: undefined, column: 0 }], values: [] };
  }
  const index = collection.items.filter(({ start }) => start < offset).length;
  return { keys: [], values: [{ ...slot, path: [...path, index], quote: undefined }] };
}

function withoutQuotes(text: string, span: Span): Span {
  const closes = span.end - span.start > 1 && text[span.end - 1] === text[span.start];
  return { start: span.start + 1, end: closes ? span.end - 1 : span.end };
}

function holds(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

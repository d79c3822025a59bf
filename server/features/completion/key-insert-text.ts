import type { SchemaView } from '../schema/schema-walker';
import { escapeSnippet } from '../snippet-text';
import type { KeySlot } from './completion-slots';
import { encodeScalar } from './scalar-encoding';

/** A key to write, and what its value may be. */
export interface KeyToWrite {
  readonly name: string;
  readonly views: readonly SchemaView[];
  readonly lineBreak: string;
  /** True for long Markdown. */
  readonly isProse: boolean;
}

/** What is inserted for a key. */
export interface InsertedKey {
  readonly text: string;
  readonly isSnippet: boolean;
  /** True when the place behind it has suggestions of its own. */
  readonly suggestsNext: boolean;
}

/** Lists whose items are a person's own words. */
const freeTextLists: ReadonlySet<string> = new Set(['aliases', 'when_to_use', 'when_not_to_use']);

/**
 * The text for a key: with its only value, with the first line of a nested mapping or sequence indented from the key's column,
 * or with a blank for a scalar. A key that has its colon already is replaced alone.
 */
export function insertTextOfKey(slot: KeySlot, key: KeyToWrite): InsertedKey {
  const name = encodeScalar(key.name, { style: slot.style });
  if (isQuoted(slot) || slot.entry?.colon !== undefined)
    return { text: key.name, isSnippet: false, suggestsNext: false };
  const start = `${slot.prefix}${name}:`;
  const fixed = onlyValue(key.views);
  if (fixed !== undefined) return { text: `${start} ${fixed}`, isSnippet: false, suggestsNext: false };
  const nested = `${key.lineBreak}${' '.repeat(slot.column + 2)}`;
  if (key.isProse && slot.style === 'block')
    return { text: `${start} |${nested}`, isSnippet: false, suggestsNext: false };
  const shape = shapeOf(key.views);
  if (shape === 'scalar') return scalarText(start, key.views);
  if (slot.style === 'flow') {
    const brackets = shape === 'sequence' ? '[$0]' : '{ $0 }';
    return { text: `${escapeSnippet(start)} ${brackets}`, isSnippet: true, suggestsNext: true };
  }
  return {
    text: `${start}${nested}${shape === 'sequence' ? '- ' : ''}`,
    isSnippet: false,
    suggestsNext: !freeTextLists.has(key.name),
  };
}

function scalarText(start: string, views: readonly SchemaView[]): InsertedKey {
  const minimum = views.find((view) => view.types.includes('integer') && view.titles.includes('Version'))?.minimum;
  if (minimum === undefined) return { text: `${start} `, isSnippet: false, suggestsNext: views.some(hasSuggestions) };
  return { text: `${escapeSnippet(start)} \${1:${minimum}}`, isSnippet: true, suggestsNext: false };
}

function isQuoted({ entry, replace }: KeySlot): boolean {
  return entry !== undefined && entry.keySpan.start !== replace.start;
}

/** The value, when there is exactly one that fits. */
function onlyValue(views: readonly SchemaView[]): string | undefined {
  const values = new Set(views.flatMap((view) => (view.values.length === 0 ? [undefined] : view.values)));
  const [first] = values;
  return values.size === 1 && typeof first === 'string' ? encodeScalar(first, { style: 'block' }) : undefined;
}

function shapeOf(views: readonly SchemaView[]): 'scalar' | 'map' | 'sequence' {
  const shapes = new Set(views.map(shapeOfView));
  if (shapes.has('scalar') || shapes.size === 0) return 'scalar';
  return shapes.has('map') ? 'map' : 'sequence';
}

function shapeOfView(view: SchemaView): 'scalar' | 'map' | 'sequence' {
  if (view.values.length > 0) return 'scalar';
  if (view.types.includes('object') || view.properties.size > 0) return 'map';
  return view.types.includes('array') || view.items !== undefined ? 'sequence' : 'scalar';
}

function hasSuggestions(view: SchemaView): boolean {
  const isReference = view.titles.some((title) => title === 'ResourceReference' || title === 'ResourceId');
  return view.values.length > 0 || view.examples.length > 0 || view.types.includes('boolean') || isReference;
}

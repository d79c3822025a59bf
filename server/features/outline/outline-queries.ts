import type {
  Outline,
  OutlineEmpty,
  OutlineEntry,
  OutlineItem,
  OutlineMap,
  OutlinePath,
  OutlineScalar,
  OutlineSequence,
  OutlineValue,
} from './outline-model';
import { unquote } from './scalar-scanner';

/** What an offset points at. `path` leads to the mapping of a key, to the value itself, or to the flow collection with a gap. */
export type OutlinePlace =
  | { readonly kind: 'key'; readonly path: OutlinePath; readonly map: OutlineMap; readonly entry: OutlineEntry }
  | {
      readonly kind: 'value';
      readonly path: OutlinePath;
      readonly value: OutlineScalar | OutlineEmpty;
      readonly holder: OutlineEntry | OutlineItem | undefined;
    }
  | { readonly kind: 'gap'; readonly path: OutlinePath; readonly collection: OutlineMap | OutlineSequence };

/** What stands at an offset; undefined between the lines' contents, in comments and in block scalars. */
export function placeAt(outline: Outline, offset: number): OutlinePlace | undefined {
  if (outline.opaque.some(({ start, end }) => start < offset && offset <= end)) return undefined;
  return placeInValue(outline.root, offset, { path: [], holder: undefined });
}

/** Value at a path; undefined when there is none. */
export function valueAt(root: OutlineValue, path: OutlinePath): OutlineValue | undefined {
  let value: OutlineValue | undefined = root;
  for (const step of path) {
    if (value?.kind === 'map') value = value.entries.find(({ key }) => key === step)?.value;
    else if (value?.kind === 'sequence' && typeof step === 'number') value = value.items[step]?.value;
    else return undefined;
  }
  return value;
}

/** Text of the scalar at a path, unquoted; undefined when there is no scalar on one line. */
export function textAt(text: string, root: OutlineValue, path: OutlinePath): string | undefined {
  const value = valueAt(root, path);
  return value?.kind === 'scalar' ? scalarText(text, value) : undefined;
}

/** Texts of the scalars in the sequence at a path. */
export function textsAt(text: string, root: OutlineValue, path: OutlinePath): string[] {
  const value = valueAt(root, path);
  if (value?.kind !== 'sequence') return [];
  return value.items.flatMap((item) => (item.value.kind === 'scalar' ? [scalarText(text, item.value)] : []));
}

/** Names of the keys of the mapping at a path, half-typed ones left out. */
export function keysAt(root: OutlineValue, path: OutlinePath): string[] {
  const value = valueAt(root, path);
  return value?.kind === 'map' ? value.entries.flatMap(({ key, colon }) => (colon === undefined ? [] : [key])) : [];
}

/** Text of a scalar without its quotes. */
export function scalarText(text: string, scalar: OutlineScalar): string {
  return unquote(text.slice(scalar.span.start, scalar.span.end));
}

/** The outline as plain data, for the parts of a document that are a JSON Schema. Scalars other than true and false stay text. */
export function toData(text: string, value: OutlineValue): unknown {
  if (value.kind === 'sequence') return value.items.map((item) => toData(text, item.value));
  if (value.kind === 'map') {
    return Object.fromEntries(value.entries.map((entry) => [entry.key, toData(text, entry.value)]));
  }
  if (value.kind === 'empty') return null;
  const plain = scalarText(text, value);
  return value.style === 'plain' && (plain === 'true' || plain === 'false') ? plain === 'true' : plain;
}

/** End of the last thing written in a value. */
export function endOf(value: OutlineValue): number {
  if (value.kind === 'map' && value.style === 'block') {
    const last = value.entries.at(-1);
    return last === undefined ? value.span.end : Math.max((last.colon ?? 0) + 1, last.keySpan.end, endOf(last.value));
  }
  if (value.kind === 'sequence' && value.style === 'block') {
    const last = value.items.at(-1);
    return last === undefined ? value.span.end : Math.max(last.start + 1, endOf(last.value));
  }
  return value.kind === 'empty' ? value.span.start : value.span.end;
}

interface Descent {
  readonly path: OutlinePath;
  readonly holder: OutlineEntry | OutlineItem | undefined;
}

function placeInValue(value: OutlineValue, offset: number, descent: Descent): OutlinePlace | undefined {
  switch (value.kind) {
    case 'map':
      return placeInMap(value, offset, descent.path);
    case 'sequence':
      return placeInSequence(value, offset, descent.path);
    case 'scalar':
    case 'empty': {
      const { start, end } = value.span;
      return start <= offset && offset <= end ? { kind: 'value', ...descent, value } : undefined;
    }
  }
}

function placeInMap(map: OutlineMap, offset: number, path: OutlinePath): OutlinePlace | undefined {
  const entry = map.entries.findLast(({ keySpan }) => keySpan.start <= offset);
  if (entry !== undefined) {
    if (offset <= entry.keySpan.end) return { kind: 'key', path, map, entry };
    const inside = placeInValue(entry.value, offset, { path: [...path, entry.key], holder: entry });
    if (inside !== undefined && entry.colon !== undefined) return inside;
  }
  return flowGap(map, offset, path);
}

function placeInSequence(sequence: OutlineSequence, offset: number, path: OutlinePath): OutlinePlace | undefined {
  const index = sequence.items.findLastIndex(({ start }) => start <= offset);
  const item = sequence.items[index];
  if (item !== undefined) {
    const inside = placeInValue(item.value, offset, { path: [...path, index], holder: item });
    if (inside !== undefined) return inside;
  }
  return flowGap(sequence, offset, path);
}

function flowGap(
  collection: OutlineMap | OutlineSequence,
  offset: number,
  path: OutlinePath,
): OutlinePlace | undefined {
  const { start, end } = collection.span;
  const isInside = start < offset && (offset < end || (offset === end && !collection.isClosed));
  return collection.style === 'flow' && isInside ? { kind: 'gap', path, collection } : undefined;
}

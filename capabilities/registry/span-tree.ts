/** Where the keys and values of a document stand in the file. */
import type { Span } from '../models';

/** Steps from a document's root: keys of maps and indexes of lists. */
export type ValuePath = readonly (string | number)[];

/** Place of one value. Much smaller than the syntax tree it was taken from. */
export interface SpanNode {
  /** Of the key, for a value of a map. */
  readonly key: Span | undefined;
  readonly value: Span;
  /** Set for text that stands in the file exactly as it reads (no escapes, no line folding): where its first character is. */
  readonly verbatimStart: number | undefined;
  /** By key or, for a list, by index. */
  readonly children: ReadonlyMap<string | number, SpanNode> | undefined;
}

/** Node at a path, or its nearest ancestor. `isExact` tells them apart. */
export function locate(root: SpanNode, path: ValuePath): { readonly node: SpanNode; readonly isExact: boolean } {
  let node = root;
  for (const step of path) {
    const child = node.children?.get(step);
    if (!child) return { node, isExact: false };
    node = child;
  }
  return { node, isExact: true };
}

import type { Span } from '../../capabilities/models';
import type { DocumentKind } from '../../capabilities/registry/definition-type';
import type { Outline } from './outline/outline-model';
import { parseOutline } from './outline/outline-parser';
import type { DocumentLines } from './outline/source-lines';
import { documentAt, splitDocuments, splitLines } from './outline/source-lines';
import { resourceTypesOf } from './schema/definition-schemas';

/** The document of a file that a feature works on. */
export interface DocumentContext {
  readonly text: string;
  readonly lines: readonly Span[];
  readonly outline: Outline;
  /** What the document can be: one type, or all types of resources when it does not say yet. */
  readonly types: readonly DocumentKind[];
}

/** What a file holds, by its name: resources, or the words of a workspace. */
export type FileKind = 'definitions' | 'lexicon' | 'policy';

/** Larger files are refused by the registry; no feature spends time on them. */
const LARGEST = 256 * 1024;

/** The document around an offset; undefined on a marker line and in a file that is too large. `cursor`: see `parseOutline`. */
export function documentContextAt(
  text: string,
  offset: number,
  { cursor, kind = 'definitions' }: { readonly cursor?: 'cursor'; readonly kind?: FileKind } = {},
): DocumentContext | undefined {
  if (text.length > LARGEST) return undefined;
  const document = documentAt(splitDocuments(text, splitLines(text)), offset);
  if (document === undefined) return undefined;
  return contextOf(text, document, { cursor: cursor === undefined ? undefined : offset, kind });
}

/** A document with nothing in it. */
export function emptyDocumentContext(text: string, kind: FileKind): DocumentContext {
  return contextOf(text, { lines: [], marker: undefined }, { cursor: undefined, kind });
}

/** Every document of a file of definitions, in order. */
export function documentContexts(text: string): readonly DocumentContext[] {
  if (text.length > LARGEST) return [];
  return splitDocuments(text, splitLines(text)).map((document) =>
    contextOf(text, document, { cursor: undefined, kind: 'definitions' }),
  );
}

function contextOf(
  text: string,
  document: DocumentLines,
  { cursor, kind }: { readonly cursor: number | undefined; readonly kind: FileKind },
): DocumentContext {
  const outline = parseOutline(text, document.lines, cursor);
  const types = kind === 'definitions' ? resourceTypesOf(text, outline.root) : ([kind] as const);
  return { text, lines: document.lines, outline, types };
}

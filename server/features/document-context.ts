import type { ResourceType, Span } from '../../capabilities/models';
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
  /** What the document can be: one type, or all when it does not say yet. */
  readonly types: readonly ResourceType[];
}

/** Larger files are refused by the registry; no feature spends time on them. */
const LARGEST = 256 * 1024;

/** The document around an offset; undefined on a marker line and in a file that is too large. With `cursor`, see `parseOutline`. */
export function documentContextAt(text: string, offset: number, cursor?: 'cursor'): DocumentContext | undefined {
  if (text.length > LARGEST) return undefined;
  const document = documentAt(splitDocuments(text, splitLines(text)), offset);
  return document === undefined ? undefined : contextOf(text, document, cursor === undefined ? undefined : offset);
}

/** A document with nothing in it. */
export function emptyDocumentContext(text: string): DocumentContext {
  return contextOf(text, { lines: [], marker: undefined }, undefined);
}

/** Every document of a file, in order. */
export function documentContexts(text: string): readonly DocumentContext[] {
  if (text.length > LARGEST) return [];
  return splitDocuments(text, splitLines(text)).map((document) => contextOf(text, document, undefined));
}

function contextOf(text: string, document: DocumentLines, cursor: number | undefined): DocumentContext {
  const outline = parseOutline(text, document.lines, cursor);
  return { text, lines: document.lines, outline, types: resourceTypesOf(text, outline.root) };
}

import type { Span } from '../../../capabilities/models';

/**
 * The outline of one YAML document: what stands where, as far as the text lines and their indentation tell. It is made for
 * text that is being typed, so it never fails: what it can't place is left out. Only the parser writes to it.
 */
export type OutlineValue = OutlineEmpty | OutlineScalar | OutlineMap | OutlineSequence;

/** Nothing is written here yet; the span is the room for it on the line of its key or dash. */
export interface OutlineEmpty {
  readonly kind: 'empty';
  readonly span: Span;
  /** True inside brackets. */
  readonly isFlow: boolean;
}

/** A scalar; `span` holds its quotes. */
export interface OutlineScalar {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'block';
  span: Span;
  /** Column of its first character. */
  readonly column: number;
  /** True when it stands on the line of its key. */
  readonly isInline: boolean;
  /** True inside brackets. */
  readonly isFlow: boolean;
  isMultiline: boolean;
  /** False for a quoted scalar whose closing quote is missing. */
  readonly isClosed: boolean;
}

/** A mapping. */
export interface OutlineMap {
  readonly kind: 'map';
  readonly style: 'block' | 'flow';
  readonly column: number;
  /** From bracket to bracket for flow style; block style ends where its last entry does. */
  span: Span;
  isClosed: boolean;
  readonly entries: OutlineEntry[];
}

/** A sequence. */
export interface OutlineSequence {
  readonly kind: 'sequence';
  readonly style: 'block' | 'flow';
  readonly column: number;
  /** From bracket to bracket for flow style; block style ends where its last item does. */
  span: Span;
  isClosed: boolean;
  readonly items: OutlineItem[];
}

/** A key with its value, or a half-typed key (`colon` is undefined). */
export interface OutlineEntry {
  readonly key: string;
  /** The key as written, with its quotes. */
  readonly keySpan: Span;
  readonly column: number;
  /** Offset of the colon. */
  readonly colon: number | undefined;
  value: OutlineValue;
}

/** An item of a sequence. */
export interface OutlineItem {
  /** Offset of the dash; undefined in flow style and where the cursor stands in place of a new item. */
  readonly dash: number | undefined;
  readonly start: number;
  value: OutlineValue;
}

/** One document of a file. */
export interface Outline {
  readonly root: OutlineValue;
  /** Comments, block scalars and directives: nothing in them is structure. */
  readonly opaque: readonly Span[];
}

/** Keys and indexes from the document's root. */
export type OutlinePath = readonly (string | number)[];

/** A scalar on one line with its quotes closed. */
export function newScalar(
  style: OutlineScalar['style'],
  span: Span,
  place: { readonly column: number; readonly isInline: boolean },
): OutlineScalar {
  return { kind: 'scalar', style, span, ...place, isFlow: false, isMultiline: false, isClosed: true };
}

/** Room for a value in block style. */
export function newEmpty(start: number, end: number): OutlineEmpty {
  return { kind: 'empty', span: { start, end }, isFlow: false };
}

/**
 * Splits a file at its document markers before anything is parsed, so that an open quote or bracket in one document
 * can't swallow the next: YAML does not allow `---` or `...` at the start of a line inside any scalar.
 */
import type { Diagnostic, Span } from '../models';

/** The text of one document, its markers included. */
export interface DocumentChunk {
  readonly span: Span;
  /** True when a directive stands before it. */
  readonly hasDirective: boolean;
}

/** Chunks in order; a chunk may turn out to hold no value. */
export interface SplitText {
  readonly chunks: readonly DocumentChunk[];
  readonly diagnostics: readonly Diagnostic[];
}

const BOUNDARY = /^(?:---|\.\.\.)(?=[ \t\r\n]|$(?![^]))/gm;

/** Finds the documents of a file. Linear in the text's length. */
export function splitDocuments(text: string): SplitText {
  const chunks: DocumentChunk[] = [];
  const diagnostics: Diagnostic[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  let startsWithMarker = false;
  let hasDirective = false;

  const close = (end: number): void => {
    const prefix = startsWithMarker ? undefined : readPrefix(text, start, end);
    if (prefix?.directive) {
      hasDirective = true;
      if (diagnostics.length === 0) diagnostics.push(describeDirective(text, prefix.directive));
    }
    if (prefix?.isOnlyPrefix !== true) {
      chunks.push({ span: { start: prefix?.contentStart ?? start, end }, hasDirective });
      hasDirective = false;
    }
    start = end;
  };

  for (const match of text.matchAll(BOUNDARY)) {
    if (match[0] === '---') {
      if (match.index > start) close(match.index);
      startsWithMarker = true;
    } else {
      close(endOfLine(text, match.index));
      startsWithMarker = false;
    }
  }
  if (start < text.length) close(text.length);
  return { chunks, diagnostics };
}

interface Prefix {
  readonly directive: Span | undefined;
  readonly contentStart: number;
  readonly isOnlyPrefix: boolean;
}

/** Looks at the lines before a document's content: blank, comments and directives. */
function readPrefix(text: string, start: number, end: number): Prefix {
  let directive: Span | undefined;
  let contentStart = start;
  for (let line = start; line < end; line = endOfLine(text, line)) {
    const first = text.slice(line, endOfLine(text, line)).trimEnd();
    if (first.startsWith('%')) {
      directive ??= { start: line, end: line + first.length };
      contentStart = endOfLine(text, line);
    } else if (first !== '' && !first.trimStart().startsWith('#')) {
      // A lone `...` ends a document that was never there.
      return { directive, contentStart, isOnlyPrefix: first === '...' };
    }
  }
  return { directive, contentStart, isOnlyPrefix: true };
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}

function describeDirective(text: string, span: Span): Diagnostic {
  const name = text.slice(span.start, span.end).split(/\s/, 1)[0] ?? '%';
  const message = `\`${name}\` directives are not supported: every definition is read as YAML 1.2. Remove this line.`;
  return { code: 'directive-not-supported', severity: 'error', message, span };
}

import type { Span } from '../../../capabilities/models';

/** The lines of one document of a file, without its markers. */
export interface DocumentLines {
  readonly lines: readonly Span[];
  /** The `---` line above; undefined for a first document without one. */
  readonly marker: Span | undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';
const LINE_BREAK = /\r\n|\r|\n/g;
const MARKER = /^(---|\.\.\.)(\s|$)/;

/** Splits a text into lines without their line breaks. A byte order mark belongs to no line, so columns are not shifted by it. */
export function splitLines(text: string): Span[] {
  const lines: Span[] = [];
  let start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  for (const lineBreak of text.matchAll(LINE_BREAK)) {
    lines.push({ start, end: lineBreak.index });
    start = lineBreak.index + lineBreak[0].length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** Splits a file into its documents at the lines that start with `---` or `...`. There is always at least one. */
export function splitDocuments(text: string, lines: readonly Span[]): DocumentLines[] {
  const documents: DocumentLines[] = [];
  let marker: Span | undefined;
  let current: Span[] = [];
  for (const line of lines) {
    if (!isMarker(text, line)) {
      current.push(line);
      continue;
    }
    if (marker !== undefined || current.length > 0) documents.push({ lines: current, marker });
    marker = line;
    current = [];
  }
  documents.push({ lines: current, marker });
  return documents;
}

/** Whether a line separates documents. */
export function isMarker(text: string, line: Span): boolean {
  const first = text.charCodeAt(line.start);
  return (first === 0x2d || first === 0x2e) && MARKER.test(text.slice(line.start, Math.min(line.start + 4, line.end)));
}

/** The document that holds an offset; undefined on a marker line. */
export function documentAt(documents: readonly DocumentLines[], offset: number): DocumentLines | undefined {
  return documents.find(({ lines }) => {
    const first = lines[0];
    const last = lines.at(-1);
    return first !== undefined && last !== undefined && first.start <= offset && offset <= last.end;
  });
}

/** The line break the text uses, for inserted lines. */
export function lineBreakOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

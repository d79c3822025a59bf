import type { Position, Range } from 'vscode-languageserver';
import type { Span } from '../../capabilities/models';

/**
 * Converts between UTF-16 offsets (used inside) and LSP positions (used at the edge) for one text. Lines end with LF, CRLF or
 * CR. Both directions clamp: an offset inside a line break is the end of its line, a character past the end of a line is the
 * end of that line.
 */
export class PositionIndex {
  readonly #lineStarts: readonly number[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.#lineStarts = findLineStarts(text);
  }

  /** Position of an offset. */
  positionAt(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#text.length));
    const line = this.#lineAt(clamped);
    return { line, character: Math.min(clamped, this.#endOfLine(line)) - this.#startOfLine(line) };
  }

  /** Offset of a position. */
  offsetAt(position: Position): number {
    if (position.line < 0) return 0;
    if (position.line >= this.#lineStarts.length) return this.#text.length;
    const start = this.#startOfLine(position.line);
    return Math.max(start, Math.min(start + position.character, this.#endOfLine(position.line)));
  }

  /** Range of a span. */
  rangeOf(span: Span): Range {
    return { start: this.positionAt(span.start), end: this.positionAt(span.end) };
  }

  /** Span of a range. */
  spanOf(range: Range): Span {
    return { start: this.offsetAt(range.start), end: this.offsetAt(range.end) };
  }

  #startOfLine(line: number): number {
    return this.#lineStarts[line] ?? this.#text.length;
  }

  /** End of the line's content, before its line break. */
  #endOfLine(line: number): number {
    const start = this.#startOfLine(line);
    let end = this.#startOfLine(line + 1);
    if (line + 1 >= this.#lineStarts.length) return end;
    while (end > start && isLineBreak(this.#text[end - 1])) end--;
    return end;
  }

  #lineAt(offset: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#startOfLine(middle) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

const LINE_BREAK = /\r\n|\r|\n/g;

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (const lineBreak of text.matchAll(LINE_BREAK)) starts.push(lineBreak.index + lineBreak[0].length);
  return starts;
}

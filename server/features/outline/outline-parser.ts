import type { Span } from '../../../capabilities/models';
import { FlowParser } from './flow-parser';
import type { Slot } from './outline-builder';
import { OutlineBuilder } from './outline-builder';
import type { Outline, OutlineItem, OutlineScalar } from './outline-model';
import { newEmpty, newScalar } from './outline-model';
import { closingQuote, commentStart, isBlank, scanKey, skipBlanks, trimBlanks } from './scalar-scanner';

/**
 * Reads one document into an outline from its lines and their indentation. With a cursor, a place where nothing is written yet
 * (a blank line, the room behind a dash) counts as an empty word, so that it gets a place in the structure.
 */
export function parseOutline(text: string, lines: readonly Span[], cursor?: number): Outline {
  return new OutlineParser(text, lines, cursor).parse();
}

/** A stretch of one line that is still to be read. */
interface Rest {
  readonly offset: number;
  readonly end: number;
  readonly lineIndex: number;
  /** Start of the line: columns count from here. */
  readonly lineStart: number;
}

/** Dashes on one line that are followed; more are refused as nesting by the reader of definitions too. */
const DEEPEST = 64;

const BLOCK_HEADER = /^[|>][-+0-9]{0,2}\s*(#.*)?$/;

class OutlineParser {
  readonly #text: string;
  readonly #lines: readonly Span[];
  readonly #cursor: number | undefined;
  readonly #opaque: Span[] = [];
  readonly #builder: OutlineBuilder;

  constructor(text: string, lines: readonly Span[], cursor: number | undefined) {
    this.#text = text;
    this.#lines = lines;
    this.#cursor = cursor;
    this.#builder = new OutlineBuilder(text, lines[0]?.start ?? 0);
  }

  parse(): Outline {
    let index = 0;
    while (index < this.#lines.length) index = this.#parseLine(index);
    return { root: this.#builder.root.value, opaque: this.#opaque };
  }

  /** Reads one line and returns the index of the next to read. */
  #parseLine(lineIndex: number): number {
    const line = this.#lines[lineIndex] ?? { start: 0, end: 0 };
    const offset = skipBlanks(this.#text, line.start, line.end);
    const rest = { offset, end: line.end, lineIndex, lineStart: line.start };
    if (offset === line.end) {
      if (this.#cursorIsWithin(line.start, line.end)) this.#addCursorWord(line.start);
      return lineIndex + 1;
    }
    const isDirective = this.#text[line.start] === '%' && this.#builder.isEmpty;
    if (this.#text[offset] === '#' || isDirective) {
      this.#opaque.push({ start: offset, end: line.end });
      return lineIndex + 1;
    }
    return this.#parseContent(rest);
  }

  #parseContent(rest: Rest): number {
    let { offset } = rest;
    let item: OutlineItem | undefined;
    let parentColumn = -1;
    let dashes = 0;
    while (this.#text[offset] === '-' && (offset + 1 === rest.end || isBlank(this.#text[offset + 1]))) {
      parentColumn = offset - rest.lineStart;
      if (++dashes > DEEPEST) return rest.lineIndex + 1;
      item = this.#builder.addItem(parentColumn, offset);
      if (item === undefined) return rest.lineIndex + 1;
      const next = skipBlanks(this.#text, offset + 1, rest.end);
      item.value = newEmpty(offset + 1, next);
      offset = next;
    }
    if (item !== undefined && (offset === rest.end || this.#text[offset] === '#'))
      return this.#endItem(item, { ...rest, offset });
    const key = scanKey(this.#text, offset, rest.end);
    if (key === undefined) return this.#parseOwnLineValue(item, parentColumn, { ...rest, offset });
    const column = offset - rest.lineStart;
    const entry = this.#builder.addEntry(column, key);
    if (entry === undefined) return rest.lineIndex + 1;
    const valueStart = skipBlanks(this.#text, key.colon + 1, rest.end);
    entry.value = newEmpty(key.colon + 1, valueStart);
    return this.#parseValue(entry, { ...rest, offset: valueStart }, { parentColumn: column, isInline: true });
  }

  #endItem(item: OutlineItem, rest: Rest): number {
    const roomStart = item.value.span.start;
    if (this.#cursor !== undefined && this.#cursorIsWithin(roomStart, rest.offset)) {
      const column = Math.max(this.#cursor, Math.min(roomStart + 1, rest.offset)) - rest.lineStart;
      item.value = this.#cursorWord(column);
    }
    if (rest.offset < rest.end) this.#opaque.push({ start: rest.offset, end: rest.end });
    return rest.lineIndex + 1;
  }

  /** A value that stands on its own line or behind a dash. */
  #parseOwnLineValue(item: OutlineItem | undefined, parentColumn: number, rest: Rest): number {
    if (item !== undefined) return this.#parseValue(item, rest, { parentColumn, isInline: false });
    const column = rest.offset - rest.lineStart;
    const above = this.#builder.columnAbove(column);
    const holder: Slot = { value: newEmpty(rest.offset, rest.offset) };
    const next = this.#parseValue(holder, rest, { parentColumn: above, isInline: false });
    this.#builder.placeOwnLineValue(column, holder.value);
    return next;
  }

  #parseValue(slot: Slot, rest: Rest, place: { parentColumn: number; isInline: boolean }): number {
    const { offset, end, lineIndex } = rest;
    const character = this.#text[offset];
    if (offset === end) return lineIndex + 1;
    if (character === '#') {
      this.#opaque.push({ start: offset, end });
      return lineIndex + 1;
    }
    if (character === '{' || character === '[') {
      const room = {
        text: this.#text,
        lines: this.#lines,
        firstLine: lineIndex,
        parentColumn: place.parentColumn,
        opaque: this.#opaque,
      };
      const flow = new FlowParser(room, offset).parse();
      slot.value = flow.value;
      this.#noteComment(flow.end, this.#lines[flow.lineIndex]?.end ?? flow.end);
      return flow.lineIndex + 1;
    }
    if (BLOCK_HEADER.test(this.#text.slice(offset, end))) return this.#parseBlockScalar(slot, rest, place);
    if (character === '"' || character === "'") return this.#parseQuoted(slot, rest, place);
    const comment = commentStart(this.#text, offset + 1, end);
    const span = { start: offset, end: trimBlanks(this.#text, offset, comment) };
    slot.value = newScalar('plain', span, { column: offset - rest.lineStart, isInline: place.isInline });
    this.#noteComment(comment, end);
    return lineIndex + 1;
  }

  #parseBlockScalar(slot: Slot, rest: Rest, place: { parentColumn: number; isInline: boolean }): number {
    let last = rest.lineIndex;
    for (let index = last + 1; index < this.#lines.length; index++) {
      const line = this.#lines[index] ?? { start: 0, end: 0 };
      const content = skipBlanks(this.#text, line.start, line.end);
      const isDeeper = content - line.start > place.parentColumn;
      if (content < line.end && !isDeeper) break;
      const holdsCursor =
        this.#cursorIsWithin(line.start, line.end) && (this.#cursor ?? 0) - line.start > place.parentColumn;
      if (content < line.end || holdsCursor) last = index;
    }
    const span = { start: rest.offset, end: this.#lines[last]?.end ?? rest.end };
    this.#opaque.push(span);
    slot.value = newScalar('block', span, { column: rest.offset - rest.lineStart, isInline: place.isInline });
    return last + 1;
  }

  #parseQuoted(slot: Slot, rest: Rest, place: { parentColumn: number; isInline: boolean }): number {
    const style = this.#text[rest.offset] === '"' ? 'double' : 'single';
    const column = rest.offset - rest.lineStart;
    const reach = this.#lastLineDeeperThan(place.parentColumn, rest.lineIndex);
    const close = closingQuote(this.#text, rest.offset, this.#lines[reach]?.end ?? rest.end);
    const end = close ?? trimBlanks(this.#text, rest.offset, rest.end);
    let lineIndex = rest.lineIndex;
    while ((this.#lines[lineIndex]?.end ?? end) < end) lineIndex++;
    const scalar = newScalar(style, { start: rest.offset, end }, { column, isInline: place.isInline });
    slot.value = { ...scalar, isClosed: close !== undefined, isMultiline: lineIndex > rest.lineIndex };
    if (close !== undefined) this.#noteComment(close, this.#lines[lineIndex]?.end ?? close);
    return lineIndex + 1;
  }

  /** Last line of those that can still belong to a quoted scalar which starts on `lineIndex`. */
  #lastLineDeeperThan(parentColumn: number, lineIndex: number): number {
    let last = lineIndex;
    for (let index = lineIndex + 1; index < this.#lines.length; index++) {
      const line = this.#lines[index] ?? { start: 0, end: 0 };
      const content = skipBlanks(this.#text, line.start, line.end);
      if (content === line.end) continue;
      if (content - line.start <= parentColumn || scanKey(this.#text, content, line.end) !== undefined) break;
      last = index;
    }
    return last;
  }

  #noteComment(start: number, end: number): void {
    const comment = commentStart(this.#text, start, end);
    if (comment < end) this.#opaque.push({ start: comment, end });
  }

  #cursorIsWithin(start: number, end: number): boolean {
    return this.#cursor !== undefined && start <= this.#cursor && this.#cursor <= end;
  }

  #cursorWord(column: number): OutlineScalar {
    const offset = this.#cursor ?? 0;
    return newScalar('plain', { start: offset, end: offset }, { column, isInline: false });
  }

  #addCursorWord(lineStart: number): void {
    const offset = this.#cursor ?? lineStart;
    this.#builder.addCursorWord(this.#cursorWord(offset - lineStart));
  }
}

import type { Span } from '../../../capabilities/models';
import type {
  OutlineEmpty,
  OutlineEntry,
  OutlineItem,
  OutlineMap,
  OutlineSequence,
  OutlineValue,
} from './outline-model';
import { newEmpty, newScalar } from './outline-model';
import { closingQuote, commentStart, isBlank, trimBlanks, unquote } from './scalar-scanner';

/** Where a flow collection stands and how far it may reach. */
export interface FlowRoom {
  readonly text: string;
  /** Lines of the document from the one the collection starts on. */
  readonly lines: readonly Span[];
  readonly firstLine: number;
  /** Column of the key or dash it belongs to; a line at or left of it ends a collection that is still open. */
  readonly parentColumn: number;
  /** Receives the comments inside the collection. */
  readonly opaque: Span[];
}

const DEEPEST = 64;

/** Reads one flow collection (`{…}` or `[…]`) that may be unfinished. */
export class FlowParser {
  readonly #text: string;
  readonly #room: FlowRoom;
  #offset: number;
  #lineIndex: number;
  #depth = 0;
  /** Set when an open collection meets the line that ends it. */
  #isCutOff = false;

  constructor(room: FlowRoom, start: number) {
    this.#room = room;
    this.#text = room.text;
    this.#offset = start;
    this.#lineIndex = room.firstLine;
  }

  /** The collection, and the line and offset behind it. */
  parse(): { readonly value: OutlineValue; readonly end: number; readonly lineIndex: number } {
    const value = this.#parseCollection();
    return { value, end: this.#offset, lineIndex: this.#lineIndex };
  }

  #parseCollection(): OutlineMap | OutlineSequence {
    const start = this.#offset;
    const column = start - this.#lineStart();
    const common = { style: 'flow' as const, column, span: { start, end: start }, isClosed: false };
    const isMap = this.#text[start] === '{';
    const node: OutlineMap | OutlineSequence = isMap
      ? { kind: 'map', ...common, entries: [] }
      : { kind: 'sequence', ...common, items: [] };
    this.#offset++;
    this.#depth++;
    if (this.#depth > DEEPEST) this.#isCutOff = true;
    while (this.#skipToToken()) {
      const character = this.#text[this.#offset];
      if (character === ']' || character === '}') {
        node.isClosed = (character === '}') === isMap;
        if (node.isClosed) this.#offset++;
        break;
      }
      if (character === ',') this.#offset++;
      else if (node.kind === 'map') node.entries.push(this.#parseEntry());
      else node.items.push(this.#parseItem());
    }
    this.#depth--;
    node.span = { start, end: this.#offset };
    return node;
  }

  #parseItem(): OutlineItem {
    return { dash: undefined, start: this.#offset, value: this.#parseNode() };
  }

  #parseEntry(): OutlineEntry {
    const column = this.#offset - this.#lineStart();
    const start = this.#offset;
    const key = this.#parseNode();
    const keySpan = key.kind === 'scalar' ? key.span : { start, end: start };
    const name = unquote(this.#text.slice(keySpan.start, keySpan.end));
    const hasColon = this.#skipToToken() && this.#text[this.#offset] === ':';
    if (!hasColon) return { key: name, keySpan, column, colon: undefined, value: emptyAt(keySpan.end, keySpan.end) };
    const colon = this.#offset++;
    const found = this.#skipToToken();
    const isMissing = !found || ',]}'.includes(this.#text.charAt(this.#offset));
    const value = isMissing ? emptyAt(colon + 1, this.#offset) : this.#parseNode();
    return { key: name, keySpan, column, colon, value };
  }

  /** Always moves forward, whatever it meets. */
  #parseNode(): OutlineValue {
    const character = this.#text[this.#offset];
    if (character === '{' || character === '[') return this.#parseCollection();
    const start = this.#offset;
    const end = this.#lineEnd();
    const quoted = character === '"' || character === "'";
    const close = quoted ? closingQuote(this.#text, start, end) : undefined;
    const stop = close ?? this.#plainEnd(start, end);
    this.#offset = Math.max(stop, start + 1);
    const style = character === '"' ? 'double' : character === "'" ? 'single' : 'plain';
    const span = { start, end: Math.max(trimBlanks(this.#text, start, this.#offset), start + 1) };
    const column = start - this.#lineStart();
    const isClosed = !quoted || close !== undefined;
    return { ...newScalar(style, span, { column, isInline: true }), isFlow: true, isClosed };
  }

  /** A `${…}` placeholder is read as one piece though its braces need quotes here: it may be half-typed. */
  #plainEnd(start: number, end: number): number {
    let offset = start;
    while (offset < end) {
      const character = this.#text.charAt(offset);
      if (character === '$' && this.#text[offset + 1] === '{') {
        const close = this.#text.slice(offset, end).search(/[},\s\]]/);
        offset = close < 0 ? end : offset + close + (this.#text[offset + close] === '}' ? 1 : 0);
        continue;
      }
      if (',[]{}'.includes(character)) return offset;
      if (character === ':' && (offset + 1 === end || /[\s,[\]{}]/.test(this.#text.charAt(offset + 1)))) return offset;
      if (character === '#' && isBlank(this.#text[offset - 1])) return offset;
      offset++;
    }
    return end;
  }

  /** Moves over blanks, comments and line ends. False when the collection ends here though it is open. */
  #skipToToken(): boolean {
    while (!this.#isCutOff) {
      const end = this.#lineEnd();
      while (this.#offset < end && isBlank(this.#text[this.#offset])) this.#offset++;
      if (this.#offset < end && commentStart(this.#text, this.#offset, this.#offset + 1) === this.#offset) {
        this.#room.opaque.push({ start: this.#offset, end });
        this.#offset = end;
      }
      if (this.#offset < end) return true;
      this.#moveToNextLine();
    }
    return false;
  }

  #moveToNextLine(): void {
    const next = this.#room.lines[this.#lineIndex + 1];
    if (next === undefined || this.#endsAt(next)) {
      this.#isCutOff = true;
      return;
    }
    this.#lineIndex++;
    this.#offset = next.start;
  }

  #endsAt(line: Span): boolean {
    const content = this.#text.slice(line.start, line.end);
    const column = content.search(/\S/);
    if (column < 0) return false;
    return column <= this.#room.parentColumn && !']}'.includes(content.charAt(column));
  }

  #lineStart(): number {
    return this.#room.lines[this.#lineIndex]?.start ?? 0;
  }

  #lineEnd(): number {
    return this.#room.lines[this.#lineIndex]?.end ?? this.#text.length;
  }
}

function emptyAt(start: number, end: number): OutlineEmpty {
  return { ...newEmpty(start, Math.max(start, end)), isFlow: true };
}

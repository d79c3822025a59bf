import type { Span } from '../../../capabilities/models';

/** A key found at the start of a stretch of text. */
export interface ScannedKey {
  readonly key: string;
  readonly span: Span;
  readonly colon: number;
}

/** True for a space or a tab. */
export function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** First offset from `start` that is no space or tab, at most `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let offset = start;
  while (offset < end && isBlank(text[offset])) offset++;
  return offset;
}

/** Offset before the blanks that end at `end`, at least `start`. */
export function trimBlanks(text: string, start: number, end: number): number {
  let offset = end;
  while (offset > start && isBlank(text[offset - 1])) offset--;
  return offset;
}

/** Offset of a trailing comment's `#` between `start` and `end`, or `end`. `start` is taken to follow a blank. */
export function commentStart(text: string, start: number, end: number): number {
  for (let offset = start; offset < end; offset++) {
    if (text[offset] === '#' && (offset === start || isBlank(text[offset - 1]))) return offset;
  }
  return end;
}

/** Offset after the closing quote of the scalar that opens at `start`; undefined when it does not close before `end`. */
export function closingQuote(text: string, start: number, end: number): number | undefined {
  const quote = text[start];
  for (let offset = start + 1; offset < end; offset++) {
    if (quote === '"' && text[offset] === '\\') offset++;
    else if (text[offset] === quote) {
      if (quote !== "'" || text[offset + 1] !== "'") return offset + 1;
      offset++;
    }
  }
  return undefined;
}

/** The key of a block mapping that starts at `start`, on a line that ends at `end`. */
export function scanKey(text: string, start: number, end: number): ScannedKey | undefined {
  const quoted = text[start] === '"' || text[start] === "'";
  if (quoted) {
    const close = closingQuote(text, start, end);
    if (close === undefined) return undefined;
    const colon = skipBlanks(text, close, end);
    return isKeyColon(text, colon, end) ? keyOf(text, { start, end: close }, colon) : undefined;
  }
  if (text[start] === '{' || text[start] === '[' || text[start] === '#') return undefined;
  for (let offset = start; offset < end; offset++) {
    if (text[offset] === '#' && isBlank(text[offset - 1])) return undefined;
    if (isKeyColon(text, offset, end)) return keyOf(text, { start, end: trimBlanks(text, start, offset) }, offset);
  }
  return undefined;
}

function isKeyColon(text: string, offset: number, end: number): boolean {
  return offset < end && text[offset] === ':' && (offset + 1 === end || isBlank(text[offset + 1]));
}

function keyOf(text: string, span: Span, colon: number): ScannedKey {
  return { key: unquote(text.slice(span.start, span.end)), span, colon };
}

/** The value of a plain or quoted scalar on one line; escapes that are not a plain character stay as written. */
export function unquote(source: string): string {
  const quote = source[0];
  if (quote !== '"' && quote !== "'") return source;
  const closes = source.length > 1 && source.endsWith(quote);
  const inner = source.slice(1, closes ? -1 : undefined);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\/])/g, '$1');
}

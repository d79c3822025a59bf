/** A text cut to fit, and whether it was cut. */
export interface FittedText {
  readonly text: string;
  readonly isShortened: boolean;
}

const markBytes = 48;
const headShare = 0.6;

/** At most `length` UTF-16 units of a text that must be valid Unicode: halves of surrogate pairs become U+FFFD. */
export function clipText(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** UTF-8 bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * Cuts a text so that it takes at most `budget` bytes inside a JSON string, escapes counted. Keeps the beginning and the end
 * and says between them how many characters are missing.
 */
export function fitText(text: string, budget: number): FittedText {
  if (text.length <= budget && jsonBytes(text) - 2 <= budget) return { text, isShortened: false };
  const room = Math.max(0, budget - markBytes);
  const head = headLength(text, room * headShare);
  const tail = tailLength(text, room * (1 - headShare), text.length - head);
  const missing = text.length - head - tail;
  const mark = `\n… ${missing} characters left out …\n`;
  return { text: text.slice(0, head) + mark + text.slice(text.length - tail), isShortened: true };
}

function headLength(text: string, budget: number): number {
  let used = 0;
  let length = 0;
  for (const character of text) {
    used += cost(character);
    if (used > budget) break;
    length += character.length;
  }
  return length;
}

function tailLength(text: string, budget: number, limit: number): number {
  let used = 0;
  let length = 0;
  while (length < limit) {
    const end = text.length - length;
    const isPair = end >= 2 && isLow(text.charCodeAt(end - 1)) && isHigh(text.charCodeAt(end - 2));
    const size = isPair ? 2 : 1;
    used += cost(text.slice(end - size, end));
    if (used > budget || length + size > limit) break;
    length += size;
  }
  return length;
}

function cost(character: string): number {
  return jsonBytes(character) - 2;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

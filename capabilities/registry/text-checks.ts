/** Checks of a file's text that need no YAML: size, line ends, characters, left-over merge conflicts. */
import type { Diagnostic, Span } from '../models';
import { describeForbiddenCharacter, findForbiddenCharacters } from './forbidden-characters';

/** Bytes of UTF-8 a definition file may have. */
export const MAX_FILE_BYTES = 256 * 1024;

/** Lines it may have: more than the size limit allows for ordinary lines, so only lists of almost nothing meet it. */
export const MAX_LINES = 10_000;

/** Findings of one kind after which a file is not searched for more. */
const MAX_FORBIDDEN_RUNS = 20;

const HOW_TO_SPLIT = 'Split it: a folder may hold any number of files, and one resource a file is the usual way.';

/** The diagnostic for a file that is too large to be read, or undefined. */
export function checkSize(text: string): Diagnostic | undefined {
  if (isLargerThan(text, MAX_FILE_BYTES)) {
    return tooLarge(`This file is larger than ${MAX_FILE_BYTES / 1024} KiB and is not read. ${HOW_TO_SPLIT}`);
  }
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  if (lines <= MAX_LINES) return undefined;
  return tooLarge(`This file has more than ${MAX_LINES} lines and is not read. ${HOW_TO_SPLIT}`);
}

/** The diagnostic for a file over one of the size limits, at the file's start. */
export function tooLarge(message: string): Diagnostic {
  return { code: 'file-too-large', severity: 'error', message, span: { start: 0, end: 0 } };
}

/** Whether the text takes more than `limit` bytes in UTF-8. */
function isLargerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return new TextEncoder().encode(text).length > limit;
}

/** Characters and line ends that are refused anywhere in a file, comments included: a comment is read by people too. */
export function checkCharacters(text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const lineEnd = /\r(?!\n)|[\u0085\u2028\u2029]/u.exec(text);
  if (lineEnd) {
    const span = { start: lineEnd.index, end: lineEnd.index + 1 };
    found.push({ code: 'line-ending', severity: 'error', message: describeLineEnd(lineEnd[0]), span });
  }
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const shift = text.length - body.length;
  for (const run of findForbiddenCharacters(body, MAX_FORBIDDEN_RUNS)) {
    const span = { start: run.start + shift, end: run.end + shift };
    const message = describeForbiddenCharacter(run.codePoint);
    found.push({ code: 'forbidden-character', severity: 'error', message, span });
  }
  return found;
}

function describeLineEnd(character: string): string {
  const name = character === '\r' ? 'a carriage return alone (CR)' : `U+${hex(character)}`;
  return `This line ends with ${name}, which editors and YAML readers take differently. Use LF or CRLF line ends.`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

const MARKER = /^(<{7}|={7}|>{7}|\|{7})(?= |\r?$)[^\r\n]*/gm;

/** Where version control left a merge conflict: one diagnostic on the first marker, and the lines that it concerns. */
export interface MergeConflicts {
  readonly diagnostic: Diagnostic | undefined;
  /** From a first marker to the end of its last. Documents that touch one can't be used. */
  readonly regions: readonly Span[];
}

/** Finds the conflicts. A marker that has lost its partners counts too. */
export function findMergeConflicts(text: string): MergeConflicts {
  const regions: { start: number; end: number }[] = [];
  let isOpen = false;
  let first: Span | undefined;
  for (const match of text.matchAll(MARKER)) {
    const span = { start: match.index, end: match.index + match[0].length };
    first ??= span;
    const region = regions.at(-1);
    if (isOpen && region) region.end = span.end;
    else regions.push({ ...span });
    isOpen = !match[0].startsWith('>');
  }
  // Without its end marker nobody can say where the conflict stops.
  const last = regions.at(-1);
  if (isOpen && last) last.end = text.length;
  if (!first) return { diagnostic: undefined, regions };
  const message =
    'A merge conflict is left here. Keep one side and remove the `<<<<<<<`, `=======` and `>>>>>>>` lines.';
  return { diagnostic: { code: 'merge-conflict', severity: 'error', message, span: first }, regions };
}

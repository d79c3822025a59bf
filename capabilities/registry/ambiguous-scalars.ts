/** Unquoted values that people and YAML readers take differently: says what the value really is and what to write. */
import type { DiagnosticSeverity } from '../models';

/** A finding about one value. */
export interface AmbiguousScalar {
  readonly severity: DiagnosticSeverity;
  readonly message: string;
}

/** Looks at a number and the way it is written; undefined when the two agree. */
export function describeAmbiguousNumber(source: string, value: number): AmbiguousScalar | undefined {
  if (!Number.isFinite(value)) {
    const message = `\`${source}\` is not a number that JSON can carry. Write a finite number, or put it in quotes for text.`;
    return { severity: 'error', message };
  }
  if (/^[-+]?0[0-9]+$/.test(source)) {
    const message = `\`${source}\` is the number ${value}: the leading zero is dropped, and it is not octal. Write ${value}, or "${source}" in quotes for text.`;
    return { severity: 'warning', message };
  }
  if (/^[-+]?[0-9]+$|^0[xo]/.test(source) && !Number.isSafeInteger(value)) {
    const message = `\`${source}\` loses digits: it becomes ${BigInt(value)}. Put it in quotes to keep it as text.`;
    return { severity: 'error', message };
  }
  return undefined;
}

/** What a plain text value is not, for a place that wants something else: `yes` is no boolean, `1:30` no duration. */
export function describeAmbiguousText(source: string): string | undefined {
  const word = source.toLowerCase();
  if (TRUE_WORDS.has(word)) return `\`${source}\` is the text "${source}", not a boolean. Write \`true\`.`;
  if (FALSE_WORDS.has(word)) return `\`${source}\` is the text "${source}", not a boolean. Write \`false\`.`;
  if (!/^\d+(?::[0-5]?\d){1,2}$/.test(source)) return undefined;
  const parts = source.split(':');
  const seconds = parts.reduce((total, part) => total * 60 + Number(part), 0);
  return `\`${source}\` is the text "${source}", not a time. Write the number with a unit: \`${seconds}s\`.`;
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['yes', 'y', 'on']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['no', 'n', 'off']);

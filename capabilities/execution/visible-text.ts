/** Ranges of code points that a reader can't see or is misled by. */
const unseenRanges = [
  '\\u0000-\\u001f\\u007f-\\u009f', // control characters
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0', // soft hyphen, joiner, fillers
  '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069', // direction
  '\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufeff', // zero width
  '\\u2028\\u2029\\ufff9-\\ufffb', // line and annotation separators
  '\\u180b-\\u180f\\ufe00-\\ufe0f\\u{e0000}-\\u{e0fff}', // variation selectors and tags
  '\\p{Surrogate}', // halves of pairs
];
// eslint-disable-next-line no-misleading-character-class -- combining characters are meant one by one
const unseen = new RegExp(`[${unseenRanges.join('')}]`, 'gu');

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Shows every character that a reader could miss or be misled by as an escape: `\n`, `\x1b`, `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).padStart(2, '0');
    return shortEscapes[character] ?? (code < 0x100 ? `\\x${hex}` : `\\u{${hex}}`);
  });
}

/** One command element, so that its limits can't be mistaken: bare when it is plain, else in quotes with escapes. */
export function visibleElement(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,~^-]+$/.test(text)) return text;
  return `"${visibleInQuotes(text)}"`;
}

/** Text for a place between double quotes that it can't leave. */
export function visibleInQuotes(text: string): string {
  return visibleText(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
}

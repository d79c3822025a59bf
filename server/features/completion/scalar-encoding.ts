/** Where a scalar is written. */
export interface ScalarPlace {
  readonly style: 'block' | 'flow';
  /** The quotes it stands in already. */
  readonly quote?: 'single' | 'double' | undefined;
}

const PLAIN = /^[\p{L}\p{N}_./~$][\p{L}\p{N}_./~$@%+=()&*!?;<>^|\\'" :#,[\]{}-]*$/u;
const NOT_TEXT = /^(~|null|true|false|yes|no|on|off|y|n|[-+.]?[0-9][0-9a-fox_.:eE+-]*|\.(inf|nan))$/i;

/** Text as YAML that reads back as the same text, with quotes where they are needed. */
export function encodeScalar(text: string, place: ScalarPlace): string {
  if (place.quote === 'single') return text.replaceAll("'", "''");
  const quoted = JSON.stringify(text);
  if (place.quote === 'double') return quoted.slice(1, -1);
  return isPlain(text, place.style) ? text : quoted;
}

function isPlain(text: string, style: ScalarPlace['style']): boolean {
  if (!PLAIN.test(text) || NOT_TEXT.test(text) || text !== text.trim()) return false;
  if (text.includes(': ') || text.endsWith(':') || text.includes(' #')) return false;
  return style === 'block' || !/[,[\]{}:]/.test(text);
}

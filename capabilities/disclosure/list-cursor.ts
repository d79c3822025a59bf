/** 64-bit FNV-1a (Fowler, Noll and Vo) over UTF-16 units, hex: a checksum against mix-ups, not a secret. */
function checksum(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** A cursor for the page after `lastKey` in the listing that `listing` names. */
export function encodeCursor(listing: string, lastKey: string): string {
  return `${checksum(JSON.stringify([listing, lastKey]))}.${lastKey}`;
}

/** The key a cursor stands at; undefined when it is malformed, altered or from another listing. */
export function decodeCursor(listing: string, cursor: string): string | undefined {
  const dot = cursor.indexOf('.');
  const lastKey = cursor.slice(dot + 1);
  return dot > 0 && encodeCursor(listing, lastKey) === cursor ? lastKey : undefined;
}

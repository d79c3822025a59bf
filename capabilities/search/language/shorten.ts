const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A Chinese character costs a model about as much as three Latin letters. */
const DENSE_WIDTH = 3;

/** No character before this one is of those scripts. */
const FIRST_DENSE = 0x1100;

/** Cuts text to a width (Latin letters 1, Chinese characters 3) at a word's end where it can, with `…`; white space becomes single spaces. Never splits a character. */
export function shorten(text: string, width: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').trim();
  let used = 0;
  let end = 0;
  for (const character of plain) {
    used += character.charCodeAt(0) >= FIRST_DENSE && DENSE.test(character) ? DENSE_WIDTH : 1;
    if (used > width) break;
    end += character.length;
  }
  if (end >= plain.length) return plain;
  const cut = plain.slice(0, end);
  const wordEnd = cut.search(/\s\S*$/u);
  const isMidWord = /[A-Za-z0-9]$/.test(cut) && /^[A-Za-z0-9]/.test(plain.slice(end));
  return `${(isMidWord && wordEnd > end / 2 ? cut.slice(0, wordEnd) : cut).trimEnd()}…`;
}

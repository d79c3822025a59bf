/** Longest query that is read in full, in UTF-16 units. */
const LONGEST = 1000;
const HEAD = 700;
const TAIL = 300;
/** Names kept from the part that is left out, and the longest of them. */
const MOST_NAMES = 40;
const LONGEST_NAME = 200;
const BETWEEN_NAMES = /[^\w.:-]+/u;
/** What makes a word a name and not just a word: `git.status`, `git_status`, `scope:id`. */
const NAME = /^\w[\w-]*[._:-]\w[\w.:-]*$/u;

/** Half of a character that a cut went through. */
const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * A query short enough to be read in a moment: of a long one its beginning, where the goal stands, its end, where the limits often stand, and
 * every word between that is written like an id. Normalised (NFKC) and trimmed. Pure; time grows with the length alone.
 */
export function condenseQuery(query: string): string {
  const text = query.normalize('NFKC').trim();
  if (text.length <= LONGEST) return text;
  const words = text.slice(HEAD, -TAIL).split(BETWEEN_NAMES);
  const names = words.filter((word) => word.length <= LONGEST_NAME && NAME.test(word));
  const kept = [...new Set(names)].slice(0, MOST_NAMES);
  return [text.slice(0, HEAD), ...kept, text.slice(-TAIL)].join(' ').replaceAll(HALF_CHARACTER, '');
}

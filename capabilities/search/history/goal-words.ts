import type { ParsedQuery } from '../../models';
import { isStopWord } from '../language/tokenizer';

const MOST_WORDS = 16;
const LONGEST_WORD = 32;
/** Telephone numbers, dates, keys and hashes hold them; words of a goal do not. */
const DIGITS = /\d.*\d.*\d/u;

/**
 * The words of a goal that may be kept: only those that the lexicon knows or that some definition holds, without long ones and
 * numbers. So what a person pastes into a goal, a password, a name, an address, is not in it: nothing is kept because it looks
 * harmless, only because it is known.
 */
export function goalWordsOf(
  query: Pick<ParsedQuery, 'concepts'>,
  isHeld: (word: string) => boolean,
): readonly string[] {
  const words = query.concepts.flatMap(({ forms }) => {
    const [written = []] = forms;
    // A concept with a second form stands in the lexicon.
    return forms.length > 1 ? written : written.filter(isHeld);
  });
  const kept = words.filter((word) => word.length <= LONGEST_WORD && !DIGITS.test(word) && !isStopWord(word));
  return [...new Set(kept)].slice(0, MOST_WORDS);
}

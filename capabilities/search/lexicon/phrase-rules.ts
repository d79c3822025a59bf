import { textUnits } from '../language/text-units';
import { isStopWord } from '../language/tokenizer';
import type { IntentLexicon } from './intent-lexicon';

/** Decides which phrases of a workspace's lexicon can be used: such a word must not change what others mean. */
export class PhraseRules {
  readonly #intents: IntentLexicon;

  constructor(intents: IntentLexicon) {
    this.#intents = intents;
  }

  /** Why a phrase can't be used, to be read after the phrase; undefined when it can. `intent` is what it shall ask for. */
  problemOf(phrase: string, intent: string | undefined): string | undefined {
    const units = textUnits(phrase.normalize('NFKC'));
    const telling = units.filter(({ surface, stem }) => !isStopWord(surface) && !isStopWord(stem));
    if (telling.length === 0) return 'says nothing by itself';
    if (units.length === 1 && Array.from(units[0]?.surface ?? '').length === 1)
      return 'is one character, which is part of too many words';
    if (intent === undefined) return undefined;
    const known = this.#intents.builtInIntentOf(phrase);
    return known === undefined ? undefined : `asks for \`${known}\` already`;
  }
}

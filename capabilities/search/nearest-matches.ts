import type { ParsedQuery, RankedCandidate } from '../models';
import { isCovered } from './concept-coverage';
import { isFromSession } from './follow-up';
import type { IntentLexicon } from './lexicon/intent-lexicon';
import type { SearchIndex } from './search-index';

/** Puts in order what is nearest to a goal that nothing registered meets. */
export class NearestMatches {
  readonly #index: SearchIndex;
  readonly #intents: IntentLexicon;

  constructor(index: SearchIndex, intents: IntentLexicon) {
    this.#index = index;
    this.#intents = intents;
  }

  /**
   * The same candidates, those last that change something and share nothing with the goal but the verb: who wants to restart a router must
   * not be handed what restarts a container. Otherwise in the order given.
   */
  inOrder(page: readonly RankedCandidate[], query: ParsedQuery): readonly RankedCandidate[] {
    const isWrong = (candidate: RankedCandidate): boolean => this.#sharesOnlyTheVerb(candidate, query);
    return [...page.filter((candidate) => !isWrong(candidate)), ...page.filter(isWrong)];
  }

  #sharesOnlyTheVerb(candidate: RankedCandidate, query: ParsedQuery): boolean {
    if (isFromSession(candidate)) return false;
    const { resource, ...matched } = candidate;
    if (resource.type !== 'action' || resource.definition.side_effect === 'R') return false;
    if (matched.matchedEntities.length + matched.matchedSymptoms.length > 0) return false;
    const { words } = this.#index.profile(resource);
    return query.concepts.every((concept) => this.#intents.isIntentWord(concept.term) || !isCovered(concept, words));
  }
}

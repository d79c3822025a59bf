import type { ParsedQuery, RankedCandidate } from '../models';
import { isCovered } from './concept-coverage';
import { isFromSession } from './follow-up';
import { unitStems } from './language/text-units';
import type { IntentLexicon } from './lexicon/intent-lexicon';
import queryPatterns from './lexicon/query-patterns.json';
import type { SearchIndex } from './search-index';

const TIMES: ReadonlySet<string> = new Set(
  queryPatterns.times.items.flatMap((time) => [time, unitStems(time).join(' ')]),
);

/** Puts in order what is nearest to a goal that nothing registered meets. */
export class NearestMatches {
  readonly #index: SearchIndex;
  readonly #intents: IntentLexicon;

  constructor(index: SearchIndex, intents: IntentLexicon) {
    this.#index = index;
    this.#intents = intents;
  }

  /**
   * The same candidates, what can do great harm behind the others, and last what is beside the goal: who wants to restart a router must not
   * be handed what restarts a container. Otherwise in the order given.
   */
  inOrder(page: readonly RankedCandidate[], query: ParsedQuery): readonly RankedCandidate[] {
    const tierOf = (candidate: RankedCandidate): number =>
      this.isBeside(candidate, query) ? 2 : isHarmful(candidate) && !isFromSession(candidate) ? 1 : 0;
    return [...page].sort((left, right) => tierOf(left) - tierOf(right));
  }

  /** Whether a candidate changes something and shares nothing but the verb with a goal that says what it is to be done to. */
  isBeside(candidate: RankedCandidate, query: ParsedQuery): boolean {
    const { resource, matchedEntities, matchedSymptoms } = candidate;
    if (isFromSession(candidate) || resource.type !== 'action' || resource.definition.side_effect === 'R') return false;
    if (matchedEntities.length + matchedSymptoms.length > 0) return false;
    const objects = query.concepts.filter(({ term }) => !this.#intents.isIntentWord(term) && !isTime(term));
    const { words } = this.#index.profile(resource);
    return objects.length > 0 && objects.every((concept) => !isCovered(concept, words));
  }
}

function isHarmful({ resource }: RankedCandidate): boolean {
  if (resource.type !== 'action') return false;
  const { side_effect: effect, risk_level: risk } = resource.definition;
  return effect === 'I' || risk === 'high' || risk === 'critical';
}

/** A time is when, not what. */
function isTime(term: string): boolean {
  return /^\d+$/u.test(term) || TIMES.has(term);
}

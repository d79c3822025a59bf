import type { ParsedQuery } from '../models';
import { compilePatterns, matchesAny } from './lexicon/pattern-table';
import queryPatterns from './lexicon/query-patterns.json';

const VAGUE_VERBS = compilePatterns(queryPatterns.vague);

/** Whether a goal says neither what to do nor what is wrong, so that any single action would be a guess. */
export function isVagueGoal(query: ParsedQuery): boolean {
  const saysWhat = query.intents.length > 0 || query.symptoms.length > 0 || query.explicitKeys.length > 0;
  if (saysWhat || query.isBrowseRequest) return false;
  return query.concepts.length <= 1 || matchesAny(VAGUE_VERBS, query.text);
}

/** Whether a query has nothing in it that a resource could match: stop words, an emoji, punctuation. */
export function isEmptyGoal(query: ParsedQuery): boolean {
  const hasHandle = query.explicitKeys.length > 0 || query.entities.length > 0 || query.symptoms.length > 0;
  return !hasHandle && query.terms.length === 0 && query.intents.length === 0;
}

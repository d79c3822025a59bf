import type { ParsedQuery } from '../models';
import { FOLLOW_UP } from './follow-up';
import { compilePatterns, matchesAny } from './lexicon/pattern-table';
import queryPatterns from './lexicon/query-patterns.json';

const READING = new Set(['question', 'read_first', 'read_only']);
/** A complaint of more words than this says what is wrong. */
const CONCEPTS_OF_COMPLAINT = 3;
const VAGUE_COMPLAINTS = compilePatterns(queryPatterns.vagueComplaints);
const VAGUE_VERBS = compilePatterns(queryPatterns.vague);

/** Whether a goal says neither what to do nor what is wrong, so that any single action would be a guess. */
export function isVagueGoal(query: ParsedQuery): boolean {
  if (query.constraints.includes(FOLLOW_UP)) return false;
  if (isUnspecifiedDeed(query) && !query.isBrowseRequest) return true;
  const saysWhat = query.intents.length > 0 || query.symptoms.length > 0 || query.explicitKeys.length > 0;
  if (saysWhat || query.isBrowseRequest) return false;
  if (query.concepts.length <= 1 || matchesAny(VAGUE_VERBS, query.text)) return true;
  return query.concepts.length <= CONCEPTS_OF_COMPLAINT && matchesAny(VAGUE_COMPLAINTS, query.text);
}

/** Whether a goal asks to do something, it does not say what, with what it names: "sort out docker". */
export function isVagueRequest(query: ParsedQuery): boolean {
  const saysWhat = query.intents.length > 0 || query.symptoms.length > 0 || query.isBrowseRequest;
  return !saysWhat && matchesAny(VAGUE_VERBS, query.text);
}

/** Whether a goal asks for an answer, or for a look before anything is done. */
export function asksToRead({ constraints }: Pick<ParsedQuery, 'constraints'>): boolean {
  return constraints.some((constraint) => READING.has(constraint));
}

/** Whether a goal asks for instructions to follow oneself. */
export function asksForGuide({ constraints }: ParsedQuery): boolean {
  return constraints.includes('guide');
}

/** Whether a goal names a deed but nothing to do it to: "clean up". */
export function isUnspecifiedDeed({ constraints }: ParsedQuery): boolean {
  return constraints.includes('unspecified');
}

/** Whether a query has nothing in it that a resource could match: stop words, an emoji, punctuation. */
export function isEmptyGoal(query: ParsedQuery): boolean {
  if (query.constraints.includes(FOLLOW_UP)) return false;
  const hasHandle = query.explicitKeys.length > 0 || query.entities.length > 0 || query.symptoms.length > 0;
  return !hasHandle && query.terms.length === 0 && query.intents.length === 0;
}

import type { ParsedQuery, RetrieverName, SearchPlan } from '../models';
import { isEmptyGoal, isVagueGoal } from './goal-clarity';

/** Concepts that a query may hold besides the names in it before their text is looked for as well. */
const CONCEPTS_BESIDE_NAMES = 6;
/** Goals of more concepts than this are told in prose, where meaning helps beyond words. */
const CONCEPTS_OF_PROSE = 3;

function hasFacets(query: ParsedQuery): boolean {
  return query.intents.length + query.entities.length + query.symptoms.length > 0;
}

function planGoal(query: ParsedQuery): SearchPlan {
  const retrievers: RetrieverName[] = ['lexical'];
  const reasons = ['free text'];
  const add = (name: RetrieverName, reason: string): void => {
    retrievers.push(name);
    reasons.push(reason);
  };
  if (/\S[._]\S/u.test(query.text)) add('exact', 'an identifier-like word');
  if (hasFacets(query)) add('metadata', 'known intents, entities or symptoms');
  if (query.scope !== undefined) add('hierarchy', 'a pack is named');
  else if (isVagueGoal(query)) add('hierarchy', 'an unclear goal may fit a whole pack');
  if (query.concepts.length >= CONCEPTS_OF_PROSE) add('semantic', 'a goal told in prose');
  // A topic alone is no task that past use could have solved.
  const isTask = query.symptoms.length + query.intents.length > 0;
  if (isTask || isVagueGoal(query))
    add('history', isTask ? 'a task may have been solved before' : 'past use may help an unclear goal');
  return { retrievers, reason: reasons.join('; ') };
}

/**
 * Chooses the retrievers for a query (§10), never all of them. Only names in `present` are planned: semantic and history are
 * left out until a host provides them.
 */
export function planSearch(query: ParsedQuery, present: ReadonlySet<RetrieverName>): SearchPlan {
  const plan = choosePlan(query);
  return { ...plan, retrievers: plan.retrievers.filter((name) => present.has(name)) };
}

function choosePlan(query: ParsedQuery): SearchPlan {
  if (query.explicitKeys.length > 0) {
    const hasMore = query.concepts.length >= CONCEPTS_BESIDE_NAMES;
    const retrievers: RetrieverName[] = hasMore ? ['exact', 'metadata', 'lexical'] : ['exact', 'metadata'];
    return { retrievers, reason: 'resources are named' };
  }
  if (query.isBrowseRequest && query.scope !== undefined) {
    return { retrievers: ['hierarchy', 'metadata'], reason: 'asks what a pack holds' };
  }
  if (isEmptyGoal(query)) {
    return { retrievers: ['hierarchy', 'history'], reason: 'nothing to look for but the packs and what is often used' };
  }
  return planGoal(query);
}

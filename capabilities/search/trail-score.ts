import type { ActionDefinition, ParsedQuery, Resource, SessionTrail } from '../models';
import { FOLLOW_UP, undoIdOf } from './follow-up';
import type { RerankWeights } from './search-weights';

/** What a session has done, and how that counts. */
export interface TrailRules {
  readonly trail: SessionTrail;
  readonly lastRun: Resource | undefined;
  readonly weights: Pick<RerankWeights, 'recommended' | 'verifying' | 'nextStage' | 'followUp'>;
}

const TAKING_BACK = new Set(['rollback', 'restore', 'uninstall']);
/** Later recommendations count for less. */
const RECOMMENDATION_SPAN = 4;
/** Words of a follow-up up to which what was run says more than they do. */
const WORDS_OF_SHORT_GOAL = 3;
const WORDS_OF_LONGER_GOAL = 6;

/** How well a resource carries on what the session has run last; 0 without a trail. */
export function trailScore(resource: Resource, query: ParsedQuery, { trail, lastRun, weights }: TrailRules): number {
  const recommendedAt = trail.recommended.indexOf(resource.key);
  const recommended = recommendedAt < 0 ? 0 : 1 / (1 + recommendedAt / RECOMMENDATION_SPAN);
  const verifying = trail.verifying.includes(resource.key) ? 1 : 0;
  const usual =
    weights.recommended * recommended +
    weights.verifying * verifying +
    (lastRun && isNextStage(lastRun, resource) ? weights.nextStage : 0);
  if (!query.constraints.includes(FOLLOW_UP)) return usual;
  const fit = followUpFit(resource, query, { recommended, verifying, isUndo: undoIdOf(lastRun) === resource.id });
  return usual + weights.followUp * shortness(query) * fit;
}

/** Where a resource stands to the last run. */
interface Place {
  readonly recommended: number;
  readonly verifying: number;
  readonly isUndo: boolean;
}

/** A question after a run is about its outcome; a wish to go on is for what it recommends. */
function followUpFit(resource: Resource, query: ParsedQuery, { recommended, verifying, isUndo }: Place): number {
  const isRead = resource.type !== 'action' || resource.definition.side_effect === 'R';
  const wantsBack = query.intents.some((intent) => TAKING_BACK.has(intent));
  if (wantsBack && isUndo) return 1;
  // "Do it" says all that is needed after a run.
  if (query.isExplicitWrite || query.constraints.includes('unspecified')) return isRead || wantsBack ? 0 : recommended;
  if (query.constraints.includes('question') || query.intents.length > 0)
    return isRead ? Math.max(verifying, recommended / 2) : 0;
  return Math.max(verifying, recommended) / 2;
}

function shortness({ concepts }: ParsedQuery): number {
  if (concepts.length <= WORDS_OF_SHORT_GOAL) return 1;
  return concepts.length <= WORDS_OF_LONGER_GOAL ? 0.6 : 0.35;
}

/** Which stages of a workflow fit after a stage. */
const NEXT_STAGES: Readonly<Record<NonNullable<ActionDefinition['stage']>, readonly ActionDefinition['stage'][]>> = {
  inspect: ['diagnose'],
  diagnose: ['repair', 'change'],
  change: ['verify'],
  repair: ['verify'],
  verify: [],
  rollback: ['verify'],
};

/** Whether a candidate of the same pack carries on the workflow from where the last run left it. */
function isNextStage(lastRun: Resource, candidate: Resource): boolean {
  if (lastRun.type !== 'action' || candidate.type !== 'action' || lastRun.parentId !== candidate.parentId) return false;
  const { stage } = lastRun.definition;
  return stage !== undefined && NEXT_STAGES[stage].includes(candidate.definition.stage);
}

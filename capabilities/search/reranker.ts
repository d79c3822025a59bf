import type { FusedCandidate, ParsedQuery, RankedCandidate, Resource, SessionTrail } from '../models';
import type { ConceptCoverage } from './concept-coverage';
import { FOLLOW_UP } from './follow-up';
import { asksForGuide, asksToRead, isUnspecifiedDeed, isVagueGoal, isVagueRequest } from './goal-clarity';
import type { IntentLexicon } from './lexicon/intent-lexicon';
import type { AdmittedCandidate } from './policy-filter';
import type { ResourceProfile } from './resource-profile';
import type { NameCoverage } from './name-coverage';
import type { SearchIndex } from './search-index';
import type { SearchWeights } from './search-weights';
import { textScore } from './text-fusion';
import { trailScore } from './trail-score';
import type { UsageGoal, UsageMatcher } from './usage-matcher';

/** A fused candidate with its availability. */
export type RerankCandidate = FusedCandidate & Pick<AdmittedCandidate, 'report'>;

/** What a goal is judged by besides the query. */
export interface RerankContext {
  readonly query: ParsedQuery;
  readonly trail: SessionTrail;
  /** What the session has run last, when it is still there. */
  readonly lastRun: Resource | undefined;
  /** Weight of query words that no resource holds, against the rarest word. */
  readonly unknownWeight: number;
}

/** The parts of the engine that the features need. */
export interface RerankKnowledge {
  readonly index: SearchIndex;
  readonly intents: IntentLexicon;
  readonly usage: UsageMatcher;
  readonly coverage: ConceptCoverage;
  readonly names: NameCoverage;
}

interface Scale {
  readonly goal: UsageGoal;
  readonly bestFusion: number;
  /** Sum of the weights of every feature that this query can earn. */
  readonly attainable: number;
}

interface Matches {
  readonly intents: readonly string[];
  readonly entities: readonly string[];
  readonly symptoms: readonly string[];
}

/** One thing often goes by several entity names; two found count as a full match. */
const ENTITIES_FOR_FULL_MATCH = 2;

/**
 * Decides which candidate suits the goal as the next step (§16): adds up match and context features, takes off risk, and puts every candidate
 * that violates the goal below all others. Explicitly named resources come first, in the order named.
 */
export class Reranker {
  readonly #knowledge: RerankKnowledge;
  readonly #weights: SearchWeights['rerank'];
  readonly #text: SearchWeights['text'];

  constructor(knowledge: RerankKnowledge, weights: Pick<SearchWeights, 'rerank' | 'text'>) {
    this.#knowledge = knowledge;
    this.#weights = weights.rerank;
    this.#text = weights.text;
  }

  /** Best first; equal scores in key order. Scores are between 0 and 1 and comparable within one list only. */
  rerank(candidates: readonly RerankCandidate[], context: RerankContext): readonly RankedCandidate[] {
    const scale = this.#scaleOf(candidates, context);
    const ranked = candidates.map((candidate) => this.#rank(candidate, context, scale));
    const place = new Map(context.query.explicitKeys.map((key, index) => [key, index]));
    const placeOf = (candidate: RankedCandidate): number => place.get(candidate.resource.key) ?? place.size;
    return ranked.sort(
      (left, right) =>
        Number(left.violates) - Number(right.violates) ||
        placeOf(left) - placeOf(right) ||
        right.score - left.score ||
        (left.resource.key < right.resource.key ? -1 : 1),
    );
  }

  #scaleOf(candidates: readonly RerankCandidate[], { query }: RerankContext): Scale {
    const weights = this.#weights;
    const bestText = Math.max(...candidates.map(({ evidence }) => textScore(evidence, this.#text)));
    const attainable =
      weights.fusion +
      (query.terms.length > 0 ? weights.text * bestText + weights.coverage + weights.name : 0) +
      (query.intents.length > 0 ? weights.intent : 0) +
      (query.entities.length > 0 ? weights.entity : 0) +
      (query.symptoms.length > 0 ? weights.symptom : 0) +
      (query.constraints.includes(FOLLOW_UP) ? weights.followUp : 0) +
      (query.scope === undefined ? 0 : weights.scope);
    return {
      goal: this.#knowledge.usage.goalOf(query),
      bestFusion: Math.max(Number.MIN_VALUE, ...candidates.map((candidate) => candidate.fusionScore)),
      attainable,
    };
  }

  #rank({ report, ...candidate }: RerankCandidate, context: RerankContext, scale: Scale): RankedCandidate {
    const { query } = context;
    const { resource } = candidate;
    const profile = this.#knowledge.index.profile(resource);
    const matches: Matches = {
      intents: query.intents.filter((intent) => profile.intents.includes(intent)),
      entities: query.entities.flatMap((entity) => profile.entities.get(entity) ?? []),
      symptoms: [...new Set(query.symptoms.flatMap((symptom) => profile.symptoms.get(symptom) ?? []))],
    };
    const violates = this.#violates(resource, profile, scale.goal);
    const isBeside = isVagueRequest(query) && query.entities.length > 0 && matches.entities.length === 0;
    const positive =
      (this.#matchScore(candidate, profile, scale, context) + this.#contextScore(candidate, context, scale)) *
      // Who says only what it is about can be answered by that alone.
      (isBeside ? this.#weights.besideTopicShare : 1);
    const negative =
      this.#riskPenalty(resource, query) +
      this.#repetitionPenalty(profile, query) +
      (report.availability === 'available' ? 0 : this.#weights.unavailable);
    const score = Math.min(
      1,
      Math.max(0, (positive - negative - (violates ? this.#weights.violation : 0)) / scale.attainable),
    );
    return {
      ...candidate,
      score: query.explicitKeys.includes(resource.key) && !violates ? 1 : score,
      matchedIntents: matches.intents,
      matchedEntities: matches.entities,
      matchedSymptoms: matches.symptoms,
      violates,
      availability: report.availability,
      why: whyLine(candidate, matches, context, violates),
    };
  }

  #matchScore(candidate: FusedCandidate, profile: ResourceProfile, scale: Scale, context: RerankContext): number {
    const weights = this.#weights;
    const { query } = context;
    const share = (found: number, all: number): number => (all === 0 ? 0 : found / all);
    const symptoms = query.symptoms.filter((symptom) => profile.symptoms.has(symptom)).length;
    const entities = query.entities.filter((entity) => profile.entities.has(entity)).length;
    const covered = this.#knowledge.coverage.share(query.concepts, profile.words, context.unknownWeight);
    return (
      weights.fusion * (candidate.fusionScore / scale.bestFusion) +
      weights.text * textScore(candidate.evidence, this.#text) +
      weights.coverage * covered +
      weights.name * this.#knowledge.names.share(candidate.resource, query) ** weights.nameExponent +
      this.#intentScore(profile, query) * (profile.declaresIntents ? 1 : weights.guessedIntentShare) +
      weights.entity * Math.min(1, share(entities, Math.min(query.entities.length, ENTITIES_FOR_FULL_MATCH))) +
      weights.symptom * Math.min(1, symptoms)
    );
  }

  #intentScore(profile: ResourceProfile, query: ParsedQuery): number {
    const [wanted, ...later] = query.intents;
    if (wanted === undefined) return 0;
    const primary = profile.intents[0];
    if (primary === wanted) return this.#weights.intent;
    if (profile.intents.includes(wanted)) return this.#weights.intent * 0.85;
    if (primary !== undefined && later.includes(primary)) return this.#weights.intent * 0.4;
    const { intents } = this.#knowledge;
    if (profile.intents.some((own) => intents.isNear(own, wanted)))
      return this.#weights.intent * this.#weights.nearIntentShare;
    return profile.intents.some((own) => intents.areRelated(own, wanted)) ? this.#weights.relatedIntent : 0;
  }

  #contextScore({ resource }: FusedCandidate, context: RerankContext, scale: Scale): number {
    const { query } = context;
    const weights = this.#weights;
    return (
      weights.whenToUse * this.#knowledge.usage.fit(resource, scale.goal) +
      (query.scope !== undefined && resource.id.startsWith(`${query.scope}.`) ? weights.scope : 0) +
      trailScore(resource, query, { ...context, weights }) +
      this.#kindScore(resource, query)
    );
  }

  /** A recipe explains and does nothing: wanted by who asks for a guide, in the way of who asks for a fact. */
  #kindScore({ type }: Resource, query: ParsedQuery): number {
    const weights = this.#weights;
    if (type === 'action') return 0;
    if (type === 'pack') return isVagueGoal(query) ? weights.packForVagueGoal : weights.pack;
    if (asksForGuide(query)) return weights.recipeForGuide;
    if (query.constraints.includes('how_to')) return weights.recipeForHowTo;
    if (query.isExplicitWrite) return weights.recipeForDeed;
    const asksForFact = query.constraints.includes('question') && query.intents[0] !== 'diagnose';
    return asksForFact ? weights.recipeForQuestion : weights.recipe;
  }

  /** What is told as done is not asked for once more: "I updated it, and now it crashes". */
  #repetitionPenalty({ intents: [own = ''] }: ResourceProfile, { constraints }: ParsedQuery): number {
    return constraints.includes(`done_${own}`) ? this.#weights.alreadyDone : 0;
  }

  #riskPenalty(resource: Resource, query: ParsedQuery): number {
    if (resource.type !== 'action') return 0;
    const { side_effect: effect, risk_level: risk, reversible } = resource.definition;
    const irreversible = effect !== 'R' && reversible !== true ? this.#weights.irreversible : 0;
    const penalty = this.#weights.sideEffect[effect] + this.#weights.riskLevel[risk] + irreversible;
    if (query.isExplicitWrite) return penalty * this.#weights.riskShareForExplicitWrite;
    if (isUnspecifiedDeed(query)) return penalty * this.#weights.riskShareForUnspecified;
    return penalty + (effect !== 'R' && asksToRead(query) ? this.#weights.writeForReader : 0);
  }

  /** A read can't break a prohibition to write, and a pack does nothing itself. */
  #violates(resource: Resource, profile: ResourceProfile, goal: UsageGoal): boolean {
    const { query } = goal;
    if (query.excludedKeys.includes(resource.key)) return true;
    // Who names a resource has chosen it, whatever it advises.
    if (query.explicitKeys.includes(resource.key)) return false;
    const isRead = resource.type !== 'action' || resource.definition.side_effect === 'R';
    const isForbidden = query.forbiddenIntents.some((intent) =>
      isRead ? profile.intents[0] === intent : profile.intents.includes(intent),
    );
    if (resource.type === 'pack') return false;
    const leastShare = this.#weights.negativeUsageShare;
    return isForbidden || (leastShare <= 1 && this.#knowledge.usage.rulesOut(resource, goal, leastShare));
  }
}

function whyLine(
  candidate: FusedCandidate,
  matches: Matches,
  { query, trail }: RerankContext,
  violates: boolean,
): string {
  const { key } = candidate.resource;
  if (violates) return 'related, but ruled out by your limits or its own';
  if (query.explicitKeys.includes(key)) return 'named in the query';
  if (trail.recommended.includes(key)) return 'recommended by the last run';
  if (trail.verifying.includes(key)) return 'verifies the last run';
  if (query.isBrowseRequest) return query.scope === undefined ? 'top level' : `in ${query.scope}`;
  const parts = [...matches.symptoms.slice(0, 1), ...matches.intents.slice(0, 1), ...matches.entities.slice(0, 2)];
  if (parts.length > 0) return `matches ${parts.join(', ')}`;
  const fields = candidate.evidence.find((evidence) => evidence.source === 'lexical')?.matchedFields ?? [];
  if (fields.length > 0) return `words in ${fields.slice(0, 2).join(', ')}`;
  return candidate.evidence.some(({ source }) => source === 'history') ? 'often used here' : 'same area';
}

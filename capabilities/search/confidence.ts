import type { ParsedQuery, RankedCandidate, Resolution } from '../models';
import table from './confidence-table.json';
import { isEmptyGoal, isVagueGoal } from './goal-clarity';

/** Thresholds of the verdict, produced by calibration. */
export interface ConfidenceTable {
  readonly version: number;
  /** How the figures came about. */
  readonly source: string;
  /** Weight of query words that no resource holds, against the rarest word. */
  readonly unknown_term_weight: number;
  /** Below this coverage of the query's words nothing registered does it … */
  readonly none_below_coverage: number;
  /** … unless at least so many of its words are covered … */
  readonly none_below_concepts: number;
  /** … with at least this share together … */
  readonly none_below_coverage_of_several: number;
  /** … or below this one, when an intent and an entity, or a symptom, match. */
  readonly none_below_facet_coverage: number;
  readonly confident_coverage: number;
  /** Matched kinds (intent, entity, symptom) that make up for low coverage. */
  readonly confident_facets: number;
  readonly confident_score: number;
  /** Least distance between the first and the second score. */
  readonly confident_gap: number;
  /** Retrievers that must have placed the first among their best three, where so many ran. */
  readonly confident_agreement: number;
  /** The search in a row, without a describe or a run between, that gets the advice to stop. */
  readonly searches_before_advice: number;
}

/** The table in use. */
export const CONFIDENCE_TABLE: ConfidenceTable = table;

/** What the verdict is taken from. */
export interface ConfidenceEvidence {
  readonly query: ParsedQuery;
  /** Best first; named resources are in it even when they are the only ones. */
  readonly ranked: readonly RankedCandidate[];
  /** Share of the query's words that the first candidate covers, rare words counting more. */
  readonly coverage: number;
  /** How many of the query's words those are. */
  readonly coveredConcepts: number;
  /** Retrievers that answered. */
  readonly retrievers: number;
}

const TOP_RANKS = 3;

function facetsOf(candidate: RankedCandidate): number {
  const facets = [candidate.matchedIntents, candidate.matchedEntities, candidate.matchedSymptoms];
  return facets.filter((matched) => matched.length > 0).length;
}

function isNothing(first: RankedCandidate, evidence: ConfidenceEvidence, limits: ConfidenceTable): boolean {
  const { query, coverage, coveredConcepts } = evidence;
  if (isEmptyGoal(query)) return true;
  const hasFacets = facetsOf(first) >= limits.confident_facets || first.matchedSymptoms.length > 0;
  if (hasFacets) return coverage < limits.none_below_facet_coverage;
  const isSeveral = coveredConcepts >= limits.none_below_concepts;
  return coverage < (isSeveral ? limits.none_below_coverage_of_several : limits.none_below_coverage);
}

function isClear(first: RankedCandidate, evidence: ConfidenceEvidence, limits: ConfidenceTable): boolean {
  const second = evidence.ranked.find((candidate) => candidate !== first && !candidate.violates);
  const gap = second === undefined ? 1 : first.score - second.score;
  const agreement = first.evidence.filter(({ source, rank }) => source !== 'history' && rank <= TOP_RANKS).length;
  const isMeant = evidence.coverage >= limits.confident_coverage || facetsOf(first) >= limits.confident_facets;
  return (
    isMeant &&
    first.score >= limits.confident_score &&
    gap >= limits.confident_gap &&
    agreement >= Math.min(limits.confident_agreement, evidence.retrievers)
  );
}

/** The verdict over a ranked list (§19). Pure. */
export function judgeConfidence(evidence: ConfidenceEvidence, limits: ConfidenceTable = CONFIDENCE_TABLE): Resolution {
  const { query, ranked } = evidence;
  const first = ranked[0];
  if (first === undefined) return 'no_confident_match';
  if (first.violates) return 'no_confident_match';
  if (query.isBrowseRequest && (query.scope !== undefined || query.terms.length === 0)) return 'confident';
  const named = ranked.filter((candidate) => query.explicitKeys.includes(candidate.resource.key));
  if (named.length > 0) return sharesOneName(named) ? 'ambiguous' : 'confident';
  if (isNothing(first, evidence, limits)) return 'no_confident_match';
  if (isVagueGoal(query) && (first.resource.type === 'pack' || query.entities.length === 0)) {
    return evidence.coverage >= limits.confident_coverage &&
      first.resource.type !== 'pack' &&
      isClear(first, evidence, limits)
      ? 'confident'
      : 'ambiguous';
  }
  return isClear(first, evidence, limits) ? 'confident' : 'ambiguous';
}

/** Several resources of the same last name were named at once: the query did not say which. */
function sharesOneName(named: readonly RankedCandidate[]): boolean {
  const names = new Set(named.map(({ resource }) => resource.id.slice(resource.id.lastIndexOf('.') + 1)));
  return named.length > 1 && names.size === 1;
}

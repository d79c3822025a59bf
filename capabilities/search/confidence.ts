import type { ParsedQuery, RankedCandidate, Resolution } from '../models';
import { CONFIDENCE_FEATURES } from './confidence-features';
import type { ConfidenceFeature, ConfidenceFeatures } from './confidence-features';
import table from './confidence-table.json';
import { isEmptyGoal, isVagueGoal, isVagueRequest } from './goal-clarity';

/** A logistic model: the chance is 1 / (1 + exp(−(bias + Σ weight × feature))). */
export interface LogisticModel {
  readonly bias: number;
  readonly weights: Readonly<Record<ConfidenceFeature, number>>;
}

/** What the verdict is decided by, produced by `capability eval --calibrate`. */
export interface ConfidenceTable {
  readonly version: number;
  /** How the figures came about. */
  readonly source: string;
  /** Weight of query words that no resource holds, against the rarest word. */
  readonly unknown_term_weight: number;
  /** The search in a row, without a describe or a run between, that gets the advice to stop. */
  readonly searches_before_advice: number;
  /** Chance that anything registered serves the goal. */
  readonly serves: LogisticModel;
  /** Chance that the first candidate is right. */
  readonly right: LogisticModel;
  /**
   * Below this chance of being served the verdict is `no_confident_match`. A first candidate whose author declared nothing but a title and a
   * summary has a limit of its own: there, that nothing declared fits the goal says little.
   */
  readonly none_below: { readonly authored: number; readonly plain: number };
  /** From this chance of being right the verdict is `confident`. */
  readonly confident_from: number;
}

/** The table in use. */
export const CONFIDENCE_TABLE: ConfidenceTable = table;

/** What the verdict is taken from. */
export interface ConfidenceEvidence {
  readonly query: ParsedQuery;
  /** Best first; named resources are in it even when they are the only ones. */
  readonly ranked: readonly RankedCandidate[];
  readonly features: ConfidenceFeatures;
}

/** The chance that a model gives to features, 0 to 1. */
export function chanceOf({ bias, weights }: LogisticModel, features: ConfidenceFeatures): number {
  const sum = CONFIDENCE_FEATURES.reduce((total, name) => total + weights[name] * features[name], bias);
  return 1 / (1 + Math.exp(-sum));
}

/** A verdict that follows from what was asked, whatever the chances: undefined when the chances decide. */
export function settledVerdict({ query, ranked, features }: ConfidenceEvidence): Resolution | undefined {
  const first = ranked[0];
  if (first === undefined || first.violates) return 'no_confident_match';
  if (query.isBrowseRequest && (query.scope !== undefined || query.terms.length === 0)) return 'confident';
  const named = ranked.filter((candidate) => query.explicitKeys.includes(candidate.resource.key));
  if (named.length > 0) {
    const namesOnlyPacks = named.every(({ resource }) => resource.type === 'pack');
    return sharesOneName(named) || (namesOnlyPacks && isVagueRequest(query)) ? 'ambiguous' : 'confident';
  }
  // "Do the usual" means what is usually done; who asks must still be asked.
  if (isVagueGoal(query) && first.evidence.some(({ source }) => source === 'history')) return 'ambiguous';
  if (isEmptyGoal(query)) return 'no_confident_match';
  if (!isVagueGoal(query) || features.coverage === 0) return undefined;
  // "Something is wrong with npm" is about what it names, and any single thing there would be a guess.
  return first.resource.type === 'pack' || first.matchedEntities.length > 0 ? 'ambiguous' : undefined;
}

/** The verdict over a ranked list (§19). Pure. */
export function judgeConfidence(evidence: ConfidenceEvidence, limits: ConfidenceTable = CONFIDENCE_TABLE): Resolution {
  const { query, features } = evidence;
  const settled = settledVerdict(evidence);
  if (settled !== undefined) return settled;
  if (chanceOf(limits.serves, features) < noneBelow(limits, features)) return 'no_confident_match';
  const isOpen = isVagueGoal(query) && features.coverage === 0;
  return !isOpen && chanceOf(limits.right, features) >= limits.confident_from ? 'confident' : 'ambiguous';
}

/** The limit that holds for the first candidate. */
export function noneBelow(
  { none_below: limits }: ConfidenceTable,
  features: Pick<ConfidenceFeatures, 'plain'>,
): number {
  return features.plain === 1 ? limits.plain : limits.authored;
}

/** Several resources of the same last name were named at once: the query did not say which. */
function sharesOneName(named: readonly RankedCandidate[]): boolean {
  const names = new Set(named.map(({ resource }) => resource.id.slice(resource.id.lastIndexOf('.') + 1)));
  return named.length > 1 && names.size === 1;
}

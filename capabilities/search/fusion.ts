import type { FusedCandidate, GatheredCandidate } from '../models';
import type { SearchWeights } from './search-weights';

/**
 * Weighted reciprocal rank fusion (§15; Cormack, Clarke and Büttcher 2009): the sum of weight / (k + rank) over the retrievers that
 * found it. Best first, equal scores in key order.
 */
export function fuseCandidates<T extends GatheredCandidate>(
  candidates: readonly T[],
  { k, sources }: SearchWeights['fusion'],
): readonly (T & FusedCandidate)[] {
  return candidates
    .map((candidate) => ({
      ...candidate,
      fusionScore: candidate.evidence.reduce((sum, { source, rank }) => sum + sources[source] / (k + rank), 0),
    }))
    .sort((left, right) => right.fusionScore - left.fusionScore || (left.resource.key < right.resource.key ? -1 : 1));
}

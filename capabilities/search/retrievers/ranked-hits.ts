import type { RetrievalHit } from '../../models';

/** A key with the strength of its evidence. */
export interface ScoredKey {
  readonly key: string;
  readonly score: number;
  readonly matchedFields: readonly string[];
  readonly similarity?: number;
}

/**
 * Orders by score, then key, and cuts at `limit`. Equal scores share a rank: where a retriever sees no difference,
 * fusion must not see one either.
 */
export function rankHits(scored: readonly ScoredKey[], limit: number): readonly RetrievalHit[] {
  const sorted = [...scored].sort((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1));
  let rank = 0;
  let previous: number | undefined;
  return sorted.slice(0, limit).map((hit, index) => {
    if (hit.score !== previous) rank = index + 1;
    previous = hit.score;
    return { ...hit, rank };
  });
}

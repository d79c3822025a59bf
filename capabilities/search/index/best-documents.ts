/** A document with its score. */
export interface ScoredDocument {
  readonly document: number;
  readonly score: number;
}

/**
 * The at most `limit` best documents with a score above 0 that are admitted, best first, equal scores by number. Asks `admits` only for
 * documents that would make the list.
 */
export function bestDocuments(
  scores: Float64Array,
  limit: number,
  admits: (document: number) => boolean,
): readonly ScoredDocument[] {
  const best: ScoredDocument[] = [];
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    const last = best.length < limit ? 0 : (best.at(-1)?.score ?? 0);
    if (score <= last || !admits(document)) continue;
    if (best.length === limit) best.pop();
    best.splice(placeFor(best, score), 0, { document, score });
  }
  return best;
}

/** Behind every score that is at least as high. */
function placeFor(best: readonly ScoredDocument[], score: number): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((best[middle]?.score ?? 0) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

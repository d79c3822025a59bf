/** A document with its score. */
export interface ScoredDocument {
  readonly document: number;
  readonly score: number;
}

/**
 * The at most `limit` best documents with a score above 0 that are admitted, best first, equal scores as `isBefore` says: by number
 * unless given. Asks `admits` only for documents that would make the list.
 */
export function bestDocuments(
  scores: Float64Array,
  limit: number,
  admits: (document: number) => boolean,
  isBefore: (document: number, other: number) => boolean = (document, other) => document < other,
): readonly ScoredDocument[] {
  const best: ScoredDocument[] = [];
  const isBetter = (score: number, document: number, other: ScoredDocument): boolean =>
    score > other.score || (score === other.score && isBefore(document, other.document));
  let least = 0;
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score <= 0 || score < least) continue;
    const last = best.length < limit ? undefined : best.at(-1);
    if ((last && !isBetter(score, document, last)) || !admits(document)) continue;
    if (last) best.pop();
    best.splice(
      placeFor(best, (other) => isBetter(score, document, other)),
      0,
      { document, score },
    );
    if (best.length === limit) least = best.at(-1)?.score ?? 0;
  }
  return best;
}

/** The first place whose document is beaten. */
function placeFor(best: readonly ScoredDocument[], beats: (other: ScoredDocument) => boolean): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other && !beats(other)) low = middle + 1;
    else high = middle;
  }
  return low;
}

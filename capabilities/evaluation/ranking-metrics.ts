/** How good one ranking is, each between 0 and 1. Relevance is binary. */
export interface RankingQuality {
  /** 1 when the first is relevant. */
  readonly top1: number;
  /** Share of the relevant that stand among the first 1, 5 and 10. */
  readonly r1: number;
  readonly r5: number;
  readonly r10: number;
  /** Normalised discounted cumulative gain of the first 10 (Järvelin and Kekäläinen 2002). */
  readonly ndcg10: number;
  /** One divided by the position of the first relevant, looked for among the first 100. */
  readonly mrr: number;
  /** 1 when every relevant one is among the first 10. */
  readonly comp10: number;
}

/** The measures, in the order they are shown. */
export const QUALITY_MEASURES = ['top1', 'r1', 'r5', 'r10', 'ndcg10', 'mrr', 'comp10'] as const;

const DEEPEST = 100;
const PAGE = 10;

/** Measures a ranking, best first, against what is relevant. Repeated entries count at their first place only. */
export function rateRanking(ranking: readonly string[], relevant: readonly string[]): RankingQuality {
  const wanted = new Set(relevant);
  const places = [...new Set(ranking)].slice(0, DEEPEST).flatMap((id, index) => (wanted.has(id) ? [index] : []));
  const recall = (depth: number): number => places.filter((place) => place < depth).length / Math.max(1, wanted.size);
  return {
    top1: places[0] === 0 ? 1 : 0,
    r1: recall(1),
    r5: recall(5),
    r10: recall(PAGE),
    ndcg10: gainOf(places) / gainOf(Array.from({ length: Math.min(PAGE, wanted.size) }, (_, index) => index)),
    mrr: places[0] === undefined ? 0 : 1 / (places[0] + 1),
    comp10: recall(PAGE) === 1 ? 1 : 0,
  };
}

function gainOf(places: readonly number[]): number {
  return places.filter((place) => place < PAGE).reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
}

/** Mean of each measure. `ratings` must not be empty. */
export function meanQuality(ratings: readonly RankingQuality[]): RankingQuality {
  const mean = (measure: keyof RankingQuality): number =>
    ratings.reduce((sum, rating) => sum + rating[measure], 0) / ratings.length;
  return {
    top1: mean('top1'),
    r1: mean('r1'),
    r5: mean('r5'),
    r10: mean('r10'),
    ndcg10: mean('ndcg10'),
    mrr: mean('mrr'),
    comp10: mean('comp10'),
  };
}

/** The value below which a share of the values lies, by the nearest rank; 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

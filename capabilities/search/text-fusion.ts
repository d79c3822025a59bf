import type { CandidateEvidence, RetrievalHit, RetrieverName } from '../models';
import type { SearchWeights } from './search-weights';

type TextSource = 'lexical' | 'semantic';

const TEXT_SOURCES: readonly TextSource[] = ['lexical', 'semantic'];

/**
 * How well the text of a candidate answers the query: its lexical score plus a share of its semantic one, both relative to the best of
 * their list. A weak semantic ranking helps as a score and harms as a rank: scores say how far behind the best something is.
 */
export function textScore(
  evidence: readonly Pick<CandidateEvidence, 'source' | 'rawScore'>[],
  { semantic }: SearchWeights['text'],
): number {
  const scoreOf = (source: TextSource): number => evidence.find((found) => found.source === source)?.rawScore ?? 0;
  return scoreOf('lexical') + semantic * scoreOf('semantic');
}

/**
 * Cuts the two text retrievers' long lists down to the candidates that are best by both together (§11: the best 20), so that what one of
 * them places well is judged with the evidence of the other. The lists of other retrievers are left as they are.
 */
export function keepBestText(
  hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>,
  weights: SearchWeights['text'],
): ReadonlyMap<RetrieverName, readonly RetrievalHit[]> {
  const scores = new Map<string, number>();
  for (const source of TEXT_SOURCES) {
    for (const { key, score } of hits.get(source) ?? []) {
      const added = textScore([{ source, rawScore: score }], weights);
      scores.set(key, (scores.get(key) ?? 0) + added);
    }
  }
  const best = [...scores].sort(([key, score], [otherKey, other]) => other - score || (key < otherKey ? -1 : 1));
  const kept = new Set(best.slice(0, weights.kept).map(([key]) => key));
  const isText = (source: RetrieverName): boolean => TEXT_SOURCES.some((other) => other === source);
  return new Map(
    Array.from(hits, ([source, list]) => [source, isText(source) ? list.filter(({ key }) => kept.has(key)) : list]),
  );
}

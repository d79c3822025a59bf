import type { CandidateEvidence, GatheredCandidate, RegistryView, RetrievalHit, RetrieverName } from '../models';

function bestRank(candidate: GatheredCandidate): number {
  return Math.min(...candidate.evidence.map((evidence) => evidence.rank));
}

/** Named resources are never cut, then those that more retrievers agree on, then the better placed. */
function compareForCut(left: GatheredCandidate, right: GatheredCandidate): number {
  const isNamed = (candidate: GatheredCandidate): number =>
    candidate.evidence.some((evidence) => evidence.source === 'exact') ? 0 : 1;
  return (
    isNamed(left) - isNamed(right) ||
    right.evidence.length - left.evidence.length ||
    bestRank(left) - bestRank(right) ||
    (left.resource.key < right.resource.key ? -1 : 1)
  );
}

/**
 * Merges the retrievers' lists (§13): one candidate per resource with all its evidence, hits without a resource dropped, at most `cap`
 * kept. `total` counts the distinct candidates before the cut.
 */
export function gatherCandidates(
  hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>,
  registry: RegistryView,
  cap: number,
): { readonly candidates: readonly GatheredCandidate[]; readonly total: number } {
  const evidence = new Map<string, CandidateEvidence[]>();
  for (const [source, list] of hits) {
    for (const hit of list) {
      const known = evidence.get(hit.key) ?? [];
      if (known.some((other) => other.source === source)) continue;
      const { rank, score, matchedFields, similarity } = hit;
      known.push({ source, rank, rawScore: score, matchedFields, ...(similarity === undefined ? {} : { similarity }) });
      evidence.set(hit.key, known);
    }
  }
  const candidates = [...evidence].flatMap(([key, found]) => {
    const resource = registry.get(key);
    return resource === undefined ? [] : [{ resource, evidence: found }];
  });
  return { candidates: candidates.sort(compareForCut).slice(0, cap), total: candidates.length };
}

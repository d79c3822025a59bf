import type { ActionDefinition, RankedCandidate, Resource, RetrievalHit, RetrieverName } from '../../models';

/** Hits of one search, divided by what history may do. */
export interface SplitHits {
  /** To be gathered and fused: history's own only where it may bring something. */
  readonly gathered: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>;
  /** What history says of the rest, by key: for breaking ties. */
  readonly recalled: ReadonlyMap<string, RetrievalHit>;
}

/**
 * Keeps history out of gathering and fusion, where its evidence could win a place from a better match. It brings resources
 * of its own only for a goal that says nothing (`mayBring`), and only those that nothing else has found.
 */
export function splitHistory(hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>, mayBring: boolean): SplitHits {
  const own = hits.get('history') ?? [];
  const others = new Map([...hits].filter(([source]) => source !== 'history'));
  const foundElsewhere = new Set([...others.values()].flatMap((list) => list.map(({ key }) => key)));
  const brought = mayBring ? own.filter(({ key }) => !foundElsewhere.has(key)) : [];
  return {
    gathered: brought.length === 0 ? others : new Map([...others, ['history', brought]]),
    recalled: new Map(own.filter(({ key }) => foundElsewhere.has(key)).map((hit) => [hit.key, hit])),
  };
}

const EFFECTS: readonly ActionDefinition['side_effect'][] = ['R', 'W-local', 'W-shared', 'I'];
const RISKS: readonly ActionDefinition['risk_level'][] = ['low', 'medium', 'high', 'critical'];

/**
 * Lets past use decide between candidates that are nearly equal: one with a better history goes before one that scores at most `nearTie`
 * more. It never passes one that was named, that carries less risk of any kind, that matches more of the goal's intents, entities and
 * symptoms, or that can be used where it can't itself.
 */
export function breakNearTies(
  ranked: readonly RankedCandidate[],
  recalled: ReadonlyMap<string, RetrievalHit>,
  { nearTie, named }: { readonly nearTie: number; readonly named: ReadonlySet<string> },
): readonly RankedCandidate[] {
  const order: RankedCandidate[] = [];
  for (const candidate of ranked) {
    const hit = recalled.get(candidate.resource.key);
    let place = order.length;
    while (hit !== undefined && place > 0) {
      const above = order[place - 1];
      const isBetterUsed = above !== undefined && usedScore(recalled.get(above.resource.key)) < usedScore(hit);
      if (!isBetterUsed || named.has(above.resource.key) || !isAsGood(candidate, above, nearTie)) break;
      place -= 1;
    }
    order.splice(place, 0, hit === undefined ? candidate : withHistory(candidate, hit));
  }
  return order;
}

function isAsGood(candidate: RankedCandidate, above: RankedCandidate, nearTie: number): boolean {
  return (
    above.score - candidate.score <= nearTie &&
    candidate.violates === above.violates &&
    (candidate.availability === 'available' || candidate.availability === above.availability) &&
    candidate.matchedIntents.length >= above.matchedIntents.length &&
    candidate.matchedEntities.length >= above.matchedEntities.length &&
    candidate.matchedSymptoms.length >= above.matchedSymptoms.length &&
    isNoRiskier(candidate.resource, above.resource)
  );
}

function isNoRiskier(one: Resource, other: Resource): boolean {
  const [own, others] = [risksOf(one), risksOf(other)];
  return own.every((risk, index) => risk <= (others[index] ?? 0));
}

/** Effect, risk level, whether it can't be undone; nothing for what does not run. */
function risksOf(resource: Resource): readonly number[] {
  if (resource.type !== 'action') return [0, 0, 0];
  const { side_effect: effect, risk_level: risk, reversible } = resource.definition;
  return [EFFECTS.indexOf(effect), RISKS.indexOf(risk), effect !== 'R' && reversible !== true ? 1 : 0];
}

function usedScore(hit: RetrievalHit | undefined): number {
  return hit?.score ?? 0;
}

function withHistory(candidate: RankedCandidate, { rank, score, matchedFields }: RetrievalHit): RankedCandidate {
  const evidence = [...candidate.evidence, { source: 'history' as const, rank, rawScore: score, matchedFields }];
  return { ...candidate, evidence };
}

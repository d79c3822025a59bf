import type { ParsedQuery, RankedCandidate } from '../models';
import { isVagueGoal } from './goal-clarity';
import type { SearchWeights } from './search-weights';

/** What a page is made under. */
export interface PageRules {
  readonly query: ParsedQuery;
  readonly limit: number;
  /** First canonical intent of a resource. */
  readonly primaryIntentOf: (candidate: RankedCandidate) => string | undefined;
  /** The pack above, ready to stand in for its leaves; undefined when it may not be shown. */
  readonly packOf: (candidate: RankedCandidate) => RankedCandidate | undefined;
  /** The packs right below a pack that may be shown. */
  readonly packsIn: (candidate: RankedCandidate) => readonly RankedCandidate[];
}

const INNER_PACK_SHARE = 0.95;

const isReadOnly = ({ resource }: RankedCandidate): boolean =>
  resource.type === 'action' && resource.definition.side_effect === 'R';

function isHighRisk({ resource }: RankedCandidate): boolean {
  if (resource.type !== 'action') return false;
  const { risk_level: risk, side_effect: effect } = resource.definition;
  return risk === 'high' || risk === 'critical' || effect === 'I';
}

/** Matches on a page when the caller does not say. */
const USUAL_PAGE = 5;

/** Makes the page varied (§18): caps per parent and intent, a read-only choice for unclear goals, never only high risk, packs for near ties. */
export class Diversifier {
  readonly #weights: SearchWeights['diversity'];

  constructor(weights: SearchWeights['diversity']) {
    this.#weights = weights;
  }

  /** At most `limit` candidates, in the order given. Named resources, packs and browse results are exempt from the caps. */
  select(ranked: readonly RankedCandidate[], rules: PageRules): readonly RankedCandidate[] {
    const { query, limit } = rules;
    if (query.isBrowseRequest) return ranked.slice(0, limit);
    const near = this.#withoutFarBehind(ranked);
    const pool = isVagueGoal(query) ? spreadPack(this.#collapse(near, rules), rules) : near;
    const page = this.#capped(pool, rules);
    if (query.isExplicitWrite || query.explicitKeys.length > 0) return page;
    const withRead = query.intents.length === 0 ? makeRoomFor(page, pool, { limit, isWanted: isReadOnly }) : page;
    return makeRoomFor(withRead, pool, { limit, isWanted: (candidate) => !isHighRisk(candidate) });
  }

  /** What scores a fraction of the best only fills the page. */
  #withoutFarBehind(ranked: readonly RankedCandidate[]): readonly RankedCandidate[] {
    const least = (ranked[0]?.score ?? 0) * this.#weights.leastShare;
    return ranked.filter((candidate, index) => index === 0 || candidate.score >= least);
  }

  #capped(pool: readonly RankedCandidate[], { query, limit, primaryIntentOf }: PageRules): readonly RankedCandidate[] {
    const page: RankedCandidate[] = [];
    // The caps are meant for a page of the usual length; a longer one takes more of each in proportion.
    const pages = Math.max(1, limit / USUAL_PAGE);
    const perParent = new Map<string, number>();
    const perIntent = new Map<string, number>();
    for (const candidate of pool) {
      if (page.length >= limit) break;
      const { resource } = candidate;
      const isExempt = resource.type === 'pack' || query.explicitKeys.includes(resource.key);
      const parent = `${resource.scope.name}:${resource.parentId ?? ''}`;
      const isWithinScope = query.scopeIsHard && resource.parentId === query.scope;
      // A recipe explains how; beside an action of the same intent it is no repetition.
      const intent = `${resource.type}:${primaryIntentOf(candidate) ?? resource.key}`;
      const parentCount = perParent.get(parent) ?? 0;
      const intentCount = perIntent.get(intent) ?? 0;
      const isParentFull =
        resource.parentId !== undefined && !isWithinScope && parentCount >= this.#weights.perParent * pages;
      if (!isExempt && (isParentFull || intentCount >= this.#weights.perIntent * pages)) continue;
      page.push(candidate);
      if (isExempt) continue;
      perParent.set(parent, parentCount + 1);
      perIntent.set(intent, intentCount + 1);
    }
    return page;
  }

  /** Replaces near-tied leaves of one pack, which an unclear goal can't tell apart, by the pack. */
  #collapse(ranked: readonly RankedCandidate[], { packOf }: PageRules): readonly RankedCandidate[] {
    const best = ranked[0]?.score ?? 0;
    const tied = ranked.filter(
      (candidate) => candidate.resource.type !== 'pack' && candidate.score >= best - this.#weights.nearTie,
    );
    const siblings = new Map<string | undefined, number>();
    for (const { resource } of tied) siblings.set(resource.parentId, (siblings.get(resource.parentId) ?? 0) + 1);
    const seen = new Set<string>();
    return ranked.flatMap((candidate) => {
      const isTied =
        tied.includes(candidate) && (siblings.get(candidate.resource.parentId) ?? 0) >= this.#weights.leavesToCollapse;
      const chosen = isTied ? (packOf(candidate) ?? candidate) : candidate;
      if (seen.has(chosen.resource.key)) return [];
      seen.add(chosen.resource.key);
      return [chosen];
    });
  }
}

/** When an unclear goal fits a pack of packs best, those follow it: they are the choices to ask about. */
function spreadPack(pool: readonly RankedCandidate[], { packsIn }: PageRules): readonly RankedCandidate[] {
  const [first, ...rest] = pool;
  if (first?.resource.type !== 'pack') return pool;
  // Equal choices get equal scores, a little below the pack that holds them.
  const score = first.score * INNER_PACK_SHARE;
  const spread = packsIn(first).map((pack) => ({
    ...(rest.find((candidate) => candidate.resource.key === pack.resource.key) ?? pack),
    score,
  }));
  const keys = new Set(spread.map((pack) => pack.resource.key));
  return [first, ...spread, ...rest.filter((candidate) => !keys.has(candidate.resource.key))];
}

/** Gives the last place to the best candidate of a kind, when the page has none of it and more than one place. */
function makeRoomFor(
  page: readonly RankedCandidate[],
  pool: readonly RankedCandidate[],
  { limit, isWanted }: { readonly limit: number; readonly isWanted: (candidate: RankedCandidate) => boolean },
): readonly RankedCandidate[] {
  if (page.length === 0 || limit === 1 || page.some(isWanted)) return page;
  const wanted = pool.find((candidate) => isWanted(candidate) && !candidate.violates);
  if (wanted === undefined) return page;
  return [...(page.length < limit ? page : page.slice(0, -1)), wanted];
}

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

  /**
   * The best of the pool one by one, none over a cap. A caller who asks for a longer page of a clear goal wants depth as well: there, what
   * is over a cap only counts for less than its score, so that a nearly as good candidate of another kind goes before it.
   */
  #capped(pool: readonly RankedCandidate[], rules: PageRules): readonly RankedCandidate[] {
    const { query, limit } = rules;
    const share = limit <= USUAL_PAGE || isVagueGoal(query) ? 0 : this.#weights.overCapShare;
    const counts = new PageCounts(rules, this.#weights);
    const page: RankedCandidate[] = [];
    const rest = [...pool];
    for (let head = rest[0]; head !== undefined && page.length < limit; [head] = rest) {
      const least = share * head.score;
      const { violates } = head;
      const fits = (candidate: RankedCandidate): boolean =>
        candidate.violates === violates && candidate.score >= least && !counts.isOverCap(candidate);
      const found = rest.findIndex(fits);
      const [chosen] = rest.splice(Math.max(0, found), 1);
      if (chosen === undefined || (found < 0 && share === 0)) continue;
      counts.add(chosen);
      page.push(chosen);
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

/** How many of each parent and intent a page holds so far. */
class PageCounts {
  readonly #rules: PageRules;
  readonly #limits: Readonly<Record<'parent' | 'intent', number>>;
  readonly #counts = new Map<string, number>();

  constructor(rules: PageRules, weights: SearchWeights['diversity']) {
    // The caps are meant for a page of the usual length; a longer one takes more of each in proportion.
    const pages = Math.max(1, rules.limit / USUAL_PAGE);
    this.#rules = rules;
    this.#limits = { parent: weights.perParent * pages, intent: weights.perIntent * pages };
  }

  /** Whether the page has its share of the candidate's parent or intent already. */
  isOverCap(candidate: RankedCandidate): boolean {
    return this.#kinds(candidate).some(({ kind, name }) => (this.#counts.get(name) ?? 0) >= this.#limits[kind]);
  }

  add(candidate: RankedCandidate): void {
    for (const { name } of this.#kinds(candidate)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** What a candidate counts towards; nothing for packs and for what was asked for by name. */
  #kinds(candidate: RankedCandidate): readonly { readonly kind: 'parent' | 'intent'; readonly name: string }[] {
    const { resource } = candidate;
    const { query, primaryIntentOf } = this.#rules;
    if (resource.type === 'pack' || query.explicitKeys.includes(resource.key)) return [];
    // A recipe explains how; beside an action of the same intent it is no repetition.
    const intent = `intent ${resource.type}:${primaryIntentOf(candidate) ?? resource.key}`;
    const isWithinScope = query.scopeIsHard && resource.parentId === query.scope;
    if (resource.parentId === undefined || isWithinScope) return [{ kind: 'intent', name: intent }];
    return [
      { kind: 'intent', name: intent },
      { kind: 'parent', name: `parent ${resource.scope.name}:${resource.parentId}` },
    ];
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

import type { RegistryView, Resource, RetrievalContext, RetrievalHit, Retriever, Scope } from '../../models';
import type { Clock } from '../../ports';
import type { UsageHistory } from '../history/usage-history';
import { commonScores, similarScores } from '../history/usage-scores';
import { rankHits } from './ranked-hits';
import type { ScoredKey } from './ranked-hits';

/** How much being often used here counts at most, against one fresh success with the very same goal. */
const COMMON_SHARE = 0.3;

/**
 * Retrieves by past use (§11.6): what goals like this one led to with success, and, for less, what is often used in this folder. A weak
 * sign: see `splitHistory` and `breakNearTies` for what it may do.
 */
export class HistoryRetriever implements Retriever {
  readonly name = 'history';
  readonly #registry: RegistryView;
  readonly #history: UsageHistory;
  readonly #clock: Clock;
  #scopes: { readonly revision: number; readonly scopes: readonly Scope[] } | undefined;

  constructor(registry: RegistryView, history: UsageHistory, clock: Clock) {
    this.#registry = registry;
    this.#history = history;
    this.#clock = clock;
  }

  async retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    if (!this.#history.isEnabled) return [];
    const found = await Promise.all(this.#scopesNow().map((scope) => this.#usedIn(scope, context)));
    return rankHits(found.flat(), context.limit);
  }

  async #usedIn(scope: Scope, { query, admits }: RetrievalContext): Promise<readonly ScoredKey[]> {
    const events = await this.#history.usesOf(scope.root);
    const now = this.#clock.now();
    const similar = similarScores(events, query.concepts, now);
    const common = commonScores(events, now);
    return [...new Set([...similar.keys(), ...common.keys()])].flatMap((id) => {
      const resource = this.#resourceOf(scope, id);
      if (resource === undefined || !admits(resource)) return [];
      const [alike, often] = [similar.get(id) ?? 0, common.get(id) ?? 0];
      const matchedFields = [...(alike > 0 ? ['similar goal'] : []), ...(often > 0 ? ['often used'] : [])];
      return [{ key: resource.key, score: alike + (COMMON_SHARE * often) / (1 + often), matchedFields }];
    });
  }

  #resourceOf(scope: Scope, id: string): Resource | undefined {
    const resource = this.#registry.get(`${scope.name}:${id}`);
    return resource?.scope.root === scope.root ? resource : undefined;
  }

  /** The registry's scopes that define something. */
  #scopesNow(): readonly Scope[] {
    const { revision } = this.#registry;
    if (this.#scopes?.revision !== revision) {
      const byName = new Map(this.#registry.all().map(({ scope }) => [scope.name, scope]));
      this.#scopes = { revision, scopes: [...byName.values()] };
    }
    return this.#scopes.scopes;
  }
}

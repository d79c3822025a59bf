import type { RegistryView, Resource, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import { rankHits } from './ranked-hits';
import type { ScoredKey } from './ranked-hits';

/**
 * Retrieves by place in the tree: the children of a browsed pack in id order, everything below a pack that a goal is about (nearer first),
 * or the top level when there is no pack.
 */
export class HierarchyRetriever implements Retriever {
  readonly name = 'hierarchy';
  readonly #registry: RegistryView;

  constructor(registry: RegistryView) {
    this.#registry = registry;
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    const { scope, isBrowseRequest } = context.query;
    if (scope === undefined || isBrowseRequest) {
      const children = this.#registry.children(scope).filter((resource) => context.admits(resource));
      return Promise.resolve(
        children.slice(0, context.limit).map((resource, index) => ({
          key: resource.key,
          rank: isBrowseRequest ? index + 1 : 1,
          score: undefined,
          matchedFields: [scope === undefined ? 'top level' : 'parent'],
        })),
      );
    }
    return Promise.resolve(rankHits(this.#below(scope, context), context.limit));
  }

  #below(scope: string, context: RetrievalContext): readonly ScoredKey[] {
    const found: ScoredKey[] = [];
    const visit = (children: readonly Resource[], depth: number): void => {
      for (const child of children) {
        if (context.admits(child)) found.push({ key: child.key, score: 1 / depth, matchedFields: ['parent'] });
        if (child.type === 'pack') visit(this.#registry.children(child.id), depth + 1);
      }
    };
    visit(this.#registry.children(scope), 1);
    return found;
  }
}

import type { ChildCounts, PolicyService, RegistryView, Resource, RuntimeContext } from '../models';

/** Walks packs as one caller may see them: what may not be discovered is not there. */
export class PackTree {
  readonly #registry: RegistryView;
  readonly #policy: PolicyService;

  constructor(registry: RegistryView, policy: PolicyService) {
    this.#registry = registry;
    this.#policy = policy;
  }

  /** Everything below a pack (or the top), down to `depth` levels, in key order. */
  below(pack: Resource | undefined, depth: number, context: RuntimeContext): readonly Resource[] {
    const found: Resource[] = [];
    for (const child of this.#registry.children(pack?.id)) {
      if (pack !== undefined && child.scope.name !== pack.scope.name) continue;
      if (this.#policy.may('discover', child, context)) found.push(child);
      // A pack that is out of sight hides nothing that may be seen: each resource has its own permission.
      if (child.type === 'pack' && depth > 1) found.push(...this.below(child, depth - 1, context));
    }
    return found.sort((left, right) => (left.key < right.key ? -1 : 1));
  }

  /** How many visible resources stand anywhere below a pack, by kind. */
  counts(pack: Resource, context: RuntimeContext): ChildCounts {
    const counts: ChildCounts = { pack: 0, action: 0, recipe: 0 };
    for (const resource of this.below(pack, Number.POSITIVE_INFINITY, context)) counts[resource.type] += 1;
    return counts;
  }
}

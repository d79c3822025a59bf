import type { PolicyService, RankedCandidate, RegistryView, Resource, RuntimeContext } from '../models';

/** Turns candidates into the packs above or below them, where an unclear goal is better answered by packs. */
export class PackStandIn {
  readonly #registry: RegistryView;
  readonly #policy: PolicyService;

  constructor(registry: RegistryView, policy: PolicyService) {
    this.#registry = registry;
    this.#policy = policy;
  }

  /** The pack right above, in the candidate's place. */
  above(candidate: RankedCandidate, context: RuntimeContext): RankedCandidate | undefined {
    const pack = this.#registry.ancestors(candidate.resource).at(-1);
    return pack && this.#standIn(candidate, pack, { context, why: 'several things in it fit about equally' });
  }

  /** The packs right below a pack, in its place. */
  below(candidate: RankedCandidate, context: RuntimeContext): readonly RankedCandidate[] {
    const { id, scope } = candidate.resource;
    return this.#registry
      .children(id)
      .filter((child) => child.type === 'pack' && child.scope.name === scope.name)
      .map((pack) => this.#standIn(candidate, pack, { context, why: `part of ${id}` }));
  }

  #standIn(
    candidate: RankedCandidate,
    pack: Resource,
    { context, why }: { readonly context: RuntimeContext; readonly why: string },
  ): RankedCandidate {
    const { availability } = this.#policy.availability(pack, context);
    const matched = { matchedIntents: [], matchedEntities: candidate.matchedEntities, matchedSymptoms: [] };
    return { ...candidate, ...matched, resource: pack, availability, violates: false, why };
  }
}

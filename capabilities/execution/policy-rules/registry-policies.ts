import type { PolicyFile, Resource, Scope } from '../../models';
import { PolicyTier, type PolicySource } from './policy-tiers';

/** Where the policies of the scopes stand. */
export interface ScopePolicies {
  readonly policies: readonly { readonly scope: Scope; readonly policy: PolicyFile | 'broken' }[];
}

/** The user's own policies hold for everything; that of a workspace folder for what it defines, and no other. */
export class RegistryPolicies implements PolicySource {
  readonly #registry: ScopePolicies;
  readonly #tiers = new WeakMap<PolicyFile, PolicyTier>();

  constructor(registry: ScopePolicies) {
    this.#registry = registry;
  }

  tiersFor(resource: Resource): readonly PolicyTier[] {
    const { policies } = this.#registry;
    if (policies.length === 0) return [];
    return policies.flatMap(({ scope, policy }): readonly PolicyTier[] => {
      if (scope.kind === 'user') return [this.#tierOf('user', policy)];
      return scope.name === resource.scope.name ? [this.#tierOf('workspace', policy)] : [];
    });
  }

  #tierOf(origin: PolicyTier['origin'], policy: PolicyFile | 'broken'): PolicyTier {
    if (policy === 'broken') return new PolicyTier(origin, policy);
    const tier = this.#tiers.get(policy) ?? new PolicyTier(origin, policy);
    this.#tiers.set(policy, tier);
    return tier;
  }
}

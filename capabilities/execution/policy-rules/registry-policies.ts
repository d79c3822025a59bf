import type { PolicyFile, Resource, Scope } from '../../models';
import type { PolicySource, PolicyTier } from './policy-tiers';

/** Where the policies of the scopes stand. */
export interface ScopePolicies {
  readonly policies: readonly { readonly scope: Scope; readonly policy: PolicyFile | 'broken' }[];
}

/** The user's own policies hold for everything; that of a workspace folder for what it defines, and no other. */
export class RegistryPolicies implements PolicySource {
  readonly #registry: ScopePolicies;

  constructor(registry: ScopePolicies) {
    this.#registry = registry;
  }

  tiersFor(resource: Resource): readonly PolicyTier[] {
    const { policies } = this.#registry;
    if (policies.length === 0) return [];
    return policies.flatMap(({ scope, policy }): readonly PolicyTier[] => {
      if (scope.kind === 'user') return [{ origin: 'user', rules: policy }];
      return scope.name === resource.scope.name ? [{ origin: 'workspace', rules: policy }] : [];
    });
  }
}

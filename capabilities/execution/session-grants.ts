import { canonicalJson } from '../canonical-json';
import type { FrozenPlan, RuntimeContext } from '../models';
import type { Digest } from '../ports';

/**
 * "Allow this exact call for the session": the same action, contract, arguments, script and session, and nothing else.
 * Kept in memory: a grant ends with the process.
 */
export class SessionGrants {
  readonly #digest: Digest;
  readonly #granted = new Set<string>();

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  /** Only a local change of low or medium risk may be allowed for longer than once. */
  canGrant(plan: FrozenPlan): boolean {
    return plan.sideEffect === 'W-local' && (plan.riskLevel === 'low' || plan.riskLevel === 'medium');
  }

  /** Remembers the person's answer. A plan that may not be granted is not remembered, whatever the host answered. */
  grant(plan: FrozenPlan, context: RuntimeContext): void {
    if (this.canGrant(plan)) this.#granted.add(this.#name(plan, context));
  }

  /** Whether exactly this call was allowed in this session. */
  isGranted(plan: FrozenPlan, context: RuntimeContext): boolean {
    return this.canGrant(plan) && this.#granted.has(this.#name(plan, context));
  }

  #name(plan: FrozenPlan, context: RuntimeContext): string {
    const { key, definitionHash, argumentsHash, planHash } = plan;
    return this.#digest.sha256(canonicalJson([key, definitionHash, argumentsHash, planHash, context.sessionId]));
  }
}

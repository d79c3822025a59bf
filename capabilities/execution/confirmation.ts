import type { FrozenPlan, Problem, RuntimeContext } from '../models';
import type { Confirmer } from '../ports';
import type { Localize } from './confirmation-messages';
import { confirmationText, type ConfirmationText } from './confirmation-text';
import { tokenLifetimeMs, type ConfirmationTokens, type Redemption } from './confirmation-tokens';
import { cancelledBeforeStart, confirmationDeclined, confirmationExpired, confirmationRequired } from './problems';
import type { SessionGrants } from './session-grants';

/** A token that waits for a person. */
export interface ConfirmationTicket extends ConfirmationText {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** May it run? `how` says on what ground, for the audit. */
export type ConfirmationDecision =
  | {
      readonly kind: 'confirmed';
      readonly how: 'not_needed' | 'session_grant' | 'dialog' | 'dialog_for_session' | 'token';
    }
  | { readonly kind: 'ticket'; readonly ticket: ConfirmationTicket }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** One call that asks for leave to run. */
export interface ConfirmationCase {
  readonly plan: FrozenPlan;
  readonly context: RuntimeContext;
  /** What the caller sent as `confirmation_token`. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** Decides whether a plan may run: by its need, a session grant, a token, or the person in the dialog. */
export class ConfirmationService {
  readonly #confirmer: Confirmer;
  readonly #tokens: ConfirmationTokens;
  readonly #grants: SessionGrants;
  readonly #localize: Localize;

  constructor(confirmer: Confirmer, tokens: ConfirmationTokens, grants: SessionGrants, localize: Localize) {
    this.#confirmer = confirmer;
    this.#tokens = tokens;
    this.#grants = grants;
    this.#localize = localize;
  }

  /** Waits for a person when one has to be asked. A token that does not fit refuses the call, it never falls back to less. */
  async decide(request: ConfirmationCase): Promise<ConfirmationDecision> {
    const { plan, context, token } = request;
    if (!plan.requiresConfirmation) return { kind: 'confirmed', how: 'not_needed' };
    if (this.#grants.isGranted(plan, context)) return { kind: 'confirmed', how: 'session_grant' };
    if (token !== undefined) return decideByToken(plan, await this.#tokens.redeem(token, plan, context));
    return this.#ask(request);
  }

  async #ask(request: ConfirmationCase): Promise<ConfirmationDecision> {
    const { plan, context, signal } = request;
    const text = confirmationText(plan, context, this.#localize);
    const canAllowForSession = this.#grants.canGrant(plan);
    const answer = await this.#confirmer.confirm({ plan, ...text, canAllowForSession }, signal);
    if (signal.aborted) return { kind: 'refused', problem: cancelledBeforeStart(plan.actionId) };
    switch (answer) {
      case 'run_once':
        return { kind: 'confirmed', how: 'dialog' };
      case 'allow_for_session':
        this.#grants.grant(plan, context);
        return { kind: 'confirmed', how: 'dialog_for_session' };
      case 'declined':
        return { kind: 'refused', problem: confirmationDeclined(plan.actionId) };
      case 'unavailable': {
        const token = await this.#tokens.issue(plan, context, text);
        return { kind: 'ticket', ticket: { ...text, token, expiresInSeconds: tokenLifetimeMs / 1_000 } };
      }
    }
  }
}

function decideByToken(plan: FrozenPlan, redemption: Redemption): ConfirmationDecision {
  const id = plan.actionId;
  switch (redemption) {
    case 'redeemed':
      return { kind: 'confirmed', how: 'token' };
    case 'unapproved':
      return { kind: 'refused', problem: confirmationRequired(id, 'No person has confirmed this token yet.') };
    case 'foreign': {
      const reason =
        'The token was made for another call: the action, its contract, its arguments or the session differ.';
      return { kind: 'refused', problem: confirmationRequired(id, reason) };
    }
    case 'expired':
      return { kind: 'refused', problem: confirmationExpired(id, 'The confirmation token has expired.') };
    case 'unknown':
      return {
        kind: 'refused',
        problem: confirmationRequired(id, 'The confirmation token is not known, or was used already.'),
      };
  }
}

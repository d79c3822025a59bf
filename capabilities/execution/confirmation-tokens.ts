import type { FrozenPlan, RuntimeContext } from '../models';
import type { Clock, DataStore, Digest } from '../ports';
import type { ConfirmationText } from './confirmation-text';

/** What a token stands for. Kept in the data folder under the token's hash; the token itself is never stored. */
export interface PendingConfirmation extends ConfirmationText {
  readonly key: string;
  readonly actionId: string;
  readonly version: number;
  readonly definitionHash: string;
  readonly argumentsHash: string;
  readonly planHash: string;
  readonly sessionId: string;
  /** Wall-clock milliseconds. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Where a token stands. `unknown` also means: used up, or never issued. */
export type TokenState =
  | { readonly state: 'pending' | 'approved' | 'expired'; readonly confirmation: PendingConfirmation }
  | { readonly state: 'unknown' };

/** Outcome of redeeming. Only `redeemed` lets anything run. */
export type Redemption = 'redeemed' | 'unapproved' | 'foreign' | 'expired' | 'unknown';

/** How long a person has. */
export const tokenLifetimeMs = 10 * 60_000;

const folder = 'confirmations';
const tokenForm = /^[0-9a-f]{32}$/;

/**
 * Single-use tokens for hosts that can't show a dialog. A token is a file whose name holds its state: `<hash>.pending.json` →
 * `<hash>.approved.json` (a person, out of band) → claimed and deleted (the one call it was made for). Each step is one
 * rename, so of any number of concurrent callers, in any number of processes, one wins.
 *
 * In the process that issued a token its time runs on the monotonic clock; elsewhere on the wall clock, and a wall clock
 * that has gone back to before the issue counts as expired.
 */
export class ConfirmationTokens {
  readonly #store: DataStore;
  readonly #clock: Clock;
  readonly #digest: Digest;
  readonly #deadlines = new Map<string, number>();

  constructor(store: DataStore, clock: Clock, digest: Digest) {
    this.#store = store;
    this.#clock = clock;
    this.#digest = digest;
  }

  /** Makes a token for exactly this plan and session. Old tokens are cleared away. */
  async issue(plan: FrozenPlan, context: RuntimeContext, text: ConfirmationText): Promise<string> {
    await this.#removeExpired();
    const token = this.#digest.randomId();
    const name = this.#digest.sha256(token);
    const issuedAt = this.#clock.now();
    const confirmation: PendingConfirmation = {
      ...bindingOf(plan, context),
      actionId: plan.actionId,
      title: text.title,
      detail: text.detail,
      issuedAt,
      expiresAt: issuedAt + tokenLifetimeMs,
    };
    this.#deadlines.set(name, this.#clock.monotonic() + tokenLifetimeMs);
    await this.#store.write(pendingName(name), JSON.stringify(confirmation));
    return token;
  }

  /** What a token asks for, so that a person can read it before approving. */
  async inspect(token: string): Promise<TokenState> {
    if (!tokenForm.test(token)) return { state: 'unknown' };
    const name = this.#digest.sha256(token);
    for (const state of ['approved', 'pending'] as const) {
      const confirmation = parse(await this.#store.read(state === 'approved' ? approvedName(name) : pendingName(name)));
      if (confirmation !== undefined) {
        return { state: this.#isExpired(name, confirmation) ? 'expired' : state, confirmation };
      }
    }
    return { state: 'unknown' };
  }

  /**
   * A person's yes, given outside every tool call. Answers with the state the token now has; `approved` is the only success.
   * Who calls this must have made sure that a person is there.
   */
  async approve(token: string): Promise<TokenState> {
    const found = await this.inspect(token);
    if (found.state !== 'pending') return found;
    const name = this.#digest.sha256(token);
    await this.#store.claim(pendingName(name), approvedName(name));
    return this.inspect(token);
  }

  /** Uses the token up for this call. Nothing may run on any answer but `redeemed`. */
  async redeem(token: string, plan: FrozenPlan, context: RuntimeContext): Promise<Redemption> {
    const found = await this.inspect(token);
    if (found.state === 'unknown' || found.state === 'expired') return found.state;
    // A foreign call does not use the token up: it must not be able to spoil another's confirmation.
    if (!isBoundTo(found.confirmation, plan, context)) return 'foreign';
    if (found.state === 'pending') return 'unapproved';
    const name = this.#digest.sha256(token);
    const claimed = `${folder}/${name}.${this.#digest.randomId()}.claimed.json`;
    if (!(await this.#store.claim(approvedName(name), claimed))) return 'unknown';
    const confirmation = parse(await this.#store.read(claimed));
    await this.#store.remove(claimed);
    const isExpired = confirmation === undefined || this.#isExpired(name, confirmation);
    this.#deadlines.delete(name);
    if (isExpired) return 'expired';
    return isBoundTo(confirmation, plan, context) ? 'redeemed' : 'foreign';
  }

  #isExpired(name: string, confirmation: PendingConfirmation): boolean {
    const deadline = this.#deadlines.get(name);
    if (deadline !== undefined) return this.#clock.monotonic() >= deadline;
    const now = this.#clock.now();
    return now >= confirmation.expiresAt || now < confirmation.issuedAt;
  }

  async #removeExpired(): Promise<void> {
    for (const file of await this.#store.list(folder)) {
      const name = file.split('.')[0] ?? '';
      const confirmation = parse(await this.#store.read(`${folder}/${file}`));
      if (confirmation === undefined || this.#isExpired(name, confirmation)) {
        await this.#store.remove(`${folder}/${file}`);
        this.#deadlines.delete(name);
      }
    }
  }
}

type Binding = Pick<
  PendingConfirmation,
  'key' | 'version' | 'definitionHash' | 'argumentsHash' | 'planHash' | 'sessionId'
>;

function bindingOf(plan: FrozenPlan, context: RuntimeContext): Binding {
  const { key, version, definitionHash, argumentsHash, planHash } = plan;
  return { key, version, definitionHash, argumentsHash, planHash, sessionId: context.sessionId };
}

function isBoundTo(confirmation: PendingConfirmation, plan: FrozenPlan, context: RuntimeContext): boolean {
  const binding = bindingOf(plan, context);
  return (Object.keys(binding) as (keyof Binding)[]).every((key) => confirmation[key] === binding[key]);
}

function pendingName(name: string): string {
  return `${folder}/${name}.pending.json`;
}

function approvedName(name: string): string {
  return `${folder}/${name}.approved.json`;
}

/** A file that is missing, torn or not ours confirms nothing. */
function parse(text: string | undefined): PendingConfirmation | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as PendingConfirmation | null;
    return typeof value?.planHash === 'string' &&
      typeof value.expiresAt === 'number' &&
      typeof value.issuedAt === 'number'
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

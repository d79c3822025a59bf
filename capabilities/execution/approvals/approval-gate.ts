import type { ActionResource, FrozenPlan, Problem, RegistryView, Resource, RuntimeContext } from '../../models';
import type { Confirmer, Digest, FileSystem } from '../../ports';
import type { Localize } from '../confirmation-messages';
import type { ConfirmationText } from '../confirmation-text';
import { changedSincePlan, packNotApproved } from '../problems';
import type { ApprovalStore, StoredApproval } from './approval-store';
import { approvalText } from './approval-text';
import { findChanges, type PackChanges } from './pack-changes';
import { fileItem, readPackContent, workspaceFilesOf, type PackContent } from './pack-content';

/** Whether a pack may run, as it is now. */
export type ApprovalState =
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'approved'; readonly content: PackContent }
  | { readonly kind: 'new'; readonly content: PackContent }
  | {
      readonly kind: 'changed';
      readonly content: PackContent;
      readonly approvedAt: string;
      readonly changes: PackChanges;
    };

/** What came of asking a person; undefined when nobody had to be asked. */
export interface ApprovalOutcome {
  readonly content: PackContent;
  readonly answer: 'approved' | 'declined' | 'unavailable';
  readonly problem: Problem | undefined;
}

/** What the gate works with. */
export interface ApprovalGateParts {
  readonly registry: RegistryView;
  readonly fileSystem: FileSystem;
  readonly digest: Digest;
  readonly approvals: ApprovalStore;
  readonly confirmer: Confirmer;
  readonly localize: Localize;
}

/**
 * A pack of a workspace is somebody else's until a person has approved it, definitions and scripts, byte for byte. What the user keeps in
 * folders of their own needs no approval.
 */
export class ApprovalGate {
  readonly #parts: ApprovalGateParts;
  /** Calls that come while the dialog is open wait for its answer. */
  readonly #asking = new Map<string, Promise<ApprovalOutcome>>();

  constructor(parts: ApprovalGateParts) {
    this.#parts = parts;
  }

  /** Where the pack of an action stands. */
  async stateOf(action: Resource): Promise<ApprovalState> {
    if (action.scope.kind === 'user') return { kind: 'not_needed' };
    const content = await readPackContent(action, this.#parts);
    const approved = await this.#parts.approvals.read(content.packId, content.scope.root);
    if (approved === undefined) return { kind: 'new', content };
    const changes = findChanges(content, approved);
    return changes === undefined
      ? { kind: 'approved', content }
      : { kind: 'changed', content, approvedAt: approved.approvedAt, changes };
  }

  /** Asks a person when the pack is new or has changed. Undefined when nobody had to be asked. Rejects when the signal is aborted meanwhile. */
  async ensure(
    action: ActionResource,
    context: RuntimeContext,
    signal: AbortSignal,
  ): Promise<ApprovalOutcome | undefined> {
    const state = await this.stateOf(action);
    if (state.kind === 'not_needed' || state.kind === 'approved') return undefined;
    const { hash } = state.content;
    const open = this.#asking.get(hash);
    // A dialog whose own caller has withdrawn answers nobody: then this call asks.
    if (open !== undefined)
      return unlessAborted(
        open.catch(() => this.ensure(action, context, signal)),
        signal,
      );
    const asking = this.#ask(state, context, signal).finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asking);
    return asking;
  }

  /** What a person reads about a pack as it is now. */
  textOf(state: Exclude<ApprovalState, { kind: 'not_needed' }>, context: RuntimeContext): ConfirmationText {
    const { registry, localize } = this.#parts;
    const since = state.kind === 'changed' ? state : undefined;
    return approvalText({ content: state.content, context, since }, registry, localize);
  }

  /** Remembers a person's approval of what they have seen. Rejects when it can't be written. */
  approve(content: PackContent): Promise<void> {
    return this.#parts.approvals.write(content);
  }

  /** Forgets an approval. */
  revoke(content: Pick<PackContent, 'packId' | 'scope'>): Promise<void> {
    return this.#parts.approvals.remove(content.packId, content.scope);
  }

  /** The check right before the start: the very definition and the very bytes that run are those that were approved. */
  async findChange(action: ActionResource, plan: FrozenPlan): Promise<Problem | undefined> {
    if (action.scope.kind === 'user') return undefined;
    const { packId } = await readPackContent(action, this.#parts);
    const approved = await this.#parts.approvals.read(packId, action.scope.root);
    if (approved === undefined) return packNotApproved(plan.actionId, packId, 'Its approval was withdrawn.');
    return covers(approved, action, plan) ? undefined : changedSincePlan(plan, `The pack ${packId}`);
  }

  async #remember(content: PackContent): Promise<ApprovalOutcome> {
    try {
      await this.approve(content);
      return { content, answer: 'approved', problem: undefined };
    } catch (error) {
      const reason = `The user approved it, but that could not be saved (${error instanceof Error ? error.message : String(error)}).`;
      return { content, answer: 'unavailable', problem: packNotApproved(content.packId, content.packId, reason) };
    }
  }

  async #ask(
    state: Extract<ApprovalState, { kind: 'new' | 'changed' }>,
    context: RuntimeContext,
    signal: AbortSignal,
  ): Promise<ApprovalOutcome> {
    const { content } = state;
    const request = { packId: content.packId, ...this.textOf(state, context) };
    const answer = await this.#parts.confirmer.approvePack(request, signal);
    if (answer === 'approved') return this.#remember(content);
    return { content, answer, problem: packNotApproved(content.packId, content.packId, reasonOf(state, answer)) };
  }
}

/** The same, but it rejects as soon as the signal is aborted. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new Error('cancelled'));
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    value.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

function reasonOf(state: ApprovalState, answer: 'declined' | 'unavailable'): string {
  if (answer === 'declined') return 'The user did not approve it.';
  return state.kind === 'changed' ? 'It changed since it was approved.' : 'Nobody has approved it yet.';
}

/** The plan was made from this definition, and the bytes it names are pinned: so hashes of a moment ago are those of what runs. */
function covers(approved: StoredApproval, action: ActionResource, plan: FrozenPlan): boolean {
  if (approved.items.get(action.id) !== plan.definitionHash) return false;
  return workspaceFilesOf(action).every((file) => approved.items.get(fileItem(file)) === plan.fileHash);
}

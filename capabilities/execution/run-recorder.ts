import type { Logger } from '../ports';
import type { ActionResource, FrozenPlan, Problem, RuntimeContext } from '../models';
import { redactArguments } from './argument-redaction';
import type { ApprovalOutcome } from './approvals/approval-gate';
import type { AuditDurability, AuditLog } from './audit-log';
import type { AuditEvent } from './audit-record';
import type { ConfirmationDecision } from './confirmation';
import type { AuthorizedRun, Refusal } from './run-authorization';
import { clipText } from './text-budget';

/** How a run ended, for the audit. */
export interface RunOutcome {
  /** `ok` or an error code. */
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
}

/**
 * Writes the records of one call. Each method answers with the record's id, or undefined when the log could not be written;
 * the caller decides what that means: before a change it means that nothing runs.
 */
export class RunRecorder {
  readonly #audit: AuditLog;
  readonly #logger: Logger;

  constructor(audit: AuditLog, logger: Logger) {
    this.#audit = audit;
    this.#logger = logger;
  }

  /** A call that was refused before the confirmation. */
  refused(actionId: string, refusal: Refusal, context: RuntimeContext): Promise<string | undefined> {
    const { problem, resource } = refusal;
    const identity = resource === undefined ? { resource: clipText(actionId, 300) } : identityOf(resource);
    const event = {
      ...identity,
      kind: 'decision',
      permission: 'execute',
      decision: 'refused',
      ...why(problem),
    } as const;
    return this.#append(event, context, 'buffered');
  }

  /** A dry run: allowed, planned, nothing started. */
  planned(run: AuthorizedRun, context: RuntimeContext): Promise<string | undefined> {
    const event = { ...describeRun(run), kind: 'decision', permission: 'execute', decision: 'planned' } as const;
    return this.#append(event, context, 'buffered');
  }

  /** What came of asking whether a pack may run. On disk when this resolves. */
  approval(outcome: ApprovalOutcome, context: RuntimeContext): Promise<string | undefined> {
    return this.#append(approvalEvent(outcome), context, 'synced');
  }

  /** What came of asking, or that nobody had to be asked. */
  confirmed(run: AuthorizedRun, decision: ConfirmationDecision, context: RuntimeContext): Promise<string | undefined> {
    const answer = confirmationAnswer(decision);
    return this.#append({ ...describeRun(run), kind: 'confirmation', ...answer }, context, 'buffered');
  }

  /** A run is about to start. On disk when this resolves, unless the run only reads. */
  intent(run: AuthorizedRun, runId: string, context: RuntimeContext): Promise<string | undefined> {
    const durability = run.plan.sideEffect === 'R' ? 'buffered' : 'synced';
    const event = { ...describeRun(run), kind: 'run_intent', decision: 'allowed', run_id: runId } as const;
    return this.#append(event, context, durability);
  }

  /** How the run ended. */
  outcome(
    run: AuthorizedRun,
    runId: string,
    outcome: RunOutcome,
    context: RuntimeContext,
  ): Promise<string | undefined> {
    const event: AuditEvent = {
      ...describePlan(run.plan),
      kind: 'run_outcome',
      run_id: runId,
      outcome: outcome.outcome,
      reason: outcome.reason,
      exit_code: outcome.exitCode,
      duration_ms: outcome.durationMs,
      isolated: run.plan.isolation !== undefined,
    };
    return this.#append(event, context, run.plan.sideEffect === 'R' ? 'buffered' : 'synced');
  }

  async #append(event: AuditEvent, context: RuntimeContext, durability: AuditDurability): Promise<string | undefined> {
    try {
      return await this.#audit.append(event, context, durability);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#logger.log('error', 'The audit log could not be written.', { kind: event.kind, reason });
      return undefined;
    }
  }
}

/** The record of a person's answer about a pack: which one, and the hash of what they saw. */
export function approvalEvent({ content, answer }: Pick<ApprovalOutcome, 'content' | 'answer'>): AuditEvent {
  return {
    kind: 'approval',
    resource: `${content.scope.name}:${content.packId}`,
    workspace: content.scope.root,
    definition_hash: content.hash,
    decision: answer === 'approved' ? 'allowed' : answer === 'declined' ? 'refused' : 'asked',
    reason: `${answer}: ${content.items.size} definitions and files`,
  };
}

type Identity = Pick<AuditEvent, 'resource' | 'workspace' | 'version' | 'definition_hash'>;

function identityOf(resource: ActionResource): Identity {
  return {
    resource: resource.key,
    workspace: resource.scope.root,
    version: resource.definition.version,
    definition_hash: resource.hash,
  };
}

function describePlan(plan: FrozenPlan): Identity & Pick<AuditEvent, 'arguments_hash' | 'plan_hash'> {
  return {
    resource: plan.key,
    workspace: plan.scope.root,
    version: plan.version,
    definition_hash: plan.definitionHash,
    arguments_hash: plan.argumentsHash,
    plan_hash: plan.planHash,
  };
}

function describeRun(run: AuthorizedRun): Omit<AuditEvent, 'kind'> {
  const schema = run.resource.definition.arguments_schema;
  return { ...describePlan(run.plan), arguments: redactArguments(run.plan.arguments, schema) };
}

function confirmationAnswer(decision: ConfirmationDecision): Pick<AuditEvent, 'decision' | 'reason' | 'outcome'> {
  switch (decision.kind) {
    case 'confirmed':
      return { decision: 'allowed', reason: decision.how };
    case 'ticket':
      return { decision: 'asked', reason: 'token issued: this host can show no dialog' };
    case 'refused':
      return { decision: 'refused', ...why(decision.problem) };
  }
}

/** Messages may repeat what the caller sent; the record keeps the code and a bounded part. */
function why(problem: Problem): Pick<AuditEvent, 'reason' | 'outcome'> {
  return { outcome: problem.code, reason: clipText(problem.message, 300) };
}

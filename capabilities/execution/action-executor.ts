import type {
  CallOptions,
  ErrorReply,
  Problem,
  RegistryView,
  ResourceResolver,
  RunInput,
  RunReply,
  RuntimeContext,
  SchemaCompiler,
} from '../models';
import type { DataStore, Digest, Logger, Machine, Paths, ProcessResult } from '../ports';
import type { ApprovalGate } from './approvals/approval-gate';
import { ArgumentValidator } from './argument-validation';
import type { AuditLog } from './audit-log';
import type { ConfirmationDecision, ConfirmationService, ConfirmationTicket } from './confirmation';
import { errorReply } from './error-reply';
import { effectSentence } from './confirmation-text';
import { ExecutionPlanner, type HandlerTable, type PlannerParts } from './execution-plan';
import { localizeInEnglish } from './confirmation-messages';
import type { ExecutionPolicy } from './policy';
import { planReply } from './plan-reply';
import { auditUnavailable, budgetExceeded, cancelledBeforeStart, internalProblem, planDenied } from './problems';
import { RunAuthorization, type AuthorizedRun } from './run-authorization';
import type { RunBudget } from './run-budget';
import { RunQueue } from './run-queue';
import { RunRecorder } from './run-recorder';
import { replyLimit, RunReport } from './run-report';
import { RunVerdict, type RunSetting } from './run-verdict';
import { clipText } from './text-budget';

/** Everything the executor is made of. */
export interface ActionExecutorParts {
  readonly resolver: ResourceResolver;
  readonly registry: RegistryView;
  readonly policy: ExecutionPolicy;
  readonly compiler: SchemaCompiler;
  readonly handlers: HandlerTable;
  readonly approvals: Pick<ApprovalGate, 'ensure' | 'findChange'>;
  readonly budget: Pick<RunBudget, 'start'>;
  readonly confirmation: ConfirmationService;
  readonly audit: AuditLog;
  readonly machine: Machine;
  readonly isolation: PlannerParts['isolation'];
  readonly digest: Digest;
  readonly store: DataStore;
  readonly paths: Paths;
  readonly logger: Logger;
}

type FinishRun = (used: { readonly seconds: number; readonly outputBytes: number }) => void;

/** Runs at a time; further calls wait. */
const concurrentRuns = 8;
const planReserveBytes = 768;

/**
 * Runs registered actions. The order is fixed, and each step has an error code of its own: id, definition, version, arguments,
 * access list, environment, workspace trust, approval of the pack, risk, confirmation, execution, output, audit. What is confirmed is the frozen
 * plan, and the frozen plan is what runs.
 */
export class ActionExecutor {
  readonly #parts: ActionExecutorParts;
  readonly #authorization: RunAuthorization;
  readonly #recorder: RunRecorder;
  readonly #verdict: RunVerdict;
  readonly #queue = new RunQueue(concurrentRuns);

  constructor(parts: ActionExecutorParts) {
    const { resolver, registry, policy, compiler, handlers, digest, machine, isolation } = parts;
    const validator = new ArgumentValidator(compiler);
    const planner = new ExecutionPlanner({ handlers, digest, machine, isolation });
    this.#parts = parts;
    this.#authorization = new RunAuthorization({ resolver, registry, policy, validator, planner });
    this.#recorder = new RunRecorder(parts.audit, parts.logger);
    const report = new RunReport(parts.store, parts.paths, digest);
    this.#verdict = new RunVerdict({ validator, report, resolver });
  }

  /** Carries out one call. Every failure is a reply; never rejects. */
  async run(input: RunInput, context: RuntimeContext, options: CallOptions): Promise<RunReply | ErrorReply> {
    try {
      return await this.#run(input, context, options);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.logger.log('error', 'A run failed unexpectedly.', { reason });
      const { aborted } = options.signal;
      const problem = aborted ? cancelledBeforeStart(input.action_id) : internalProblem(reason);
      return errorReply(problem, replyLimit(options.tokenBudget));
    }
  }

  async #run(input: RunInput, context: RuntimeContext, options: CallOptions): Promise<RunReply | ErrorReply> {
    const limit = replyLimit(options.tokenBudget);
    const authorized = await this.#authorization.authorize(input, context);
    if (!authorized.ok) {
      await this.#recorder.refused(input.action_id, authorized.problem, context);
      return errorReply(authorized.problem.problem, limit);
    }
    const run = authorized.value;
    if (input.dry_run === true) return this.#plan(run, context, limit);
    const { signal } = options;
    const unapproved = await this.#ensureApproval(run, context, signal);
    if (unapproved !== undefined) return errorReply(unapproved, limit);
    const token = input.confirmation_token;
    const decision = await this.#decide(run, context, token, signal);
    if (run.plan.requiresConfirmation) await this.#recorder.confirmed(run, decision, context);
    if (decision.kind === 'refused') return errorReply(decision.problem, limit);
    if (decision.kind === 'ticket') return ticketReply(run, decision.ticket);
    return this.#inTurn({ run, context, signal, limit });
  }

  /** A plan shows how the action works: it is for those who may read the contract. */
  async #plan(run: AuthorizedRun, context: RuntimeContext, limit: number): Promise<RunReply | ErrorReply> {
    if (!this.#parts.policy.may('describe', run.resource, context)) {
      const problem = planDenied(run.plan.actionId);
      await this.#recorder.refused(run.plan.actionId, { problem, resource: run.resource }, context);
      return errorReply(problem, limit);
    }
    await this.#recorder.planned(run, context);
    return plannedReply(run, limit);
  }

  async #ensureApproval(
    run: AuthorizedRun,
    context: RuntimeContext,
    signal: AbortSignal,
  ): Promise<Problem | undefined> {
    const cancelled = cancelledBeforeStart(run.plan.actionId);
    const isCancelled = (): boolean => signal.aborted;
    if (isCancelled()) return cancelled;
    try {
      const outcome = await this.#parts.approvals.ensure(run.resource, context, signal);
      if (outcome !== undefined) await this.#recorder.approval(outcome, context);
      return outcome?.problem;
    } catch (error) {
      if (isCancelled()) return cancelled;
      throw error;
    }
  }

  async #decide(
    run: AuthorizedRun,
    context: RuntimeContext,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<ConfirmationDecision> {
    const cancelled = { kind: 'refused', problem: cancelledBeforeStart(run.plan.actionId) } as const;
    const isCancelled = (): boolean => signal.aborted;
    if (isCancelled()) return cancelled;
    try {
      return await this.#parts.confirmation.decide({ plan: run.plan, context, token, signal });
    } catch (error) {
      // A dialog that is closed by the caller's own cancellation rejects.
      if (isCancelled()) return cancelled;
      throw error;
    }
  }

  async #inTurn(setting: RunSetting): Promise<RunReply | ErrorReply> {
    const release = await this.#queue.acquire(setting.signal);
    if (release === undefined) return errorReply(cancelledBeforeStart(setting.run.plan.actionId), setting.limit);
    try {
      return await this.#withinBudget(setting);
    } finally {
      release();
    }
  }

  async #withinBudget(setting: RunSetting): Promise<RunReply | ErrorReply> {
    const { run, context, limit } = setting;
    const place = this.#parts.budget.start(context.sessionId, run.plan.actionId);
    if (!place.ok) {
      const problem = budgetExceeded(run.plan.actionId, place.excess.limit, place.excess.resetsInSeconds);
      await this.#recorder.refused(run.plan.actionId, { problem, resource: run.resource }, context);
      return errorReply(problem, limit);
    }
    return this.#execute(setting, place.finish);
  }

  /** Intent on record, last check, start, outcome on record. The check comes after every wait, right before the start. */
  async #execute(setting: RunSetting, finish: FinishRun): Promise<RunReply | ErrorReply> {
    const { run, context } = setting;
    const runId = this.#parts.digest.randomId();
    const intent = await this.#recorder.intent(run, runId, context);
    const notices: string[] = [];
    if (intent === undefined) {
      if (run.plan.sideEffect !== 'R') return errorReply(auditUnavailable(run.plan.actionId), setting.limit);
      notices.push('The audit log could not be written; the action ran because it only reads.');
    }
    const started = await this.#start(setting);
    if ('code' in started) {
      const { code: outcome, message: reason } = started;
      await this.#recorder.outcome(run, runId, { outcome, reason }, context);
      return errorReply(started, setting.limit);
    }
    finish({ seconds: started.durationMs / 1_000, outputBytes: started.stdout.totalBytes + started.stderr.totalBytes });
    const verdict = this.#verdict.judge(run, started);
    const { exitCode, durationMs } = started;
    const outcome = { outcome: verdict.outcome, reason: started.detail, exitCode, durationMs };
    const auditId = await this.#recorder.outcome(run, runId, outcome, context);
    if (auditId === undefined && intent !== undefined)
      notices.push('The outcome could not be written to the audit log.');
    return this.#verdict.reply(verdict, { ...setting, result: started, auditId, notices });
  }

  async #start(setting: RunSetting): Promise<ProcessResult | Problem> {
    const { run, context, signal } = setting;
    if (signal.aborted) return cancelledBeforeStart(run.plan.actionId);
    const handler = this.#parts.handlers[run.resource.definition.handler.type];
    const changed =
      (await handler.findChange(run.plan)) ??
      (await this.#parts.approvals.findChange(run.resource, run.plan)) ??
      this.#authorization.findChange(run, context);
    if (changed !== undefined) return changed;
    try {
      return await handler.run(run.plan, signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.logger.log('error', 'A handler failed unexpectedly.', { reason });
      return internalProblem(reason);
    }
  }
}

function plannedReply(run: AuthorizedRun, limit: number): RunReply {
  const { plan, isShortened } = planReply(run.plan, limit - planReserveBytes);
  const notices = [
    'Dry run: nothing was executed.',
    ...(isShortened ? ['Long values of the plan are shortened.'] : []),
  ];
  const { actionId, version, isolation } = run.plan;
  return { status: 'planned', action_id: actionId, version, isolated: isolation !== undefined, notices, plan };
}

function ticketReply(run: AuthorizedRun, ticket: ConfirmationTicket): RunReply {
  const { plan } = run;
  return {
    status: 'confirmation_required',
    action_id: plan.actionId,
    version: plan.version,
    notices: ["Nothing has run. You can't confirm for the user."],
    summary: `${plan.title}. ${effectSentence(plan, localizeInEnglish)}`,
    affected_resources: [...plan.affectedResources].slice(0, 12).map((item) => clipText(item, 200)),
    confirmation_token: ticket.token,
    expires_in_seconds: ticket.expiresInSeconds,
    how_to_confirm: `A person runs \`capability confirm ${ticket.token}\` in a terminal, reads what would run and confirms it. Then send the same call again with this confirmation_token.`,
  };
}

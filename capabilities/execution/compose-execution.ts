import type { BudgetLimits, RegistryView, ResourceResolver, SchemaCompiler } from '../models';
import type {
  Clock,
  Confirmer,
  DataStore,
  Digest,
  FileSystem,
  Isolator,
  Logger,
  Machine,
  ProcessRunner,
} from '../ports';
import { ActionExecutor } from './action-executor';
import { ApprovalGate } from './approvals/approval-gate';
import { ApprovalStore } from './approvals/approval-store';
import { AuditLog } from './audit-log';
import { ConfirmationService } from './confirmation';
import type { Localize } from './confirmation-messages';
import { ConfirmationTokens } from './confirmation-tokens';
import { CommandActionHandler } from './handlers/command';
import { ScriptActionHandler } from './handlers/script';
import { IsolationPlanner, type IsolationFallback } from './isolation/isolation-planner';
import type { ExecutionPolicy } from './policy';
import { NO_BUDGET, RunBudget } from './run-budget';
import { SessionGrants } from './session-grants';

/** What the execution needs of the world. */
export interface ExecutionPorts {
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
  readonly fileSystem: FileSystem;
  readonly machine: Machine;
  readonly processes: ProcessRunner;
  readonly isolator: Isolator;
  /** What the user wants where the machine can't isolate; `refuse` when left out. Asked for each run; a workspace has no say in it. */
  readonly isolationFallback?: () => IsolationFallback;
  /** The user's limits on runs; none when left out. Asked for each run. */
  readonly budget?: () => BudgetLimits;
  readonly store: DataStore;
  readonly confirmer: Confirmer;
  /** Words of the dialogs in the person's language. */
  readonly localize: Localize;
}

/** What the execution needs of the other stages. */
export interface ExecutionStages {
  readonly registry: RegistryView;
  readonly resolver: ResourceResolver;
  readonly policy: ExecutionPolicy;
  readonly compiler: SchemaCompiler;
}

/** The parts of the execution that the engine calls. */
export interface Execution {
  readonly executor: ActionExecutor;
  readonly audit: AuditLog;
  readonly tokens: ConfirmationTokens;
  readonly approvals: ApprovalGate;
}

/** Puts the execution together. Only the engine calls it. */
export function composeExecution(stages: ExecutionStages, ports: ExecutionPorts): Execution {
  const { clock, digest, logger, fileSystem, machine, store, confirmer, isolator, localize } = ports;
  const audit = new AuditLog(store, clock, digest);
  const tokens = new ConfirmationTokens(store, clock, digest);
  const confirmation = new ConfirmationService(confirmer, tokens, new SessionGrants(digest), localize);
  const approvals = new ApprovalGate({ ...ports, registry: stages.registry, approvals: new ApprovalStore(ports) });
  const handlers = { command: new CommandActionHandler(ports), script: new ScriptActionHandler(ports) };
  const fallback = ports.isolationFallback ?? (() => 'refuse' as const);
  const isolation = new IsolationPlanner({ isolator, fileSystem, fallback });
  const budget = new RunBudget(clock, ports.budget ?? (() => NO_BUDGET));
  const executor = new ActionExecutor({
    ...{ ...stages, handlers, confirmation, approvals, audit, isolation, budget },
    ...{ machine, digest, store, paths: fileSystem.paths, logger },
  });
  return { executor, audit, tokens, approvals };
}

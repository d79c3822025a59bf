import path from 'node:path';
import { ActionExecutor } from '../../../capabilities/execution/action-executor';
import { ApprovalGate } from '../../../capabilities/execution/approvals/approval-gate';
import { ApprovalStore } from '../../../capabilities/execution/approvals/approval-store';
import { AuditLog } from '../../../capabilities/execution/audit-log';
import type { AuditRecord } from '../../../capabilities/execution/audit-record';
import { ConfirmationService } from '../../../capabilities/execution/confirmation';
import { localizeInEnglish } from '../../../capabilities/execution/confirmation-messages';
import { ConfirmationTokens } from '../../../capabilities/execution/confirmation-tokens';
import { CommandActionHandler } from '../../../capabilities/execution/handlers/command';
import { ScriptActionHandler } from '../../../capabilities/execution/handlers/script';
import { Policy } from '../../../capabilities/execution/policy';
import { NO_BUDGET, RunBudget } from '../../../capabilities/execution/run-budget';
import { SessionGrants } from '../../../capabilities/execution/session-grants';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { NodeMachine } from '../../../capabilities/node/node-machine';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';
import type {
  ActionDefinition,
  BudgetLimits,
  ConfirmationAnswer,
  ErrorReply,
  RegistryView,
  Resource,
  RunInput,
  RunReply,
  RuntimeContext,
  Scope,
} from '../../../capabilities/models';
import type { ApprovalRequest, ConfirmationRequest, Confirmer } from '../../../capabilities/ports';
import { IsolationPlanner, type IsolationFallback } from '../../../capabilities/execution/isolation/isolation-planner';
import { nodeRunner, sharedIsolator } from '../node/shared-isolator';
import { temporaryFolder } from '../node/temporary-folder';
import { MemoryLogger, MemoryStore } from './memory-store';
import { sampleAction, sampleContext, samplePack, sampleScope } from './sample-resources';

type ApprovalResult = Awaited<ReturnType<Confirmer['approvePack']>>;
type ApprovalAnswer = ApprovalResult | ((signal: AbortSignal) => Promise<ApprovalResult>);
type Answer = ConfirmationAnswer | ((request: ConfirmationRequest, signal: AbortSignal) => Promise<ConfirmationAnswer>);

const NO_ISOLATION = { available: false, reason: 'The program bwrap is not installed.', fix: 'Install it.' } as const;

/** A whole executor on the real machine, with a store in memory and a person who answers as the test says. */
export class ExecutorBench {
  readonly root = temporaryFolder();
  readonly scope: Scope;
  readonly store = new MemoryStore();
  readonly logger = new MemoryLogger();
  readonly asked: ConfirmationRequest[] = [];
  readonly resources = new Map<string, Resource>();
  answer: Answer = 'run_once';
  approval: ApprovalAnswer = 'approved';
  readonly askedApprovals: ApprovalRequest[] = [];
  canIsolate = true;
  budget: BudgetLimits = NO_BUDGET;
  isolationFallback: IsolationFallback = 'refuse';
  readonly tokens: ConfirmationTokens;
  readonly executor: ActionExecutor;
  readonly approvals: ApprovalGate;

  constructor(kind: Scope['kind'] = 'workspace') {
    this.scope = sampleScope(this.root, kind);
    const clock = new NodeClock();
    const digest = new NodeDigest();
    const machine = new NodeMachine(clock);
    const fileSystem = new NodeFileSystem();
    const processes = nodeRunner(path.join(this.root, 'outputs'));
    const ports = { fileSystem, machine, digest, processes };
    this.tokens = new ConfirmationTokens(this.store, clock, digest);
    const confirmer = {
      confirm: (request: ConfirmationRequest, signal: AbortSignal) => this.#confirm(request, signal),
      approvePack: (request: ApprovalRequest, signal: AbortSignal) => this.#approve(request, signal),
    };
    const registry = {
      get: (key: string) => this.resources.get(key),
      all: () => [...this.resources.values()],
    } as Partial<RegistryView> as RegistryView;
    const approvals = new ApprovalStore({ store: this.store, digest, clock, logger: this.logger });
    this.approvals = new ApprovalGate({
      registry,
      fileSystem,
      digest,
      approvals,
      confirmer,
      localize: localizeInEnglish,
    });
    this.executor = new ActionExecutor({
      resolver: { resolve: (reference, context) => this.#resolve(reference, context) },
      registry,
      policy: this.policy,
      compiler: new SchemaCompiler(),
      handlers: { command: new CommandActionHandler(ports), script: new ScriptActionHandler(ports) },
      approvals: this.approvals,
      budget: new RunBudget(clock, () => this.budget),
      confirmation: new ConfirmationService(confirmer, this.tokens, new SessionGrants(digest), localizeInEnglish),
      audit: new AuditLog(this.store, clock, digest),
      machine,
      isolation: new IsolationPlanner({
        isolator: { check: () => (this.canIsolate ? sharedIsolator.check() : Promise.resolve(NO_ISOLATION)) },
        fileSystem,
        fallback: () => this.isolationFallback,
      }),
      digest,
      store: this.store,
      paths: fileSystem.paths,
      logger: this.logger,
    });
  }

  readonly policy = new Policy({
    hasExecutor: (name) => name !== 'absent',
    hasCredential: () => false,
    hasContext: () => false,
  });

  /** Registers an action; one with the same id is replaced. */
  add(change: Partial<ActionDefinition> = {}): void {
    const action = sampleAction(change, this.scope);
    this.resources.set(action.key, action);
  }

  /** Approves the pack of `demo.act` as it is now, as at an earlier run. */
  async approve(): Promise<void> {
    const state = await this.approvals.stateOf(this.resources.get(`${this.scope.name}:demo.act`)!);
    if (state.kind !== 'not_needed') await this.approvals.approve(state.content);
  }

  /** Registers the pack `demo`. */
  addPack(): void {
    const span = { start: 0, end: 0 };
    const source = { path: path.join(this.root, '.capabilities/demo.yaml'), span, idSpan: span };
    const pack = { ...samplePack({}, this.scope), source };
    this.resources.set(pack.key, pack);
  }

  /** Registers an action that runs a Node program with the arguments behind it. */
  addProgram(program: string, change: Partial<ActionDefinition> = {}): void {
    this.add({ handler: { type: 'command', argv: ['node', '-e', program] }, ...change });
  }

  /** Calls `demo.act`. */
  run(
    input: Partial<RunInput> = {},
    context: RuntimeContext = sampleContext(),
    options: { readonly signal?: AbortSignal; readonly tokenBudget?: number } = {},
  ): Promise<RunReply | ErrorReply> {
    return this.executor.run({ action_id: 'demo.act', ...input }, context, {
      signal: new AbortController().signal,
      ...options,
    });
  }

  /** The audit records in order, without the segment's first. */
  get audit(): readonly AuditRecord[] {
    return this.allRecords.filter(({ kind }) => kind !== 'segment_start' && kind !== 'approval');
  }

  /** Every record, also of the approval that the first run asks for. */
  get allRecords(): readonly AuditRecord[] {
    const segments = [...this.store.files].filter(([name]) => name.endsWith('.jsonl'));
    const lines = segments.flatMap(([, text]) => text.trimEnd().split('\n'));
    return lines.map((line) => JSON.parse(line) as AuditRecord);
  }

  #approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalResult> {
    this.askedApprovals.push(request);
    return typeof this.approval === 'string' ? Promise.resolve(this.approval) : this.approval(signal);
  }

  #confirm(request: ConfirmationRequest, signal: AbortSignal): Promise<ConfirmationAnswer> {
    this.asked.push(request);
    return typeof this.answer === 'string' ? Promise.resolve(this.answer) : this.answer(request, signal);
  }

  #resolve(reference: string, context: RuntimeContext) {
    const found = this.resources.get(reference.includes(':') ? reference : `${this.scope.name}:${reference}`);
    if (found !== undefined && this.policy.may('discover', found, context)) return { ok: true, value: found } as const;
    const message = `There is no "${reference}".`;
    return { ok: false, problem: { code: 'unknown_resource', message, retryable: false } } as const;
  }
}

/** Parts of an action with a required, a defaulted and a secret argument. */
export const withName: Partial<ActionDefinition> = {
  arguments_schema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      count: { type: 'integer', default: 3 },
      pin: { type: 'string', writeOnly: true },
    },
    required: ['name'],
    additionalProperties: false,
  },
  handler: { type: 'command', argv: ['printf', '%s-%s', '${args.name}', '${args.count}'] },
};

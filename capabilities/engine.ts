/**
 * The facade every host calls, and the only place where the stages are put together.
 */
import { ListService } from './disclosure/list-service';
import { DescribeService } from './disclosure/describe-service';
import type { ApprovalState } from './execution/approvals/approval-gate';
import { queryAudit, type AuditQuery } from './execution/audit-query';
import type { AuditEvent, AuditRecord } from './execution/audit-record';
import { readAuditUsage, usageOutcomeOf } from './execution/audit-usage';
import { composeExecution, type Execution, type ExecutionPorts } from './execution/compose-execution';
import { verifyAudit, type AuditVerification } from './execution/audit-verify';
import type { PackContent } from './execution/approvals/pack-content';
import type { ConfirmationText } from './execution/confirmation-text';
import { approvalEvent } from './execution/run-recorder';
import type { PendingConfirmation, TokenState } from './execution/confirmation-tokens';
import { isForbiddenVariable } from './execution/forbidden-environment';
import { Policy } from './execution/policy';
import { RegistryPolicies } from './execution/policy-rules/registry-policies';
import { matchesTest } from './execution/policy-rules/rule-matching';
import { clipText } from './execution/text-budget';
import type {
  ActionReference,
  CallOptions,
  DescribeInput,
  DescribeReply,
  EnvironmentFacts,
  ErrorReply,
  ListInput,
  ListReply,
  PolicyService,
  Resource,
  RunInput,
  RunReply,
  RuntimeContext,
  Scope,
  SearchInput,
  SearchReply,
  SearchTrace,
} from './models';
import type { GoalReader } from './ports';
import type { DefinitionRules } from './registry/definition-validator';
import { Indexer } from './registry/indexer';
import { Registry } from './registry/registry';
import { ResourceResolver } from './registry/resource-resolver';
import { SchemaCompiler } from './registry/schema-compiler';
import { UsageHistory } from './search/history/usage-history';
import { Lexicon } from './search/lexicon/lexicon';
import { MeaningSearch, type EmbedderChoice } from './search/semantic/meaning-search';
import { VectorArchive } from './search/semantic/vector-archive';
import { HistoryRetriever } from './search/retrievers/history';
import { IntentLexicon } from './search/lexicon/intent-lexicon';
import { PhraseRules } from './search/lexicon/phrase-rules';
import { IndexKeeper } from './search/index-keeper';
import { SearchService } from './search/search-service';
import { SessionTrails } from './search/session-trail';

/** Everything the engine needs of the world. */
export interface EnginePorts extends ExecutionPorts {
  readonly facts: EnvironmentFacts;
  /** Asked about goals that the search's rules can't read, where the user allows it. */
  readonly goalReader?: GoalReader;
}

/** One engine: a registry with its files, the search, the disclosure and the execution over it. */
export class Engine {
  readonly registry: Registry;
  /** What a host that keeps a second registry (unsaved text) parses with. */
  readonly rules: DefinitionRules;
  /** Past use: a host switches it on or off, shows and clears it. */
  readonly history: UsageHistory;
  readonly #indexer: Indexer;
  readonly #policy: PolicyService;
  readonly #search: SearchService;
  readonly #keeper: IndexKeeper;
  readonly #meaning: MeaningSearch;
  readonly #list: ListService;
  readonly #describe: DescribeService;
  readonly #execution: Execution;
  readonly #trails = new SessionTrails();
  readonly #ports: EnginePorts;

  constructor(ports: EnginePorts) {
    const { clock, digest, logger, fileSystem, store } = ports;
    const compiler = new SchemaCompiler();
    this.#ports = ports;
    this.rules = {
      schemas: compiler,
      isForbiddenVariable,
      phraseProblem: makePhraseProblem(),
      ruleMatcher: matchesTest,
    };
    this.registry = new Registry(digest);
    const { registry } = this;
    const policy = new Policy(ports.facts, new RegistryPolicies(registry));
    const resolver = new ResourceResolver(registry, policy);
    this.#policy = policy;
    this.#indexer = new Indexer({ registry, fileSystem, logger, rules: this.rules });
    this.history = new UsageHistory({
      ...{ store, clock, digest, logger },
      derive: (request) => readAuditUsage(store, request),
    });
    const lexicon = new Lexicon();
    const vectors = new VectorArchive(store, { digest, clock });
    this.#meaning = new MeaningSearch({ registry, lexicon, store: vectors, clock, digest, logger });
    const retrievers = [this.#meaning, new HistoryRetriever(registry, this.history, clock)];
    const goalReader = ports.goalReader && { goalReader: ports.goalReader };
    this.#search = new SearchService({
      ...{ registry, policy, resolver, clock, digest, logger, lexicon, retrievers },
      ...goalReader,
    });
    this.#keeper = new IndexKeeper(this.#search.index, ports);
    this.#list = new ListService(registry, policy, resolver);
    this.#describe = new DescribeService(registry, policy, resolver);
    this.#execution = composeExecution({ registry, resolver, policy, compiler }, ports);
  }

  /** Reads every definition file of the scopes and makes them searchable. */
  async load(scopes: readonly Scope[]): Promise<void> {
    const stored = this.#keeper.read(scopes);
    await this.#indexer.load(scopes);
    await this.#keeper.prepare(stored);
    this.#search.prepare();
    void this.#keeper.keep(scopes);
  }

  /** Reads one file or folder again after it has changed, appeared or vanished. */
  async refresh(path: string): Promise<void> {
    await this.#indexer.refresh(path);
  }

  /** What the search by meaning works with from now on; undefined switches it off, as it is at the start. */
  useEmbedder(choice: EmbedderChoice | undefined): void {
    this.#meaning.use(choice);
  }

  /**
   * Makes vectors of what has none, in the background; searches meanwhile go on without them. Resolves when it is done or has failed, or
   * after `limit` milliseconds.
   */
  async prepareMeaning(limit: number): Promise<void> {
    this.#meaning.refresh();
    const stop = new AbortController();
    const late = this.#ports.clock.sleep(limit, stop.signal).catch(() => undefined);
    await Promise.race([Promise.all([this.#meaning.settled(), this.#meaning.warmUp()]), late]);
    stop.abort(new Error('the vectors are there'));
  }

  /** Ends what runs in the background. */
  async dispose(): Promise<void> {
    await this.#meaning.dispose();
  }

  /** Finds candidates for a goal. Rejects only when the signal is aborted. */
  async search(input: SearchInput, context: RuntimeContext, options: CallOptions): Promise<SearchReply> {
    const trail = this.#trails.view(context.sessionId);
    const { reply, query } = await this.#search.trace(input, context, trail, options);
    const found = this.#keysOf(reply.matches.map((match) => match.resource_id));
    this.#trails.recordSearch(context.sessionId, found);
    const isHeld = (word: string): boolean => this.#search.holdsWord(word);
    this.history.rememberSearch(context.sessionId, { query, found, isHeld });
    return reply;
  }

  /** The same search with how it came about, without a trace in the session or the history: for authors and checks. */
  explain(input: SearchInput, context: RuntimeContext, options: CallOptions): Promise<SearchTrace> {
    return this.#search.trace(input, context, this.#trails.view(context.sessionId), options);
  }

  /** Lists the children of a pack. */
  list(input: ListInput, context: RuntimeContext): Promise<ListReply | ErrorReply> {
    return Promise.resolve(this.#list.list(input, context));
  }

  /** Discloses one contract, and records that it did. */
  async describe(input: DescribeInput, context: RuntimeContext): Promise<DescribeReply | ErrorReply> {
    const reply = this.#describe.describe(input, context);
    const found = this.registry.lookup(input.resource_id.trim());
    const resource = found.kind === 'found' ? found.resource : undefined;
    const isRefused = 'code' in reply;
    if (resource && !isRefused) this.#trails.recordDescribe(context.sessionId, resource.key);
    await this.#recordDescribe(input.resource_id, { resource, refusal: isRefused ? reply.code : undefined }, context);
    if (resource && !isRefused) await this.history.recordUse(context.sessionId, resource, 'described');
    return reply;
  }

  /** Runs one action, or plans it. Never rejects. */
  async run(input: RunInput, context: RuntimeContext, options: CallOptions): Promise<RunReply | ErrorReply> {
    const reply = await this.#execution.executor.run(input, context, options);
    if (reply.status === 'ok') this.#recordTrail(input.action_id, reply.next_actions ?? [], context);
    await this.#recordUse(input.action_id, reply, context);
    return reply;
  }

  /** The actions these principals may run, in id order: for pickers. */
  runnable(context: RuntimeContext): readonly Resource[] {
    return this.registry
      .all()
      .filter((resource) => resource.type === 'action' && resource.enabled)
      .filter((resource) => this.#policy.may('discover', resource, context));
  }

  /** What waits behind a confirmation token. */
  inspectConfirmation(token: string): Promise<TokenState> {
    return this.#execution.tokens.inspect(token);
  }

  /** A person's yes to a waiting run, put on record. The host must have made sure that a person is there. */
  async approveConfirmation(token: string, context: RuntimeContext): Promise<TokenState> {
    const before = await this.#execution.tokens.inspect(token);
    const found = await this.#execution.tokens.approve(token);
    if (before.state === 'pending' && found.state === 'approved')
      await this.#recordApproval(found.confirmation, context);
    return found;
  }

  /** Where the packs of the workspaces stand, by the action or pack id that names them; undefined for an id that is not there. */
  async approvalOf(reference: string): Promise<ApprovalState | undefined> {
    const found = this.registry.lookup(reference);
    return found.kind === 'found' ? this.#execution.approvals.stateOf(found.resource) : undefined;
  }

  /** What a person reads before they approve a pack. */
  approvalText(state: Exclude<ApprovalState, { kind: 'not_needed' }>, context: RuntimeContext): ConfirmationText {
    return this.#execution.approvals.textOf(state, context);
  }

  /** A person's yes to a pack as they have seen it, put on record. The host must have made sure that a person is there. */
  async approvePack(content: PackContent, context: RuntimeContext): Promise<void> {
    await this.#execution.audit.append(approvalEvent({ content, answer: 'approved' }), context, 'synced');
    await this.#execution.approvals.approve(content);
  }

  /** Takes an approval back, put on record. */
  async revokeApproval(content: PackContent, context: RuntimeContext): Promise<void> {
    await this.#execution.approvals.revoke(content);
    await this.#record({ ...approvalEvent({ content, answer: 'declined' }), reason: 'withdrawn' }, context);
  }

  /** What is on record, as it stands there. Rejects when the log can't be read. */
  auditRecords(query: AuditQuery): Promise<readonly AuditRecord[]> {
    return queryAudit(this.#ports.store, query);
  }

  /** Checks the whole audit log. */
  verifyAudit(): Promise<AuditVerification> {
    return verifyAudit(this.#ports.store, this.#ports.digest);
  }

  #recordTrail(actionId: string, next: readonly ActionReference[], context: RuntimeContext): void {
    const found = this.registry.lookup(actionId.trim());
    if (found.kind !== 'found') return;
    const { resource } = found;
    const verify = resource.type === 'action' ? (resource.definition.verify ?? []) : [];
    this.#trails.recordRun(context.sessionId, {
      key: resource.key,
      recommended: this.#keysOf(next.map(referencedId)),
      verifying: this.#keysOf(verify.map(referencedId)),
    });
  }

  async #recordUse(actionId: string, reply: RunReply | ErrorReply, context: RuntimeContext): Promise<void> {
    const outcome = usageOutcomeOf('code' in reply ? reply.code : reply.status);
    const found = this.registry.lookup(actionId.trim());
    if (outcome === undefined || found.kind !== 'found') return;
    await this.history.recordUse(context.sessionId, found.resource, outcome);
  }

  /** The run that follows is refused when the log can't be written then; the approval alone changes nothing. */
  #recordApproval(confirmation: PendingConfirmation, context: RuntimeContext): Promise<void> {
    const { key, version, definitionHash, argumentsHash, planHash } = confirmation;
    const identity = { resource: key, version, definition_hash: definitionHash };
    const call = { arguments_hash: argumentsHash, plan_hash: planHash };
    const answer = { decision: 'allowed', reason: 'token approved at the terminal' } as const;
    return this.#record({ kind: 'confirmation', ...identity, ...call, ...answer }, context);
  }

  /** A describe is answered even when it can't be recorded: it discloses, it changes nothing. */
  async #recordDescribe(
    requested: string,
    { resource, refusal }: { readonly resource: Resource | undefined; readonly refusal: string | undefined },
    context: RuntimeContext,
  ): Promise<void> {
    const identity = resource
      ? {
          resource: resource.key,
          workspace: resource.scope.root,
          version: resource.definition.version,
          definition_hash: resource.hash,
        }
      : { resource: clipText(requested, 300) };
    const decision = refusal === undefined ? ('allowed' as const) : ('refused' as const);
    await this.#record({ kind: 'describe', permission: 'describe', decision, reason: refusal, ...identity }, context);
  }

  async #record(event: AuditEvent, context: RuntimeContext): Promise<void> {
    try {
      await this.#execution.audit.append(event, context, 'buffered');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#ports.logger.log('warn', `A ${event.kind} could not be written to the audit log.`, { reason });
    }
  }

  #keysOf(ids: readonly string[]): readonly string[] {
    return ids.flatMap((id) => {
      const found = this.registry.lookup(id);
      return found.kind === 'found' ? [found.resource.key] : [];
    });
  }
}

/** The table of intents is built when the first lexicon comes. */
function makePhraseProblem(): NonNullable<DefinitionRules['phraseProblem']> {
  let rules: PhraseRules | undefined;
  return (phrase, intent) => (rules ??= new PhraseRules(new IntentLexicon())).problemOf(phrase, intent);
}

function referencedId(reference: ActionReference): string {
  return typeof reference === 'string' ? reference : reference.action;
}

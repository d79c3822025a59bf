/**
 * The engine's vocabulary. Everything a stage hands to another stage is declared here; stages import this file
 * and the ports, never each other.
 */
import type {
  AccessControlList,
  ActionDefinition as WrittenAction,
  Availability,
  ErrorReply,
  InputProblem,
  PackDefinition,
  RecipeDefinition,
  RiskLevel,
  SearchReply,
  SideEffect,
  WorkspaceLexicon,
} from './generated/types';
import type { IsolationLimits } from './isolation-limits';

export type * from './generated/types';
export type * from './budget-limits';
export type * from './isolation-limits';

export type { WrittenAction };

/** An action as the engine sees it: what a pack above may state is filled in. */
export interface ActionDefinition extends WrittenAction {
  risk_level: RiskLevel;
}

/** Kind of resource. */
export type ResourceType = 'pack' | 'action' | 'recipe';

/** Half-open range of UTF-16 offsets into a file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A namespace of ids: one workspace folder, or the user's own packs. */
export interface Scope {
  /** Name used in `<scope>:<id>`: the workspace folder's name, or `user`. Unique among the scopes. */
  readonly name: string;
  readonly kind: 'workspace' | 'user';
  /** Absolute path: the workspace folder, or the folder that holds the user's packs. */
  readonly root: string;
  /** Absolute path of the folder whose YAML files are read (`<root>/.capabilities`, or the root itself for user packs). */
  readonly definitions: string;
}

interface ResourceBase<T extends ResourceType, D> {
  readonly type: T;
  /** Dotted id, unique in its scope. */
  readonly id: string;
  /** `<scope name>:<id>`, unique in the registry. */
  readonly key: string;
  readonly scope: Scope;
  /** Id of the pack above, when the id has more than one segment. */
  readonly parentId: string | undefined;
  /** The definition as written, with the defaults of the packs above filled in. */
  readonly definition: D;
  /** File and place it was read from; undefined for a pack that its children imply. */
  readonly source: { readonly path: string; readonly span: Span; readonly idSpan: Span } | undefined;
  /** SHA-256 (hex) of the canonical JSON of `definition`: changes whenever the effective contract changes. */
  readonly hash: string;
  /** False when it, or a pack above it, is switched off. */
  readonly enabled: boolean;
}

export type PackResource = ResourceBase<'pack', PackDefinition>;
export type ActionResource = ResourceBase<'action', ActionDefinition>;
export type RecipeResource = ResourceBase<'recipe', RecipeDefinition>;
export type Resource = PackResource | ActionResource | RecipeResource;

/** Result of looking up an id: `maintenance.codex` or `folder:maintenance.codex`. */
export type Lookup =
  | { readonly kind: 'found'; readonly resource: Resource }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly keys: readonly string[] }
  | { readonly kind: 'duplicate'; readonly places: readonly string[] };

/** What the engine's stages need of the registry. Reads are synchronous and see one consistent state. */
export interface RegistryView {
  /** Grows with every change; caches keyed by it are never stale. */
  readonly revision: number;
  /** Every resource that can be used: enabled or not, but not duplicates and not broken documents. Sorted by key. */
  all(): readonly Resource[];
  get(key: string): Resource | undefined;
  /** Resolves a bare or scoped id. */
  lookup(reference: string): Lookup;
  /** Direct children of a pack, or the top level for `undefined`, sorted by key. */
  children(packId: string | undefined): readonly Resource[];
  /** The packs above a resource in its scope, outermost first. */
  ancestors(resource: Resource): readonly PackResource[];
  /** The lexicons of the scopes, in their order. A new list after each change of one, else the same; each list comes with a new revision. */
  readonly lexicons?: readonly WorkspaceLexicon[];
  /** Calls the listener after every change, with the keys of what is new, differs or is gone, until the returned function is called. */
  onDidChange?(
    listener: (change: { readonly changed: readonly string[]; readonly removed: readonly string[] }) => void,
  ): () => void;
}

// ---------------------------------------------------------------------------------------------- diagnostics

export type DiagnosticSeverity = 'error' | 'warning' | 'information' | 'hint';

/** Closed list of what can be wrong with a definition file. Stable: users configure and search for them. */
export type DiagnosticCode =
  | 'file-too-large'
  | 'file-unreadable'
  | 'file-not-utf8'
  | 'too-many-files'
  | 'nesting-too-deep'
  | 'too-many-keys'
  | 'yaml-syntax'
  | 'merge-conflict'
  | 'alias-not-supported'
  | 'tag-not-supported'
  | 'directive-not-supported'
  | 'merge-key-not-supported'
  | 'complex-key'
  | 'non-string-key'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'forbidden-character'
  | 'line-ending'
  | 'ambiguous-scalar'
  | 'empty-file'
  | 'not-a-mapping'
  | 'unknown-resource-type'
  | 'resource-type-mismatch'
  | 'missing-key'
  | 'unknown-key'
  | 'invalid-value'
  | 'invalid-schema'
  | 'unsupported-pattern'
  | 'confirmation-required-for-irreversible'
  | 'unknown-argument'
  | 'undeclared-environment'
  | 'undeclared-secret'
  | 'invalid-placeholder'
  | 'path-outside-workspace'
  | 'duplicate-id'
  | 'unknown-reference'
  | 'wrong-reference-type'
  | 'id-in-several-scopes'
  | 'ignored-phrase'
  | 'policy-rule'
  | 'hard-to-find'
  | 'shared-alias';

/** One finding in a definition file. Data, never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  /** What is wrong and what to write instead. */
  readonly message: string;
  readonly span: Span;
  readonly related?: readonly { readonly path: string; readonly span: Span; readonly message: string }[];
  readonly fix?: DiagnosticFix;
}

/**
 * The repair an editor can offer. `rename-key`: put `key` in the place of the key that `span` covers. `insert-key`: add `key`
 * to the mapping at `path` (keys and indexes from the document's root) of the document that holds `span`.
 */
export type DiagnosticFix =
  | { readonly kind: 'rename-key'; readonly key: string }
  | { readonly kind: 'insert-key'; readonly key: string; readonly path: readonly (string | number)[] };

/** Expected failure inside the engine. Each edge maps it to its own form. */
export type Problem = Omit<ErrorReply, 'status'>;

/** Success or an expected failure. */
export type Result<T, P = Problem> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: P };

// -------------------------------------------------------------------------------------------------- schemas

/** What is wrong with a JSON Schema. */
export interface SchemaProblem {
  readonly code: 'invalid-schema' | 'unsupported-pattern';
  /** A warning does not keep the schema from being used. */
  readonly severity: 'error' | 'warning';
  /** JSON Pointer into the schema. */
  readonly pointer: string;
  /** Whether the keyword at the pointer is wrong, or its value. */
  readonly about: 'keyword' | 'value';
  readonly message: string;
}

/** A schema that is ready to check values. Deterministic; never changes what it is given. */
export interface CompiledSchema {
  /** What is wrong with the value, by place; empty when it fits. Never throws, however deep the value is. */
  validate(value: unknown): readonly InputProblem[];
  /** A new value with the schema's defaults filled in where a property is absent, on every level. */
  applyDefaults(value: unknown): unknown;
}

/** Compiles the schemas of definitions. Results are cached by the schema object. */
export interface SchemaCompiler {
  /** Fails with every problem found; a schema with warnings only compiles. */
  compile(schema: object): Result<CompiledSchema, readonly SchemaProblem[]>;
}

// -------------------------------------------------------------------------------------------------- context

export type HostName = 'vscode' | 'mcp' | 'cli';
export type OperatingSystem = 'linux' | 'macos' | 'windows';

/** Who asks, from where, under which circumstances. Made by the host for every call; nothing in it comes from a model. */
export interface RuntimeContext {
  readonly host: HostName;
  /** One conversation or terminal; binds tokens and the trail. */
  readonly sessionId: string;
  /** `user`, `agent`, `role:…`, `tenant:…`, `host:…`: what access lists name. */
  readonly principals: readonly string[];
  readonly os: OperatingSystem;
  readonly workspaceTrusted: boolean;
  readonly featureFlags: ReadonlySet<string>;
}

/** The three permissions. */
export type Permission = keyof AccessControlList;

/** Whether a resource can be used, and why not. */
export interface AvailabilityReport {
  readonly availability: Availability;
  /** Each reason with the way out, most important first. */
  readonly reasons: readonly string[];
}

/** Answers from the machine that availability needs, gathered before the synchronous stages run. */
export interface EnvironmentFacts {
  hasExecutor(name: string): boolean;
  hasCredential(name: string): boolean;
  hasContext(requirement: string, scope: Scope): boolean;
}

// --------------------------------------------------------------------------------------------------- search

/** Names of the retrievers; also the keys of the weights and of `search_meta`. */
export type RetrieverName = 'exact' | 'lexical' | 'semantic' | 'metadata' | 'hierarchy' | 'history';

/** One content word of a query, with its translations and synonyms. */
export interface QueryConcept {
  /** As it stands in the query, lower case. */
  readonly term: string;
  /** Token lists that mean it: it is covered by a text that holds every token of any of them. */
  readonly forms: readonly (readonly string[])[];
}

/** A query after normalisation (§9). */
export interface ParsedQuery {
  /** As sent, NFKC-normalised and trimmed. */
  readonly text: string;
  readonly language: 'en' | 'zh' | 'mixed' | 'other';
  /** Keys of resources named exactly (id, alias or tool-style name), in the order they stand in the query. */
  readonly explicitKeys: readonly string[];
  /** Pack id that limits the search: `within`, or a pack the query names. */
  readonly scope: string | undefined;
  /** True when `scope` comes from the request and so is a hard limit. */
  readonly scopeIsHard: boolean;
  readonly isBrowseRequest: boolean;
  /** Canonical intents the user wants, most important first. */
  readonly intents: readonly string[];
  readonly entities: readonly string[];
  readonly symptoms: readonly string[];
  /** `read_first`, `dry_run`, `no_network` … */
  readonly constraints: readonly string[];
  readonly forbiddenIntents: readonly string[];
  readonly desiredOutcome: string | undefined;
  /** True when a write was asked for in so many words. */
  readonly isExplicitWrite: boolean;
  /** Keys of resources that a prohibition names. */
  readonly excludedKeys: readonly string[];
  /** Query terms for lexical retrieval as written; forbidden clauses left out. */
  readonly terms: readonly string[];
  /** Translations and synonyms of the terms: weaker evidence than the terms themselves. */
  readonly expansions: readonly string[];
  /** What the query is about, word by word; what is not covered by a candidate speaks against it. */
  readonly concepts: readonly QueryConcept[];
}

/** Which retrievers run, and why. */
export interface SearchPlan {
  readonly retrievers: readonly RetrieverName[];
  readonly reason: string;
}

/** What a retriever is asked. */
export interface RetrievalContext {
  readonly query: ParsedQuery;
  /** Pre-recall hard filter (§14.1): only these may be returned. */
  readonly admits: (resource: Resource) => boolean;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface RetrievalHit {
  readonly key: string;
  /** Position in this retriever's list, from 1. */
  readonly rank: number;
  readonly score: number | undefined;
  readonly matchedFields: readonly string[];
  /** Cosine of the vectors, where there are any. */
  readonly similarity?: number;
}

/** The user's settings of the search by meaning. None of it may come from a workspace: texts go where they say. */
export interface MeaningSettings {
  /** `offline`: the built-in encoder. `endpoint`: an OpenAI-compatible one. `off`: words alone. */
  readonly mode: 'offline' | 'endpoint' | 'off';
  /** Up to and with the version, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** 0: as many as the model gives. */
  readonly dimensions: number;
}

/** One way of finding. Throws or is late: the search goes on without it. */
export interface Retriever {
  readonly name: RetrieverName;
  /** True while it has nothing to work with by the user's choice: then it is not planned. */
  readonly isOff?: boolean;
  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]>;
}

export interface CandidateEvidence {
  readonly source: RetrieverName;
  readonly rank: number;
  readonly rawScore: number | undefined;
  readonly matchedFields: readonly string[];
  readonly similarity?: number;
}

/** A resource with everything that speaks for it (§13). */
export interface GatheredCandidate {
  readonly resource: Resource;
  readonly evidence: readonly CandidateEvidence[];
}

export interface FusedCandidate extends GatheredCandidate {
  readonly fusionScore: number;
}

export interface RankedCandidate extends FusedCandidate {
  readonly score: number;
  readonly matchedIntents: readonly string[];
  readonly matchedEntities: readonly string[];
  readonly matchedSymptoms: readonly string[];
  /** True when a forbidden intent or a `when_not_to_use` line is hit: ranks below every candidate that is not. */
  readonly violates: boolean;
  readonly availability: Availability;
  /** One short line for the reply. */
  readonly why: string;
}

/** One search with what the reply leaves out: for explaining and for measuring. */
export interface SearchTrace {
  readonly reply: SearchReply;
  /** The query as it was read. */
  readonly query: ParsedQuery;
  /** What the verdict was taken from, by name; undefined when nothing could be searched. */
  readonly features: Readonly<Record<string, number>> | undefined;
  /** In the order of the pipeline: what the reply shows, then the rest of the page, then the other candidates as reranked. */
  readonly ranking: readonly RankedCandidate[];
}

/** What a session has found, described, run and been recommended. Gives the workflow stage. */
export interface SessionTrail {
  /** Keys recommended by the last diagnosis or `next_actions`, most recent first. */
  readonly recommended: readonly string[];
  /** Keys of `verify` of the last run. */
  readonly verifying: readonly string[];
  readonly lastRunKey: string | undefined;
  /** Searches in a row without a describe or a run. */
  readonly searchesInARow: number;
}

// ------------------------------------------------------------------------------------------------ execution

/** Exactly what will run. Deep-frozen: what is confirmed is what runs. */
export interface FrozenPlan {
  readonly key: string;
  readonly actionId: string;
  readonly version: number;
  readonly definitionHash: string;
  readonly title: string;
  readonly sideEffect: SideEffect;
  readonly riskLevel: ActionDefinition['risk_level'];
  readonly reversible: boolean | undefined;
  readonly scope: Scope;
  /** Arguments after defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of the canonical JSON of `arguments`. */
  readonly argumentsHash: string;
  /** Program and arguments; never a shell string. */
  readonly argv: readonly string[];
  /** The workspace script, relative to the workspace folder, for a script handler. */
  readonly script: string | undefined;
  /** SHA-256 (hex) of the workspace file that is started (script or program), as read for the plan; checked again right before the start. */
  readonly fileHash: string | undefined;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Names in `environment` whose values come from the host: shown and logged by name only. */
  readonly hostEnvironment: readonly string[];
  readonly stdin: string | undefined;
  readonly network: IsolationLimits['network'];
  readonly write: readonly string[];
  /** Limits that are enforced; undefined when this machine can't and the user has allowed runs without. */
  readonly isolation: IsolationLimits | undefined;
  readonly affectedResources: readonly string[];
  readonly timeoutMs: number;
  readonly requiresConfirmation: boolean;
  /** Which rule wants the confirmation, and why; undefined when none does. */
  readonly askedByPolicy: string | undefined;
  /** SHA-256 (hex) over all of the above. */
  readonly planHash: string;
}

/** A person's answer. `unavailable`: this host can't ask. */
export type ConfirmationAnswer = 'run_once' | 'allow_for_session' | 'declined' | 'unavailable';

/** Input of one tool call after the host has parsed it; still untrusted. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Upper limit for the reply, in tokens, when the host gives one. */
  readonly tokenBudget?: number;
}

// ------------------------------------------------------------------------- services stages receive, not import

/** Decides the three permissions and availability. The one Policy Service (§14): search, disclosure and execution all ask it. */
export interface PolicyService {
  /** Whether the context's principals have the permission, through access lists and feature flags. */
  may(permission: Permission, resource: Resource, context: RuntimeContext): boolean;
  /** Whether it can run here and now; the first failing check names the availability. */
  availability(resource: Resource, context: RuntimeContext): AvailabilityReport;
}

/** Turns an id a caller sent into a resource it may discover. What it may not discover answers exactly like an unknown id. */
export interface ResourceResolver {
  /** Fails with `unknown_resource` (and `did_you_mean`), or `invalid_request` when the id stands in several scopes or is defined twice. */
  resolve(reference: string, context: RuntimeContext): Result<Resource>;
}

// -------------------------------------------------------------------------------------------------- history

/** How one use of a resource ended; `described` stands for reading its contract. */
export type UsageOutcome = 'described' | 'succeeded' | 'failed' | 'declined';

/** One use of a resource (§11.6). Derived from the audit log; holds no arguments and nobody's words. */
export interface UsageEvent {
  /** Id within the folder that defines the resource. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly outcome: UsageOutcome;
  /** Of the search that led here, the words that the registry or the lexicon knows; never the goal itself. */
  readonly goal: readonly string[];
}

/** Which uses are asked for. */
export interface UsageRequest {
  /** Absolute path of the folder whose definitions were used. */
  readonly root: string;
  /** Milliseconds since the Unix epoch; both exclusive. */
  readonly after: number;
  readonly before: number;
  readonly limit: number;
}

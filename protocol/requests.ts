/**
 * What the client and the server say to each other beyond the Language Server Protocol, declared once.
 * The client asks for the four tools; the server asks back for a person's answer.
 */
import {
  ProtocolNotificationType,
  ProtocolRequestType,
  ProtocolRequestType0,
  type Range,
} from 'vscode-languageserver-protocol';
import type {
  BudgetLimits,
  ConfirmationAnswer,
  DescribeReply,
  ErrorReply,
  ListReply,
  MeaningSettings,
  RunReply,
  SearchReply,
} from '../capabilities/models';

/** Names of the four tools, as agents see them. */
export type ToolName = 'capability_search' | 'capability_list' | 'capability_describe' | 'capability_run';

/** One tool call. `input` is what the model or the person sent, not yet checked. */
export interface ToolCallParams {
  /** Chosen by the client; names the call in a `CancelRequest`. */
  readonly callId: string;
  readonly input: unknown;
  /** Who asked: an agent through a tool, or the person through a command. */
  readonly requestedBy: 'agent' | 'user';
  /** Upper limit for the reply in tokens, when the host gives one. */
  readonly tokenBudget?: number;
}

/** Request of one tool; fails with a reply, not with a protocol error. */
export type ToolRequest<Reply> = ProtocolRequestType<ToolCallParams, Reply | ErrorReply, never, void, void>;

export const SearchRequest: ToolRequest<SearchReply> = new ProtocolRequestType('capability/search');
export const ListRequest: ToolRequest<ListReply> = new ProtocolRequestType('capability/list');
export const DescribeRequest: ToolRequest<DescribeReply> = new ProtocolRequestType('capability/describe');
export const RunRequest: ToolRequest<RunReply> = new ProtocolRequestType('capability/run');

/** Stops one call by its id, or every running call. For surfaces that do not hold the call's own cancellation token. */
export interface CancelParams {
  readonly callId?: string;
}
export interface CancelResult {
  /** How many calls were told to stop. */
  readonly cancelled: number;
}
export const CancelRequest = new ProtocolRequestType<CancelParams, CancelResult, never, void, void>(
  'capability/cancel',
);

/** A resource as the client's own pickers show it. */
export interface RunnableSummary {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}
/** The actions the person may run from the command palette. */
export const RunnableRequest = new ProtocolRequestType0<readonly RunnableSummary[], never, void, void>(
  'capability/runnable',
);

/** Where a resource is defined. */
export interface SourceParams {
  readonly resourceId: string;
}
export interface SourceResult {
  readonly uri: string;
  readonly range: Range;
}
export const SourceRequest = new ProtocolRequestType<SourceParams, SourceResult | null, never, void, void>(
  'capability/source',
);

/** Forgets the past use of the open folders' resources. Fails when that could not be written. */
export const ClearHistoryRequest = new ProtocolRequestType0<null, never, void, void>('capability/clearHistory');

/** Text of a new definition file: a pack with one action to start from. */
export interface TemplateParams {
  readonly packId: string;
  readonly title: string;
}
export const TemplateRequest = new ProtocolRequestType<TemplateParams, string, never, void, void>(
  'capability/template',
);

/** Server to client: show the native dialog. Every word was made by the engine from the frozen plan. */
export interface ConfirmParams {
  readonly title: string;
  readonly detail: string;
  readonly canAllowForSession: boolean;
}
export const ConfirmRequest = new ProtocolRequestType<ConfirmParams, ConfirmationAnswer, never, void, void>(
  'capability/confirm',
);

/** Server to client: ask whether a pack may run, as it is now. */
export interface ApprovePackParams {
  readonly title: string;
  readonly detail: string;
}
export const ApprovePackRequest = new ProtocolRequestType<
  ApprovePackParams,
  'approved' | 'declined',
  never,
  void,
  void
>('capability/approvePack');

/** Server to client: say in English what a goal means that the search's rules can't read. Fails where there is no model. */
export interface RestateGoalParams {
  readonly goal: string;
}
export interface RestateGoalResult {
  /** Empty when the goal asks for nothing. */
  readonly text: string;
}
export const RestateGoalRequest = new ProtocolRequestType<RestateGoalParams, RestateGoalResult, never, void, void>(
  'capability/restateGoal',
);

/** Server to client: the key of the embeddings endpoint, from the editor's secret store; null when none is set. */
export const EmbeddingsKeyRequest = new ProtocolRequestType0<{ readonly key: string | null }, never, void, void>(
  'capability/embeddingsKey',
);

/** Client to server: what only the editor knows changed. */
export const ContextNotification = new ProtocolNotificationType<HostContext, void>('capability/context');

/** Server to client: the registry changed. */
export interface StatusParams {
  readonly packs: number;
  readonly actions: number;
  readonly recipes: number;
  readonly errors: number;
}
export const StatusNotification = new ProtocolNotificationType<StatusParams, void>('capability/status');

/** What the editor knows and the engine needs; none of it comes from the workspace's files or from a model. */
export interface HostContext {
  readonly workspaceTrusted: boolean;
  /** Roles of the user, from user settings. */
  readonly roles: readonly string[];
  readonly featureFlags: readonly string[];
  /** Absolute paths of folders with the user's own packs, beside `~/.capabilities`. */
  readonly userPackFolders: readonly string[];
  /** What happens where this machine can't isolate; user settings only. */
  readonly isolationFallback: 'refuse' | 'confirm';
  /** Limits on what a session may run; user settings only. */
  readonly budget: BudgetLimits;
  /** Whether past use may be kept and help to order results. */
  readonly usesHistory: boolean;
  /** How the search by meaning works; user settings only. */
  readonly meaning: MeaningSettings;
  /** Whether a chat model may be asked about goals that the search's rules can't read. */
  readonly restatesGoals: boolean;
  /** Whether the server looks for metadata that does not do its work. */
  readonly checksDiscoverability: boolean;
}

/** `initializationOptions`. A client that sends none (any LSP editor) gets language features; running stays untrusted. */
export interface InitializationOptions {
  readonly context: HostContext;
  /** Display language, for the confirmation's words: `en`, `zh-cn`. */
  readonly locale: string;
  /** Stands for this window: binds tokens and the trail. */
  readonly sessionId: string;
}

import path from 'node:path';
import * as vscode from 'vscode';
import {
  LanguageClient,
  State,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import type { ErrorReply } from '../capabilities/models';
import {
  ApprovePackRequest,
  ConfirmRequest,
  ContextNotification,
  EmbeddingsKeyRequest,
  RestateGoalRequest,
  StatusNotification,
  type InitializationOptions,
  type StatusParams,
  type ToolCallParams,
  type ToolRequest,
} from '../protocol/requests';
import { showApprovalDialog, showConfirmationDialog } from './confirmation-dialog';
import type { EmbeddingsKey } from './embeddings-key';
import { restateGoal } from './goal-restating';
import { onDidChangeHostContext, readHostContext } from './host-context';

/**
 * The one connection to the language server. Started at the first need and started anew after a crash; a call that
 * a crash cut off ends with an error the caller can act on.
 */
export class ServerConnection implements vscode.Disposable {
  readonly #client: LanguageClient;
  readonly #disposables: { dispose(): unknown }[] = [];
  readonly #status = new vscode.EventEmitter<StatusParams>();
  #starting: Promise<void> | undefined;
  #calls = 0;

  readonly onDidChangeStatus = this.#status.event;

  constructor(extensionUri: vscode.Uri, log: vscode.LogOutputChannel, embeddingsKey: EmbeddingsKey) {
    this.#client = new LanguageClient(
      'capabilities',
      'Capability Layer',
      serverOptions(extensionUri),
      clientOptions(log),
    );
    const sendContext = (): void => {
      if (this.#client.state === State.Running)
        void this.#client.sendNotification(ContextNotification, readHostContext());
    };
    this.#disposables.push(
      this.#status,
      this.#client.onRequest(ConfirmRequest, showConfirmationDialog),
      this.#client.onRequest(ApprovePackRequest, showApprovalDialog),
      this.#client.onRequest(RestateGoalRequest, restateGoal),
      this.#client.onNotification(StatusNotification, (status) => {
        this.#status.fire(status);
      }),
      this.#client.onRequest(EmbeddingsKeyRequest, async () => ({ key: await embeddingsKey.read() })),
      onDidChangeHostContext(sendContext),
      embeddingsKey.onDidChange(sendContext),
    );
  }

  /** Starts the server unless it runs. Rejects when it can't be started. */
  async start(): Promise<LanguageClient> {
    if (this.#client.state === State.Stopped) {
      this.#starting ??= this.#client.start().finally(() => {
        this.#starting = undefined;
      });
    }
    await (this.#starting ?? this.#client.start());
    return this.#client;
  }

  /** Sends one tool call; never rejects except on cancellation. */
  async call<Reply>(
    type: ToolRequest<Reply>,
    call: Omit<ToolCallParams, 'callId'>,
    token: vscode.CancellationToken,
  ): Promise<Reply | ErrorReply> {
    this.#calls += 1;
    const params: ToolCallParams = { ...call, callId: `${vscode.env.sessionId}:${this.#calls}` };
    try {
      const client = await this.start();
      return await client.sendRequest(type, params, token);
    } catch (error) {
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      return connectionLost(error);
    }
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    if (this.#client.state !== State.Stopped) void this.#client.stop();
  }
}

function connectionLost(error: unknown): ErrorReply {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    status: 'error',
    code: 'internal',
    message: `The capability server stopped before it answered (${reason}). It is started again by the next call. If this was a run, check what it did before you repeat it.`,
    retryable: true,
  };
}

function serverOptions(extensionUri: vscode.Uri): ServerOptions {
  const module = path.join(extensionUri.fsPath, 'dist', 'server.js');
  return {
    run: { module, transport: TransportKind.stdio },
    debug: { module, transport: TransportKind.stdio, options: { execArgv: ['--nolazy', '--inspect=6009'] } },
  };
}

function clientOptions(log: vscode.LogOutputChannel): LanguageClientOptions {
  const initializationOptions = (): InitializationOptions => ({
    context: readHostContext(),
    locale: vscode.env.language,
    sessionId: vscode.env.sessionId,
  });
  const userFolders = readHostContext().userPackFolders.map((folder) => ({
    scheme: 'file',
    language: 'yaml',
    pattern: `${folder}/**`,
  }));
  return {
    documentSelector: [{ scheme: 'file', language: 'yaml', pattern: '**/.capabilities/**' }, ...userFolders],
    diagnosticCollectionName: 'capabilities',
    outputChannel: log,
    initializationOptions,
  };
}

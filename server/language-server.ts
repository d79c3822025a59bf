import { homedir } from 'node:os';
import path from 'node:path';
import {
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  type WorkspaceFolder,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Engine } from '../capabilities/engine';
import type { Scope } from '../capabilities/models';
import { EmbedderSource } from '../capabilities/node/embedder-source';
import { nodePaths } from '../capabilities/node/node-paths';
import { createNodePorts } from '../capabilities/node/node-ports';
import { operatingSystem } from '../capabilities/node/operating-system';
import { makeScopes, type NamedFolder } from '../capabilities/scopes';
import {
  ContextNotification,
  EmbeddingsKeyRequest,
  StatusNotification,
  type HostContext,
  type InitializationOptions,
} from '../protocol/requests';
import { ConnectionLogger } from './connection-logger';
import { DefinitionWatcher } from './definition-watcher';
import { DiagnosticsPublisher } from './diagnostics-publisher';
import { DiscoverabilityChecks } from './discoverability-checks';
import { dialogLanguage } from './dialog-language';
import { completionTriggerCharacters } from './features/completion-provider';
import { FileUris, pathOfUri } from './file-uris';
import { HostConfirmer } from './host-confirmer';
import { HostGoalReader } from './host-goal-reader';
import { registerLanguageFeatures } from './language-features';
import { LiveDefinitions } from './live-definitions';
import { readHostContext, toRuntimeContext, UNTRUSTED_CONTEXT } from './runtime-contexts';
import { registerToolRequests } from './tool-requests';

/** Quiet time after a change in the editor before the file is checked, in milliseconds. */
const typingPause = 20;

/** The server over one connection: lifecycle, documents and settings. Features and tools stand in files of their own. */
export class LanguageServer {
  readonly #connection: Connection;
  readonly #confirmer: HostConfirmer;
  readonly #engine: Engine;
  readonly #live: LiveDefinitions;
  readonly #publisher: DiagnosticsPublisher;
  readonly #discoverability: DiscoverabilityChecks;
  readonly #embedders: EmbedderSource;
  readonly #watcher: DefinitionWatcher;
  readonly #logger: ConnectionLogger;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #uris = new FileUris();
  readonly #typing = new Map<string, NodeJS.Timeout>();
  readonly #ready: Promise<void>;
  #markReady: () => void = () => undefined;
  #locale = 'en';
  #sessionId = 'language-server';
  #context: HostContext = UNTRUSTED_CONTEXT;
  #folders: readonly NamedFolder[] = [];
  #scopes: readonly Scope[] = [];
  #canWatch = false;
  /** The settings in use, with the key, as text; to see whether they differ. */
  #meaning = '';
  #isOwnClient = false;

  constructor(connection: Connection) {
    const ports = createNodePorts();
    this.#connection = connection;
    this.#embedders = new EmbedderSource(__dirname, ports.clock);
    this.#ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.#logger = new ConnectionLogger(connection);
    this.#confirmer = new HostConfirmer(connection);
    this.#engine = new Engine({
      ...ports,
      logger: this.#logger,
      confirmer: this.#confirmer,
      budget: () => this.#context.budget,
      isolationFallback: () => this.#context.isolationFallback,
      goalReader: new HostGoalReader(connection, () => this.#context.restatesGoals),
      localize: (key, ...values) => dialogLanguage(this.#locale)(key, ...values),
    });
    this.#live = new LiveDefinitions(this.#engine.registry, this.#engine.rules, ports.digest);
    const files = {
      uriOf: (file: string) => this.#uris.uriOf(file),
      textOf: (file: string) => this.#live.textOf(file),
    };
    this.#publisher = new DiagnosticsPublisher(connection, this.#live, files);
    this.#discoverability = this.#createDiscoverabilityChecks();
    this.#watcher = new DefinitionWatcher(connection, (paths) => void this.#refresh(paths));
    registerLanguageFeatures(connection, { documents: this.#documents, live: this.#live, files, guard: this.#guard });
    registerToolRequests(connection, {
      engine: this.#engine,
      files,
      logger: this.#logger,
      whenReady: () => this.#ready,
      roots: () => this.#scopes.map((scope) => scope.root),
      contextOf: (requestedBy) =>
        toRuntimeContext(this.#context, { sessionId: this.#sessionId, requestedBy, os: operatingSystem() }),
    });
  }

  #createDiscoverabilityChecks(): DiscoverabilityChecks {
    const engine = this.#engine;
    const { signal } = new AbortController();
    const openPaths = (): ReadonlySet<string> =>
      new Set(this.#documents.all().flatMap(({ uri }) => pathOfUri(uri) ?? []));
    return new DiscoverabilityChecks({
      registry: engine.registry,
      openPaths: () => new Set([...openPaths()].filter((file) => this.#scopeOf(file) !== undefined)),
      savedTextOf: (file) => {
        const content = engine.registry.file(file)?.content;
        return content?.kind === 'parsed' ? content.parsed.text : undefined;
      },
      search: async (query) => {
        const context = toRuntimeContext(this.#context, {
          ...{ sessionId: 'discoverability', requestedBy: 'user', os: operatingSystem() },
        });
        const { ranking } = await engine.explain({ query }, context, { signal });
        return ranking.map(({ resource }) => resource);
      },
      show: (file, text, diagnostics) => {
        this.#publisher.advise(file, text, diagnostics);
      },
      logger: this.#logger,
    });
  }

  /** Connects the lifecycle and starts listening. */
  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#initialized());
    connection.onNotification(ContextNotification, (context) => void this.#changeContext(readHostContext(context)));
    this.#documents.onDidChangeContent(({ document }) => {
      this.#documentChanged(document);
    });
    this.#documents.onDidOpen(() => {
      this.#discoverability.schedule();
    });
    this.#documents.onDidClose(({ document }) => {
      this.#documentClosed(document);
    });
    // Sooner than the client's watcher says it.
    this.#documents.onDidSave(({ document }) => {
      const file = pathOfUri(document.uri);
      if (file !== undefined) void this.#refresh([file]);
    });
    connection.onShutdown(async () => {
      this.#discoverability.setEnabled(false);
      await this.#engine.dispose();
      await this.#embedders.dispose();
    });
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult {
    const options = params.initializationOptions as Partial<InitializationOptions> | undefined;
    if (options?.context) {
      this.#context = readHostContext(options.context);
      this.#confirmer.allowDialogs();
      this.#isOwnClient = true;
    }
    this.#engine.history.setEnabled(this.#context.usesHistory);
    this.#discoverability.setEnabled(this.#context.checksDiscoverability);
    this.#locale = options?.locale ?? params.locale ?? 'en';
    this.#sessionId = options?.sessionId ?? this.#sessionId;
    this.#folders = namedFolders(params.workspaceFolders ?? []);
    this.#canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'capability-layer' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } },
        completionProvider: { triggerCharacters: [...completionTriggerCharacters] },
        hoverProvider: true,
        definitionProvider: true,
        documentSymbolProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  async #initialized(): Promise<void> {
    this.#connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const gone = new Set(namedFolders(removed).map((folder) => folder.path));
      this.#folders = [...this.#folders.filter((folder) => !gone.has(folder.path)), ...namedFolders(added)];
      void this.#load();
    });
    await this.#load();
    this.#markReady();
    await this.#useMeaning();
  }

  async #changeContext(context: HostContext): Promise<void> {
    const before = this.#context.userPackFolders.join('\n');
    this.#context = context;
    this.#engine.history.setEnabled(context.usesHistory);
    this.#discoverability.setEnabled(context.checksDiscoverability);
    await this.#useMeaning();
    if (before !== context.userPackFolders.join('\n')) await this.#load();
  }

  /** After the first load, so that nothing waits for it. */
  async #useMeaning(): Promise<void> {
    const { meaning } = this.#context;
    const isAsked = meaning.mode === 'endpoint' && this.#isOwnClient;
    const { key } = isAsked ? await this.#connection.sendRequest(EmbeddingsKeyRequest) : { key: null };
    const wanted = JSON.stringify([meaning, key]);
    if (wanted === this.#meaning) return;
    this.#meaning = wanted;
    const choice = this.#embedders.choose(meaning, key ?? undefined);
    if (!choice && meaning.mode !== 'off')
      this.#logger.log('warn', 'Search by meaning is off: its encoder or the settings of its endpoint are missing.');
    this.#engine.useEmbedder(choice);
    await this.#engine.prepareMeaning(0);
  }

  async #load(): Promise<void> {
    const userFolders = [path.join(homedir(), '.capabilities'), ...this.#context.userPackFolders];
    this.#scopes = makeScopes(this.#folders, userFolders, nodePaths);
    this.#live.setScopes(this.#scopes);
    // An open document may belong to a folder that has just come.
    for (const document of this.#documents.all()) this.#documentChanged(document);
    const loading = this.#engine.load(this.#scopes);
    const watching = this.#canWatch ? this.#watcher.watch(this.#scopes) : Promise.resolve();
    const [loaded, watched] = await Promise.allSettled([loading, watching]);
    for (const result of [loaded, watched]) {
      if (result.status === 'rejected')
        this.#logger.log('error', 'Definitions could not be loaded or watched.', { reason: String(result.reason) });
    }
    this.#reportStatus();
  }

  async #refresh(paths: readonly string[]): Promise<void> {
    await this.#ready;
    for (const changed of paths) await this.#engine.refresh(changed);
    this.#reportStatus();
  }

  #documentChanged(document: TextDocument): void {
    const file = this.#uris.learn(document.uri);
    const scope = file === undefined ? undefined : this.#scopeOf(file);
    if (file === undefined || !scope) return;
    clearTimeout(this.#typing.get(file));
    const check = (): void => {
      this.#typing.delete(file);
      // The folder may have been closed in the meantime.
      if (!this.#scopes.includes(scope)) return;
      this.#guard('diagnostics', () => {
        this.#live.edit(file, scope, document.getText());
      });
    };
    this.#typing.set(file, setTimeout(check, typingPause));
  }

  #documentClosed(document: TextDocument): void {
    const file = pathOfUri(document.uri);
    if (file === undefined) return;
    clearTimeout(this.#typing.get(file));
    this.#typing.delete(file);
    this.#live.close(file);
  }

  #scopeOf(file: string): Scope | undefined {
    return this.#scopes.find((scope) => file.startsWith(scope.definitions + path.sep));
  }

  #reportStatus(): void {
    const count = (type: string): number =>
      this.#engine.registry.all().filter((resource) => resource.type === type).length;
    const status = {
      packs: count('pack'),
      actions: count('action'),
      recipes: count('recipe'),
      errors: this.#publisher.countErrors(),
    };
    this.#guard('status', () => void this.#connection.sendNotification(StatusNotification, status));
  }

  readonly #guard = <T>(feature: string, handler: () => T): T | undefined => {
    try {
      return handler();
    } catch (error) {
      this.#logger.log(
        'error',
        `${feature} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return undefined;
    }
  };
}

function namedFolders(folders: readonly WorkspaceFolder[]): NamedFolder[] {
  return folders.flatMap(({ name, uri }) => {
    const folder = pathOfUri(uri);
    return folder === undefined ? [] : [{ name, path: folder }];
  });
}

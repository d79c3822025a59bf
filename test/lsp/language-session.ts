import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { NO_BUDGET } from '../../capabilities/execution/run-budget';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createConnection,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  FileChangeType,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  StreamMessageReader,
  StreamMessageWriter,
  UnregistrationRequest,
  type Diagnostic,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { ConfirmationAnswer } from '../../capabilities/models';
import {
  ApprovePackRequest,
  ConfirmRequest,
  type ConfirmParams,
  type HostContext,
  type InitializationOptions,
} from '../../protocol/requests';
import { LanguageServer } from '../../server/language-server';

/** How to start a session. */
export interface LanguageSessionOptions {
  /** Definition files of the workspace by their path below `.capabilities`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Puts into the folder `.capabilities` what is more than text, before the server starts. */
  readonly prepare?: (definitions: string) => void;
  readonly context?: Partial<HostContext>;
  /** Answers the server's confirmation; without it the test fails when one is asked for. */
  readonly confirm?: (params: ConfirmParams) => ConfirmationAnswer | Promise<ConfirmationAnswer>;
  /** False plays an editor that knows nothing of this product. */
  readonly isOwnClient?: boolean;
}

/** The real server over a pair of streams, and a client that speaks real messages. */
export interface LanguageSession {
  readonly client: ProtocolConnection;
  readonly folder: string;
  /** The newest diagnostics of a file below `.capabilities`. */
  diagnostics(name: string): readonly Diagnostic[];
  /** Waits until a file's diagnostics fit. */
  whenDiagnostics(name: string, fits: (diagnostics: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  uri(name: string): string;
  open(name: string, text: string): Promise<void>;
  /** Replaces the whole text of an open file. */
  edit(name: string, text: string): Promise<void>;
  close(name: string): Promise<void>;
  /** Writes a file to disk and says so, as the client's watcher would; `undefined` deletes it. */
  save(name: string, text: string | undefined): Promise<void>;
  end(): Promise<void>;
}

/** Starts the server in this process with a home folder and a workspace of its own. */
export async function startLanguageSession(options: LanguageSessionOptions = {}): Promise<LanguageSession> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'capability-lsp-')));
  const home = path.join(root, 'home');
  const folder = path.join(root, 'workspace');
  const definitions = path.join(folder, '.capabilities');
  await mkdir(home);
  await mkdir(definitions, { recursive: true });
  for (const [name, text] of Object.entries(options.files ?? {})) await writeDefinition(definitions, name, text);
  options.prepare?.(definitions);
  const restoreHome = useHome(home);
  const { client, dispose } = connect();
  const inbox = new DiagnosticsInbox(client);
  client.onRequest(ApprovePackRequest, () => 'approved' as const);
  client.onRequest(ConfirmRequest, (params) => {
    if (!options.confirm) throw new Error('a confirmation was asked for');
    return options.confirm(params);
  });
  client.onRequest(RegistrationRequest.type, () => undefined);
  client.onRequest(UnregistrationRequest.type, () => undefined);
  client.listen();
  await initialize(client, folder, options);
  let version = 1;
  const uri = (name: string): string => pathToFileURL(path.join(definitions, name)).href;
  return {
    client,
    folder,
    uri,
    diagnostics: (name) => inbox.of(uri(name)),
    whenDiagnostics: (name, fits) => inbox.when(uri(name), fits),
    open: (name, text) =>
      client.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: uri(name), languageId: 'yaml', version: (version += 1), text },
      }),
    edit: (name, text) =>
      client.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri: uri(name), version: (version += 1) },
        contentChanges: [{ text }],
      }),
    close: (name) =>
      client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uri(name) } }),
    async save(name, text) {
      if (text === undefined) await rm(path.join(definitions, name), { recursive: true });
      else await writeDefinition(definitions, name, text);
      const type = text === undefined ? FileChangeType.Deleted : FileChangeType.Changed;
      await client.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri: uri(name), type }] });
    },
    async end() {
      dispose();
      restoreHome();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function writeDefinition(folder: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function useHome(home: string): () => void {
  const before = { HOME: process.env['HOME'], XDG_DATA_HOME: process.env['XDG_DATA_HOME'] };
  process.env['HOME'] = home;
  delete process.env['XDG_DATA_HOME'];
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
}

function connect(): { client: ProtocolConnection; dispose: () => void } {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  new LanguageServer(server).listen();
  const client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  return {
    client,
    dispose: () => {
      client.dispose();
      server.dispose();
      toServer.destroy();
      toClient.destroy();
    },
  };
}

async function initialize(client: ProtocolConnection, folder: string, options: LanguageSessionOptions): Promise<void> {
  const context: HostContext = {
    workspaceTrusted: true,
    roles: [],
    featureFlags: [],
    userPackFolders: [],
    isolationFallback: 'refuse',
    budget: NO_BUDGET,
    usesHistory: true,
    checksDiscoverability: false,
    restatesGoals: false,
    meaning: { mode: 'off', url: '', model: '', dimensions: 0 },
    ...options.context,
  };
  const initializationOptions: InitializationOptions = { context, locale: 'en', sessionId: 'test-session' };
  await client.sendRequest(InitializeRequest.type, {
    processId: null,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the protocol still requires it
    rootUri: null,
    capabilities: {
      workspace: {
        didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
        workspaceFolders: true,
      },
    },
    workspaceFolders: [{ name: 'workspace', uri: pathToFileURL(folder).href }],
    ...(options.isOwnClient === false ? {} : { initializationOptions }),
  });
  await client.sendNotification(InitializedNotification.type, {});
}

/** Keeps the newest diagnostics of every file and tells who waits for them. */
class DiagnosticsInbox {
  readonly #newest = new Map<string, readonly Diagnostic[]>();
  readonly #waiting = new Set<() => void>();

  constructor(client: ProtocolConnection) {
    client.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      this.#newest.set(uri, diagnostics);
      for (const look of this.#waiting) look();
    });
  }

  of(uri: string): readonly Diagnostic[] {
    return this.#newest.get(uri) ?? [];
  }

  when(uri: string, fits: (diagnostics: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        const diagnostics = this.#newest.get(uri);
        if (!diagnostics || !fits(diagnostics)) return;
        this.#waiting.delete(look);
        resolve(diagnostics);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Engine } from '../capabilities/engine';
import { localizeInEnglish } from '../capabilities/execution/confirmation-messages';
import { visibleElement, visibleText } from '../capabilities/execution/visible-text';
import type { ErrorReply, MeaningSettings, RuntimeContext } from '../capabilities/models';
import { EmbedderSource } from '../capabilities/node/embedder-source';
import { nodePaths } from '../capabilities/node/node-paths';
import { createNodePorts } from '../capabilities/node/node-ports';
import { operatingSystem } from '../capabilities/node/operating-system';
import type { DataStore, IsolationReport, LogLevel, Logger } from '../capabilities/ports';
import { makeScopes } from '../capabilities/scopes';
import { createTools, type Tools } from '../capabilities/tools/all-tools';
import type { CapabilityTool } from '../capabilities/tools/tool';
import type { Terminal } from './terminal';
import { TerminalConfirmer } from './terminal-confirmer';
import { WorkspaceTrust } from './workspace-trust';

/** A finding with its place in line and column, from 1. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

/** `off` switches the history of use off. */
const HISTORY_VARIABLE = 'CAPABILITY_HISTORY';
/** The settings of the search by meaning, where there is no editor: `off`, or the URL, model and key of an embeddings endpoint. */
const MEANING_VARIABLES = {
  mode: 'CAPABILITY_MEANING',
  url: 'CAPABILITY_EMBEDDINGS_URL',
  model: 'CAPABILITY_EMBEDDINGS_MODEL',
  key: 'CAPABILITY_EMBEDDINGS_KEY',
} as const;
/** Longest wait for vectors before a search at the command line goes by words alone, in milliseconds. */
/** As the setting `capabilities.isolation.whenUnavailable`: `refuse` or `confirm`. */
const ISOLATION_VARIABLE = 'CAPABILITY_ISOLATION';
const LONGEST_WAIT_FOR_VECTORS = 3000;

/** The engine over one workspace, for one command. */
export interface CliHost {
  readonly engine: Engine;
  /** Who asks, and from where. */
  readonly context: RuntimeContext;
  /** Real path of the workspace folder. */
  readonly root: string;
  /** Folders whose definitions are read: the workspace, then the user's own. */
  readonly definitionRoots: readonly string[];
  readonly tools: Tools;
  /** Calls a tool as the person at the terminal. */
  call<Reply>(tool: CapabilityTool<Reply>, input: unknown): Promise<Reply | ErrorReply>;
  /** Waits a moment for the search by meaning to be ready. */
  prepareMeaning(): Promise<void>;
  /** Ends what runs in the background, so that the process can end. */
  dispose(): Promise<void>;
  /** Diagnostics of every definition file. */
  findings(): readonly Finding[];
  /** Tries the isolation of this machine. */
  checkIsolation(): Promise<IsolationReport>;
  /** Folder of approvals, records and snapshots. */
  readonly dataFolder: string;
  /** Why the data folder can't be written; undefined when it can. */
  checkStore(): Promise<string | undefined>;
  /** Remembers that the person trusts this workspace. */
  trust(): Promise<void>;
}

/** Reads the definitions of a workspace and of the user. Fails when the folder does not exist. */
export async function openCliHost(workspace: string, terminal: Terminal): Promise<CliHost> {
  const ports = createNodePorts();
  const root = realFolder(workspace);
  const logger: Logger = {
    log: (level, message, fields) => {
      if (level === 'error' || level === 'warn') terminal.tell(logLine(level, message, fields?.['reason']));
    },
  };
  const trust = new WorkspaceTrust(ports.store, logger);
  const engine = new Engine({
    ...ports,
    logger,
    confirmer: new TerminalConfirmer(terminal),
    localize: localizeInEnglish,
    isolationFallback: () =>
      ports.machine.environmentVariable(ISOLATION_VARIABLE) === 'confirm' ? 'confirm' : 'refuse',
  });
  // As with the setting of the editor: nothing is kept and nothing kept is used.
  engine.history.setEnabled(ports.machine.environmentVariable(HISTORY_VARIABLE)?.toLowerCase() !== 'off');
  const embedders = new EmbedderSource(__dirname, ports.clock);
  engine.useEmbedder(embedders.choose(...readMeaningSettings((name) => ports.machine.environmentVariable(name))));
  const folders = [{ name: path.basename(root) || 'workspace', path: root }];
  const scopes = makeScopes(folders, [path.join(ports.fileSystem.home, '.capabilities')], nodePaths);
  await engine.load(scopes);
  const controller = stopOnSignals();
  const context = makeContext(await trust.isTrusted(root), ports.digest.sha256(root));
  return {
    engine,
    context,
    root,
    definitionRoots: scopes.map((scope) => scope.root),
    tools: createTools(engine),
    call: async (tool, input) => withWayOut(await tool.execute(input, context, { signal: controller.signal }), root),
    prepareMeaning: () => engine.prepareMeaning(LONGEST_WAIT_FOR_VECTORS),
    dispose: async () => {
      await engine.dispose();
      await embedders.dispose();
    },
    findings: () => collectFindings(engine),
    checkIsolation: () => ports.isolator.check(),
    dataFolder: ports.store.folder,
    checkStore: () => tryToWrite(ports.store),
    trust: () => trust.trust(root),
  };
}

async function tryToWrite(store: DataStore): Promise<string | undefined> {
  const name = `doctor-${process.pid}.txt`;
  try {
    await store.write(name, 'written by capability doctor');
    await store.remove(name);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** As with the settings of the editor; the variables belong to the person who runs the command. */
function readMeaningSettings(
  variable: (name: string) => string | undefined,
): readonly [settings: MeaningSettings, apiKey: string | undefined] {
  const url = variable(MEANING_VARIABLES.url) ?? '';
  const isOff = variable(MEANING_VARIABLES.mode)?.toLowerCase() === 'off';
  const mode = isOff ? 'off' : url === '' ? 'offline' : 'endpoint';
  const model = variable(MEANING_VARIABLES.model) ?? '';
  return [{ mode, url, model, dimensions: 0 }, variable(MEANING_VARIABLES.key)];
}

function logLine(level: LogLevel, message: string, reason: string | number | boolean | undefined): string {
  return `${level}: ${message}${reason === undefined ? '' : ` (${visibleText(String(reason))})`}`;
}

/** The engine knows no hosts; here trust is given by a command. */
function withWayOut<Reply>(reply: Reply | ErrorReply, root: string): Reply | ErrorReply {
  const isFailure = typeof reply === 'object' && reply !== null && 'code' in reply;
  if (!isFailure || reply.code !== 'workspace_untrusted') return reply;
  const advice = `A person trusts it with \`capability trust --workspace ${visibleElement(root)}\` in a terminal.`;
  return { ...reply, message: `${reply.message} ${advice}` };
}

function realFolder(workspace: string): string {
  if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`There is no folder ${visibleText(workspace)}. Name the workspace with --workspace DIR.`);
  }
  return realpathSync(workspace);
}

/** The session of a token is the workspace: the call that is confirmed comes from another process. */
function makeContext(workspaceTrusted: boolean, rootHash: string): RuntimeContext {
  return {
    host: 'cli',
    sessionId: `cli:${rootHash.slice(0, 16)}`,
    principals: ['user', 'host:cli'],
    os: operatingSystem(),
    workspaceTrusted,
    featureFlags: new Set(),
  };
}

/** Ctrl-C and a polite kill stop the run with its process tree, and let the audit record it. */
function stopOnSignals(): AbortController {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort(new Error(`stopped by ${signal}`));
    });
  }
  return controller;
}

function collectFindings(engine: Engine): readonly Finding[] {
  return engine.registry.paths.flatMap((file) => {
    const content = engine.registry.file(file)?.content;
    const text = content?.kind === 'parsed' ? content.parsed.text : '';
    return engine.registry.diagnostics(file).map(({ span, severity, code, message }) => {
      const before = text.slice(0, span.start).split(/\r\n|\r|\n/);
      return { path: file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, severity, code, message };
    });
  });
}

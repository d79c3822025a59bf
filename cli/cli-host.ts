import { realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Engine } from '../capabilities/engine';
import { localizeInEnglish } from '../capabilities/execution/confirmation-messages';
import type { ErrorReply, RuntimeContext } from '../capabilities/models';
import { nodePaths } from '../capabilities/node/node-paths';
import { createNodePorts } from '../capabilities/node/node-ports';
import { operatingSystem } from '../capabilities/node/operating-system';
import type { LogLevel } from '../capabilities/ports';
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

/** The engine over one workspace, for one command. */
export interface CliHost {
  readonly engine: Engine;
  readonly tools: Tools;
  /** Calls a tool as the person at the terminal. */
  call<Reply>(tool: CapabilityTool<Reply>, input: unknown): Promise<Reply | ErrorReply>;
  /** Diagnostics of every definition file. */
  findings(): readonly Finding[];
  /** Remembers that the person trusts this workspace. */
  trust(): Promise<void>;
}

/** Reads the definitions of a workspace and of the user. Fails when the folder does not exist. */
export async function openCliHost(workspace: string, terminal: Terminal): Promise<CliHost> {
  const ports = createNodePorts();
  const root = realFolder(workspace);
  const trust = new WorkspaceTrust(ports.store);
  const logger = {
    log: (level: LogLevel, message: string) => {
      if (level === 'error' || level === 'warn') terminal.tell(`${level}: ${message}`);
    },
  };
  const engine = new Engine({
    ...ports,
    logger,
    confirmer: new TerminalConfirmer(terminal),
    localize: localizeInEnglish,
  });
  const folders = [{ name: path.basename(root) || 'workspace', path: root }];
  await engine.load(makeScopes(folders, [path.join(ports.fileSystem.home, '.capabilities')], nodePaths));
  const controller = stopOnSignals();
  const context = makeContext(await trust.isTrusted(root), ports.digest.sha256(root));
  return {
    engine,
    tools: createTools(engine),
    call: (tool, input) => tool.execute(input, context, { signal: controller.signal }),
    findings: () => collectFindings(engine),
    trust: () => trust.trust(root),
  };
}

function realFolder(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch {
    throw new Error(`There is no folder ${workspace}. Name the workspace with --workspace DIR.`);
  }
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

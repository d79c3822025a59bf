import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import type { Engine } from '../capabilities/engine';
import type { ErrorReply, RuntimeContext } from '../capabilities/models';
import type { Logger } from '../capabilities/ports';
import { createTools } from '../capabilities/tools/all-tools';
import type { CapabilityTool } from '../capabilities/tools/tool';
import {
  CancelRequest,
  ClearHistoryRequest,
  DescribeRequest,
  ListRequest,
  RunnableRequest,
  RunRequest,
  SearchRequest,
  SourceRequest,
  TemplateRequest,
  type SourceResult,
  type ToolCallParams,
} from '../protocol/requests';
import { renderTemplateText, resourceTemplates } from './features/resource-templates';
import { rangeInFile, type SourceFiles } from './features/source-files';
import { ToolCalls } from './tool-calls';

/** What the requests need. */
export interface ToolRequestSources {
  readonly engine: Engine;
  readonly files: SourceFiles;
  readonly logger: Logger;
  /** Resolves when the definitions have been read for the first time. */
  readonly whenReady: () => Promise<void>;
  /** Folders whose definitions are read. */
  readonly roots: () => readonly string[];
  readonly contextOf: (requestedBy: ToolCallParams['requestedBy']) => RuntimeContext;
}

/** Connects the custom requests of the protocol to the engine. */
export function registerToolRequests(connection: Connection, sources: ToolRequestSources): void {
  const { engine, logger, whenReady, contextOf } = sources;
  const tools = createTools(engine);
  const calls = new ToolCalls(logger);
  const handle = <Reply>(tool: CapabilityTool<Reply>) => {
    return (params: ToolCallParams, token: CancellationToken): Promise<Reply | ErrorReply> => {
      const context = async (): Promise<RuntimeContext> => {
        await whenReady();
        return contextOf(params.requestedBy);
      };
      return calls.handle(tool, params, { context, token });
    };
  };
  connection.onRequest(SearchRequest, handle(tools.search));
  connection.onRequest(ListRequest, handle(tools.list));
  connection.onRequest(DescribeRequest, handle(tools.describe));
  connection.onRequest(RunRequest, handle(tools.run));
  connection.onRequest(CancelRequest, ({ callId }) => ({ cancelled: calls.cancel(callId) }));
  registerPickerRequests(connection, sources);
}

/** Requests of the client's own commands. */
function registerPickerRequests(
  connection: Connection,
  { engine, files, logger, whenReady, roots, contextOf }: ToolRequestSources,
): void {
  connection.onRequest(RunnableRequest, async () => {
    await whenReady();
    const shown = (resource: { readonly id: string; readonly key: string }): string =>
      engine.registry.lookup(resource.id).kind === 'found' ? resource.id : resource.key;
    return engine.runnable(contextOf('user')).map((resource) => ({
      id: shown(resource),
      title: resource.definition.title,
      summary: resource.definition.summary,
    }));
  });
  connection.onRequest(SourceRequest, ({ resourceId }): SourceResult | null => {
    const found = engine.registry.lookup(resourceId);
    const source = found.kind === 'found' ? found.resource.source : undefined;
    return source ? { uri: files.uriOf(source.path), range: rangeInFile(files, source.path, source.idSpan) } : null;
  });
  connection.onRequest(ClearHistoryRequest, async () => {
    try {
      await engine.history.clear(roots());
    } catch (error) {
      logger.log('error', 'The search history could not be cleared.', { reason: String(error) });
      throw error;
    }
    return null;
  });
  connection.onRequest(TemplateRequest, ({ packId, title }) => newPackText(packId, title));
}

/** A pack with one action below it, ready to be filled in. */
function newPackText(packId: string, title: string): string {
  const render = (type: 'pack' | 'action', values: Readonly<Record<string, string>>): string => {
    const template = resourceTemplates.find((candidate) => candidate.type === type);
    return template ? renderTemplateText(template, '\n', values) : '';
  };
  return `${render('pack', { id: packId, title })}---\n${render('action', { id: `${packId}.example` })}`;
}

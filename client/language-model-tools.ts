import * as vscode from 'vscode';
import {
  DescribeRequest,
  ListRequest,
  RunRequest,
  SearchRequest,
  type ToolName,
  type ToolRequest,
} from '../protocol/requests';
import type { ServerConnection } from './server-connection';

/** Longest part of the caller's own words shown while a tool runs. */
const shownLength = 80;

/** Registers the four tools of the manifest with the editor. Forks without `vscode.lm` get none. */
export function registerLanguageModelTools(connection: ServerConnection): vscode.Disposable {
  if (!('lm' in vscode) || typeof vscode.lm.registerTool !== 'function') return vscode.Disposable.from();
  const names: readonly ToolName[] = ['capability_search', 'capability_list', 'capability_describe', 'capability_run'];
  return vscode.Disposable.from(
    ...names.map((name) => vscode.lm.registerTool(name, new ConnectedTool(name, connection))),
  );
}

const requests: Readonly<Record<ToolName, ToolRequest<object>>> = {
  capability_search: SearchRequest,
  capability_list: ListRequest,
  capability_describe: DescribeRequest,
  capability_run: RunRequest,
};

/** One tool: passes the input on to the engine, which validates and decides; nothing is cached from preparation. */
class ConnectedTool implements vscode.LanguageModelTool<object> {
  readonly #name: ToolName;
  readonly #connection: ServerConnection;

  constructor(name: ToolName, connection: ServerConnection) {
    this.#name = name;
    this.#connection = connection;
  }

  /** Sets no confirmation: the editor then shows none, and the engine's own dialog is the only one. */
  prepareInvocation(options: vscode.LanguageModelToolInvocationPrepareOptions<object>): vscode.PreparedToolInvocation {
    // As Markdown the editor would eat the underscores of an id.
    const message = new vscode.MarkdownString().appendText(invocationMessage(this.#name, options.input));
    return { invocationMessage: message };
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const budget = options.tokenizationOptions?.tokenBudget;
    const call = {
      input: options.input,
      requestedBy: 'agent' as const,
      ...(budget === undefined ? {} : { tokenBudget: budget }),
    };
    const reply = await this.#connection.call(requests[this.#name], call, token);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(reply))]);
  }
}

/** Says truthfully what is asked for; whether it is allowed is decided later. */
function invocationMessage(name: ToolName, input: object): string {
  const fields: Readonly<Record<string, unknown>> = { ...input };
  switch (name) {
    case 'capability_search':
      return vscode.l10n.t('Searching capabilities for "{0}"', shown(fields['query']));
    case 'capability_list':
      return fields['within'] === undefined
        ? vscode.l10n.t('Listing capability packs')
        : vscode.l10n.t('Listing capabilities in {0}', shown(fields['within']));
    case 'capability_describe':
      return vscode.l10n.t('Reading the contract of {0}', shown(fields['resource_id']));
    case 'capability_run':
      return fields['dry_run'] === true
        ? vscode.l10n.t('Planning {0} (dry run)', shown(fields['action_id']))
        : vscode.l10n.t('Running {0}', shown(fields['action_id']));
  }
}

/** One line, shortened. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : '…';
  const plain = text.replace(/[\p{C}\s]+/gu, ' ');
  return plain.length > shownLength ? `${plain.slice(0, shownLength)}…` : plain;
}

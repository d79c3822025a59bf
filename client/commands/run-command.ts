import * as vscode from 'vscode';
import type { DescribeReply, ErrorReply, RunReply } from '../../capabilities/models';
import { DescribeRequest, RunnableRequest, RunRequest } from '../../protocol/requests';
import type { ServerConnection } from '../server-connection';
import { askForArguments } from './ask-for-arguments';

/** Picks an action, asks for its arguments and runs it: the same path and the same dialog as for an agent. */
export function registerRunCommand(connection: ServerConnection): vscode.Disposable {
  return vscode.commands.registerCommand('capabilities.run', async (given?: unknown) => {
    const id = typeof given === 'string' ? given : await pickAction(connection);
    if (id === undefined) return;
    const contract = await describe(connection, id);
    if (!contract) return;
    const argumentsGiven = await askForArguments(contract);
    if (argumentsGiven === undefined) return;
    const input = { action_id: id, action_version: contract.version, arguments: argumentsGiven };
    const reply = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
        title: vscode.l10n.t('Running {0}', contract.title),
      },
      (_progress, token) => connection.call<RunReply>(RunRequest, { input, requestedBy: 'user' }, token),
    );
    await showReply(contract.title, reply);
  });
}

async function pickAction(connection: ServerConnection): Promise<string | undefined> {
  const client = await connection.start();
  const actions = await client.sendRequest(RunnableRequest);
  const items = actions.map((action) => ({
    label: action.title,
    description: action.id,
    detail: action.summary,
    id: action.id,
  }));
  const placeHolder =
    items.length > 0
      ? vscode.l10n.t('Which action?')
      : vscode.l10n.t('No actions yet. "Capabilities: New Pack…" makes the first.');
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.id;
}

async function describe(connection: ServerConnection, id: string): Promise<DescribeReply | undefined> {
  const reply = await connection.call<DescribeReply>(
    DescribeRequest,
    { input: { resource_id: id }, requestedBy: 'user' },
    new vscode.CancellationTokenSource().token,
  );
  if ('code' in reply) {
    void vscode.window.showErrorMessage(reply.message);
    return undefined;
  }
  return reply;
}

/** A short success is a message; anything longer, and every failure, opens as a document. */
async function showReply(title: string, reply: RunReply | ErrorReply): Promise<void> {
  if ('code' in reply && reply.code === 'confirmation_declined') return;
  const failed = 'code' in reply;
  const show = vscode.l10n.t('Show result');
  const message = failed
    ? `${title}: ${reply.message}`
    : vscode.l10n.t('{0}: done in {1} ms', title, reply.duration_ms ?? 0);
  const choice = failed
    ? await vscode.window.showErrorMessage(message, show)
    : await vscode.window.showInformationMessage(message, show);
  if (choice !== show) return;
  const document = await vscode.workspace.openTextDocument({
    language: 'json',
    content: JSON.stringify(reply, null, 2),
  });
  await vscode.window.showTextDocument(document, { preview: true });
}

import * as vscode from 'vscode';
import { registerClearHistoryCommand } from './commands/clear-history-command';
import { registerNewPackCommand } from './commands/new-pack-command';
import { registerRunCommand } from './commands/run-command';
import { registerSearchCommand } from './commands/search-command';
import { registerStopCommand } from './commands/stop-command';
import { EmbeddingsKey } from './embeddings-key';
import { registerLanguageModelTools } from './language-model-tools';
import { ServerConnection } from './server-connection';
import { registerStatus } from './status';

/** Registers everything at once and starts the server only where there is something for it to do. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Capability Layer', { log: true });
  const embeddingsKey = new EmbeddingsKey(context.secrets);
  const connection = new ServerConnection(context.extensionUri, log, embeddingsKey);
  context.subscriptions.push(
    log,
    connection,
    registerLanguageModelTools(connection),
    registerSearchCommand(connection),
    registerRunCommand(connection),
    registerNewPackCommand(connection),
    registerStopCommand(connection),
    registerClearHistoryCommand(connection),
    registerStatus(connection),
    vscode.commands.registerCommand('capabilities.setEmbeddingsKey', () => embeddingsKey.ask()),
    vscode.commands.registerCommand('capabilities.showLog', () => {
      log.show();
    }),
  );
  void startWhereDefinitionsAre(connection, log);
}

/** Definitions present: start, so that diagnostics show without a tool call. Otherwise the first call or command starts it. */
async function startWhereDefinitionsAre(connection: ServerConnection, log: vscode.LogOutputChannel): Promise<void> {
  const found = await vscode.workspace.findFiles('**/.capabilities/**', '**/node_modules/**', 1);
  if (found.length === 0) return;
  try {
    await connection.start();
  } catch (error) {
    log.error(`The language server could not be started: ${error instanceof Error ? error.message : String(error)}`);
    void vscode.window.showErrorMessage(
      vscode.l10n.t('Capability Layer: the language server could not be started. The log says why.'),
    );
  }
}

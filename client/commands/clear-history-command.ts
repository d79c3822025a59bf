import * as vscode from 'vscode';
import { ClearHistoryRequest } from '../../protocol/requests';
import type { ServerConnection } from '../server-connection';

/** Forgets which capabilities were used in the open folders. */
export function registerClearHistoryCommand(connection: ServerConnection): vscode.Disposable {
  return vscode.commands.registerCommand('capabilities.clearHistory', async () => {
    try {
      const client = await connection.start();
      await client.sendRequest(ClearHistoryRequest);
      void vscode.window.showInformationMessage(vscode.l10n.t('The search history of the open folders is cleared.'));
    } catch {
      // The connection's trace holds the reason; the promise of the first message must not be given.
      void vscode.window.showErrorMessage(vscode.l10n.t('The search history could not be cleared. The log says why.'));
    }
  });
}

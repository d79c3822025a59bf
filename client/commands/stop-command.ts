import * as vscode from 'vscode';
import { CancelRequest } from '../../protocol/requests';
import type { ServerConnection } from '../server-connection';

/** Stops every action that runs now, with its whole process tree. */
export function registerStopCommand(connection: ServerConnection): vscode.Disposable {
  return vscode.commands.registerCommand('capabilities.stop', async () => {
    const client = await connection.start();
    const { cancelled } = await client.sendRequest(CancelRequest, {});
    void vscode.window.showInformationMessage(
      cancelled === 0
        ? vscode.l10n.t('No action is running.')
        : vscode.l10n.t('Stopped {0} running actions.', cancelled),
    );
  });
}

import * as vscode from 'vscode';
import { TemplateRequest } from '../../protocol/requests';
import type { ServerConnection } from '../server-connection';

const packId = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*$/;

/** Asks for an id and a title, writes `.capabilities/<id>.yaml` and opens it. Never overwrites a file. */
export function registerNewPackCommand(connection: ServerConnection): vscode.Disposable {
  return vscode.commands.registerCommand('capabilities.newPack', async () => {
    const folder = await pickFolder();
    if (!folder) return;
    const id = await vscode.window.showInputBox({
      title: vscode.l10n.t('New capability pack (1/2): id'),
      prompt: vscode.l10n.t('Lower-case words joined by dots, for example maintenance.database'),
      ignoreFocusOut: true,
      validateInput: (value) =>
        packId.test(value) ? undefined : vscode.l10n.t('Use a-z, 0-9, - and _ in segments joined by dots.'),
    });
    if (id === undefined) return;
    const title = await vscode.window.showInputBox({
      title: vscode.l10n.t('New capability pack (2/2): title'),
      value: id,
      ignoreFocusOut: true,
    });
    if (!title) return;
    await createPack(connection, vscode.Uri.joinPath(folder.uri, '.capabilities', `${id}.yaml`), { packId: id, title });
  });
}

async function createPack(
  connection: ServerConnection,
  uri: vscode.Uri,
  params: { packId: string; title: string },
): Promise<void> {
  const client = await connection.start();
  const text = await client.sendRequest(TemplateRequest, params);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(text) });
  if (await vscode.workspace.applyEdit(edit)) await vscode.window.showTextDocument(uri);
  else
    void vscode.window.showErrorMessage(
      vscode.l10n.t('{0} exists already. Choose another id.', vscode.workspace.asRelativePath(uri)),
    );
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return vscode.window.showWorkspaceFolderPick();
  if (folders.length === 0)
    void vscode.window.showErrorMessage(vscode.l10n.t('Open a folder first: packs live in its .capabilities folder.'));
  return folders[0];
}

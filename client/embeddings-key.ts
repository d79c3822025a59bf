import * as vscode from 'vscode';

/** Name of the key in the editor's secret store. */
const SECRET = 'capabilities.embeddingsKey';

/** The key of the embeddings endpoint, in the editor's secret store: settings are plain text, and synchronised. */
export class EmbeddingsKey {
  readonly #secrets: vscode.SecretStorage;
  readonly onDidChange: vscode.Event<unknown>;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.onDidChange = (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key === SECRET) listener(undefined);
      });
  }

  /** Null when none is set. */
  async read(): Promise<string | null> {
    return (await this.#secrets.get(SECRET)) ?? null;
  }

  /** Asks the user for it; an empty answer forgets it, a cancelled one changes nothing. */
  async ask(): Promise<void> {
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('API key of the embeddings endpoint'),
      prompt: vscode.l10n.t('Kept in the secret store of the editor. Leave it empty to forget the key.'),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === '') await this.#secrets.delete(SECRET);
    else await this.#secrets.store(SECRET, key.trim());
  }
}

import * as vscode from 'vscode';
import type { SearchMatch, SearchReply } from '../../capabilities/models';
import { SearchRequest, SourceRequest } from '../../protocol/requests';
import type { ServerConnection } from '../server-connection';

/** Quiet time after a key before a search starts, in milliseconds. */
const typingPause = 120;

interface MatchItem extends vscode.QuickPickItem {
  readonly match?: SearchMatch;
}

/** A quick pick over the same search the agent uses: what it finds, in its order, with its reasons. */
export function registerSearchCommand(connection: ServerConnection): vscode.Disposable {
  return vscode.commands.registerCommand('capabilities.search', () => {
    const picker = vscode.window.createQuickPick<MatchItem>();
    picker.placeholder = vscode.l10n.t('What do you want to do? Ask in your own words.');
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    const search = new LatestSearch(connection, picker);
    picker.onDidChangeValue((value) => {
      search.schedule(value);
    });
    picker.onDidAccept(() => {
      const match = picker.selectedItems[0]?.match;
      if (!match) return;
      picker.hide();
      void openMatch(connection, match);
    });
    picker.onDidHide(() => {
      search.dispose();
      picker.dispose();
    });
    picker.show();
  });
}

/** Runs the search for the newest text only. */
class LatestSearch {
  readonly #connection: ServerConnection;
  readonly #picker: vscode.QuickPick<MatchItem>;
  #timer: NodeJS.Timeout | undefined;
  #cancel = new vscode.CancellationTokenSource();

  constructor(connection: ServerConnection, picker: vscode.QuickPick<MatchItem>) {
    this.#connection = connection;
    this.#picker = picker;
  }

  schedule(value: string): void {
    clearTimeout(this.#timer);
    this.#cancel.cancel();
    this.#cancel = new vscode.CancellationTokenSource();
    const token = this.#cancel.token;
    if (value.trim() === '') this.#picker.items = [];
    else this.#timer = setTimeout(() => void this.#search(value, token), typingPause);
  }

  async #search(value: string, token: vscode.CancellationToken): Promise<void> {
    this.#picker.busy = true;
    try {
      const reply = await this.#connection.call<SearchReply>(
        SearchRequest,
        { input: { query: value, limit: 10 }, requestedBy: 'user' },
        token,
      );
      if (!token.isCancellationRequested)
        this.#picker.items = 'matches' in reply ? toItems(reply) : [{ label: reply.message, alwaysShow: true }];
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) throw error;
    } finally {
      if (!token.isCancellationRequested) this.#picker.busy = false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#cancel.cancel();
  }
}

const icons = { pack: '$(package)', action: '$(play)', recipe: '$(book)' } as const;

function toItems(reply: SearchReply): MatchItem[] {
  const items = reply.matches.map((match) => ({
    label: `${icons[match.resource_type]} ${match.title}`,
    description: [match.resource_id, match.side_effect].filter(Boolean).join(' · '),
    detail: match.summary,
    alwaysShow: true,
    match,
  }));
  if (reply.resolution !== 'no_confident_match') return items;
  return [
    { label: vscode.l10n.t('Nothing registered does this. Nearest:'), kind: vscode.QuickPickItemKind.Separator },
    ...items,
  ];
}

async function openMatch(connection: ServerConnection, match: SearchMatch): Promise<void> {
  if (match.resource_type === 'action') {
    const run = { label: `$(play) ${vscode.l10n.t('Run…')}` };
    const choice = await vscode.window.showQuickPick(
      [run, { label: `$(go-to-file) ${vscode.l10n.t('Open definition')}` }],
      { title: match.title },
    );
    if (!choice) return;
    if (choice === run) {
      await vscode.commands.executeCommand('capabilities.run', match.resource_id);
      return;
    }
  }
  await openDefinition(connection, match.resource_id);
}

async function openDefinition(connection: ServerConnection, resourceId: string): Promise<void> {
  const client = await connection.start();
  const source = await client.sendRequest(SourceRequest, { resourceId });
  if (!source) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} has no file of its own: it is implied by its children.', resourceId),
    );
    return;
  }
  const { start, end } = source.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  await vscode.window.showTextDocument(vscode.Uri.parse(source.uri), { selection });
}

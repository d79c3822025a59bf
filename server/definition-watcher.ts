import { pathToFileURL } from 'node:url';
import { DidChangeWatchedFilesNotification, type Connection } from 'vscode-languageserver/node';
import type { Scope } from '../capabilities/models';
import { pathOfUri } from './file-uris';

/**
 * Hears of changes below the definition folders through the client, which watches files better than a server could.
 * Changes of one burst come as one call.
 */
export class DefinitionWatcher {
  readonly #connection: Connection;
  #registration: { dispose(): void } | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(connection: Connection, onChange: (paths: readonly string[]) => void) {
    this.#connection = connection;
    connection.onDidChangeWatchedFiles(({ changes }) => {
      const paths = changes.map((change) => pathOfUri(change.uri)).filter((path) => path !== undefined);
      onChange([...new Set(paths)]);
    });
  }

  /** Asks the client to watch these scopes, instead of those of the last call. Calls wait for each other. */
  watch(scopes: readonly Scope[]): Promise<void> {
    const turn = this.#turn.then(() => this.#register(scopes));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #register(scopes: readonly Scope[]): Promise<void> {
    this.#registration?.dispose();
    // Folders outside the workspace can only be named by their base.
    const users = scopes
      .filter((scope) => scope.kind === 'user')
      .map((scope) => ({ baseUri: pathToFileURL(scope.definitions).href, pattern: '**' }));
    const watchers = ['**/.capabilities/**', ...users].map((globPattern) => ({ globPattern }));
    this.#registration = await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }
}

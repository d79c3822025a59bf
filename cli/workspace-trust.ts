import type { DataStore, Logger } from '../capabilities/ports';

const file = 'trusted-workspaces.json';

/**
 * Folders the person has trusted for the command line, in the per-user data folder. An unreadable or damaged list
 * trusts nothing.
 */
export class WorkspaceTrust {
  readonly #store: DataStore;
  readonly #logger: Logger;

  constructor(store: DataStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  async isTrusted(folder: string): Promise<boolean> {
    return (await this.#folders()).includes(folder);
  }

  async trust(folder: string): Promise<void> {
    const folders = new Set(await this.#folders());
    folders.add(folder);
    await this.#store.write(file, `${JSON.stringify({ version: 1, folders: [...folders].sort() }, null, 2)}\n`);
  }

  async #folders(): Promise<readonly string[]> {
    try {
      const text = await this.#store.read(file);
      if (text === undefined) return [];
      const value: unknown = JSON.parse(text);
      const folders = typeof value === 'object' && value !== null && 'folders' in value ? value.folders : undefined;
      return Array.isArray(folders) ? folders.filter((folder): folder is string => typeof folder === 'string') : [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#logger.log('warn', 'The list of trusted workspaces could not be read; nothing is trusted.', { reason });
      return [];
    }
  }
}

/** Brings the files of the scopes into the registry, and keeps single files up to date. */
import type { Scope } from '../models';
import type { FileSystem, Logger } from '../ports';
import type { DefinitionRules } from './definition-validator';
import { isReserved, parseWorkspaceFile } from './parse-workspace-file';
import type { Registry } from './registry';
import { MAX_FILE_BYTES } from './text-checks';
import { MAX_FILES } from './unreadable-files';

/** Files that are read at the same time. */
const CONCURRENCY = 32;

/** What an indexer works with. */
export interface IndexerOptions {
  readonly registry: Registry;
  readonly fileSystem: FileSystem;
  readonly logger: Logger;
  readonly rules: DefinitionRules;
}

/** How a path came to be read: found in its folder, or named by whoever saw it change. */
type Origin = 'listed' | 'named';

/**
 * Reads definition files. Of two reads of one file, the one that was started last wins; of two loads, the one that was started
 * last, and what the other still reads is dropped.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  /** Number of the last read that was started, by path. */
  readonly #reads = new Map<string, number>();
  #lastRead = 0;
  #scopes: readonly Scope[] = [];
  #loading: Promise<void> = Promise.resolve();

  constructor(options: IndexerOptions) {
    this.#options = options;
  }

  /** Reads every file of the scopes and forgets what is not there any more. A load that is overtaken ends with the newer one. */
  async load(scopes: readonly Scope[]): Promise<void> {
    this.#scopes = scopes;
    this.#options.registry.setScopes(scopes);
    let loading = (this.#loading = this.#loadAll(scopes));
    await loading;
    while (loading !== this.#loading) {
      loading = this.#loading;
      await loading;
    }
  }

  async #loadAll(scopes: readonly Scope[]): Promise<void> {
    for (const scope of scopes) if (this.#isCurrent(scope)) await this.#loadFolder(scope, scope.definitions);
    const { length } = this.#options.registry.paths;
    this.#options.logger.log('info', 'Definition files indexed.', { scopes: scopes.length, files: length });
  }

  /** Reads one file again after it has changed, appeared or vanished; for a folder, everything below it. */
  async refresh(path: string): Promise<void> {
    const scope = this.#scopeOf(path);
    if (!scope) return;
    if (path === scope.definitions || !isYamlPath(path)) await this.#loadFolder(scope, path);
    else if (isReserved(scope, path)) this.#options.registry.remove(path);
    else await this.#read(scope, path, 'named');
  }

  async #loadFolder(scope: Scope, folder: string): Promise<void> {
    const { registry, fileSystem } = this.#options;
    const isOwn = await this.#standsInFolder(scope, folder);
    if (!this.#isCurrent(scope)) return;
    if (!isOwn && folder === scope.definitions) registry.updateUnreadable(folder, scope, 'link-outside');
    else registry.remove(folder);
    // One more than the limit, to know whether there are more.
    const listed = isOwn ? await fileSystem.listYaml(folder, MAX_FILES + 1) : [];
    const wanted = listed.filter((path) => !isReserved(scope, path));
    const read = wanted.slice(0, MAX_FILES);
    const kept = new Set(wanted);
    for (const path of registry.paths) {
      if (isBelow(folder, path) && this.#scopeOf(path) === scope && !kept.has(path)) registry.remove(path);
    }
    await runAll(read, CONCURRENCY, (path) => this.#read(scope, path, 'listed'));
    const firstSkipped = wanted[MAX_FILES];
    if (firstSkipped === undefined || !this.#isCurrent(scope)) return;
    registry.updateUnreadable(firstSkipped, scope, 'too-many-files');
    this.#options.logger.log('warn', 'Too many definition files; the rest is not read.', { limit: MAX_FILES });
  }

  async #read(scope: Scope, path: string, origin: Origin): Promise<void> {
    const { registry, fileSystem, rules } = this.#options;
    if (!this.#isCurrent(scope)) return;
    const number = (this.#lastRead += 1);
    this.#reads.set(path, number);
    const result = await fileSystem.readText(path, MAX_FILE_BYTES);
    const isGone = result.ok
      ? origin === 'named' && !(await this.#standsInFolder(scope, path))
      : result.reason === 'missing' && !(await this.#isListed(path));
    if (this.#reads.get(path) !== number) return;
    this.#reads.delete(path);
    if (!this.#isCurrent(scope)) return;
    if (isGone) registry.remove(path);
    else if (result.ok) registry.update(path, scope, parseWorkspaceFile({ path, scope, text: result.text }, rules));
    else registry.updateUnreadable(path, scope, result.reason);
  }

  /** A link that leads nowhere can't be read, but stands in its folder; a deleted file does not. */
  async #isListed(path: string): Promise<boolean> {
    const { fileSystem } = this.#options;
    const listed = await fileSystem.listYaml(fileSystem.paths.dirname(path), MAX_FILES + 1);
    return listed.includes(path);
  }

  /** Scopes are made anew for every load: a read for a scope of an earlier one must not bring it back. */
  #isCurrent(scope: Scope): boolean {
    return this.#scopes.includes(scope);
  }

  /**
   * Whether a path leads to its scope's folder without a link on the way, as listing does, and for a workspace not out of it:
   * a cloned repository must not have files read that are not in it. The user's own folder may be a link.
   */
  async #standsInFolder(scope: Scope, path: string): Promise<boolean> {
    const { fileSystem } = this.#options;
    const { paths } = fileSystem;
    const [real, folder, root] = await Promise.all(
      [path, scope.definitions, scope.root].map((place) => fileSystem.realPath(place)),
    );
    if (real === undefined || folder === undefined || root === undefined) return true;
    const expected = paths.join(folder, paths.relative(scope.definitions, path));
    return expected === real && (scope.kind === 'user' || folder === root || isBelow(root, folder));
  }

  /** The scope whose folder holds a path; of two folders inside each other, the inner one. */
  #scopeOf(path: string): Scope | undefined {
    return this.#scopes
      .filter(({ definitions }) => path === definitions || isBelow(definitions, path))
      .reduce<Scope | undefined>(
        (best, scope) => ((best?.definitions.length ?? -1) < scope.definitions.length ? scope : best),
        undefined,
      );
  }
}

function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

function isBelow(folder: string, path: string): boolean {
  const rest = path.startsWith(folder) ? path.slice(folder.length) : '';
  return /^[\\/]/.test(rest) || (rest !== '' && /[\\/]$/.test(folder));
}

/** Runs `work` for every item, at most `limit` at a time. */
async function runAll<T>(items: readonly T[], limit: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const runners = Array.from({ length: Math.min(limit, items.length) }, async () => {
    // The runners share one iterator: each takes the next item when it is free.
    for (const item of queue) await work(item);
  });
  await Promise.all(runners);
}

import type { Scope } from './models';
import type { Paths } from './ports';

/** A workspace folder as the client names it. */
export interface NamedFolder {
  readonly name: string;
  readonly path: string;
}

/**
 * Makes one scope per workspace folder and per folder with the user's own packs. Names are unique: a second `api`
 * becomes `api-2`. A folder that is both is the user's own.
 */
export function makeScopes(
  workspaceFolders: readonly NamedFolder[],
  userFolders: readonly string[],
  paths: Paths,
): readonly Scope[] {
  const taken = new Set<string>();
  const uniqueName = (wanted: string): string => {
    const base = wanted.replace(/[^A-Za-z0-9 ._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'folder';
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`;
    taken.add(name);
    return name;
  };
  const own = new Set(userFolders);
  const users = [...own].map((folder, index): Scope => {
    const name = uniqueName(index === 0 ? 'user' : paths.basename(folder));
    return { name, kind: 'user', root: paths.dirname(folder), definitions: folder };
  });
  const workspaces = workspaceFolders
    .map((folder): Omit<Scope, 'name'> & NamedFolder => ({
      ...folder,
      kind: 'workspace',
      root: folder.path,
      definitions: paths.join(folder.path, '.capabilities'),
    }))
    .filter((folder) => !own.has(folder.definitions))
    .map(({ name, kind, root, definitions }): Scope => ({ name: uniqueName(name), kind, root, definitions }));
  return [...workspaces, ...users];
}

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './action.mjs';

const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', '.demo', '__pycache__', 'dist']);

/** Absolute form of a path given relative to the workspace folder. A path that leads outside is a Refusal. */
export function insideWorkspace(relativePath) {
  const root = realpathSync(process.cwd());
  const target = path.resolve(root, relativePath);
  const real = existsSync(target) ? realpathSync(target) : target;
  const fromRoot = path.relative(root, real);
  if (fromRoot === '..' || fromRoot.startsWith(`..${path.sep}`) || path.isAbsolute(fromRoot)) {
    throw new Refusal(`${relativePath} lies outside the workspace folder.`);
  }
  return real;
}

/** The same for a folder that must exist. */
export function existingFolder(relativePath) {
  const folder = insideWorkspace(relativePath);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Refusal(`There is no folder ${relativePath}.`);
  return folder;
}

/** Every file below a folder as `{ file, path, size, modified }`; symbolic links and generated folders are left out. */
export function* walkFiles(folder) {
  const root = realpathSync(process.cwd());
  for (const entry of sortedEntries(folder)) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) yield* walkFiles(file);
    if (!entry.isFile()) continue;
    const { size, mtime } = statSync(file);
    yield { file, path: path.relative(root, file), size, modified: mtime.toISOString() };
  }
}

function sortedEntries(folder) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../shared/action.mjs';
import { insideWorkspace } from '../shared/workspace-files.mjs';

/** Where the demo's virtual environments are made. */
export const environmentsFolder = '.demo/venvs';

/** Keeps Python from writing byte code beside the modules it loads. */
export const readOnlyPython = { PYTHONDONTWRITEBYTECODE: '1' };

const MAX_DEPTH = 4;

/** Every virtual environment in the workspace: a folder that holds a pyvenv.cfg. */
export function findEnvironments(folder = process.cwd(), depth = 0) {
  if (existsSync(path.join(folder, 'pyvenv.cfg'))) return [describe(folder)];
  if (depth === MAX_DEPTH) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', '.git'].includes(entry.name))
    .flatMap((entry) => findEnvironments(path.join(folder, entry.name), depth + 1));
}

/** The interpreter of a named environment, or `python3` when none is named. */
export function interpreterOf(name) {
  if (name === undefined) return 'python3';
  const binary = path.join(environmentFolder(name), 'bin/python');
  if (!existsSync(binary)) throw new Refusal(`The environment ${name} has no working interpreter. Create it again.`);
  return binary;
}

/** Absolute path of a named environment that must exist. */
export function environmentFolder(name) {
  const folder = insideWorkspace(path.join(environmentsFolder, name));
  if (existsSync(path.join(folder, 'pyvenv.cfg'))) return folder;
  throw new Refusal(`There is no environment ${name}. List them with maintenance.python.list_venvs.`);
}

function describe(folder) {
  const settings = Object.fromEntries(
    readFileSync(path.join(folder, 'pyvenv.cfg'), 'utf8')
      .split('\n')
      .map((line) => line.split('=').map((part) => part.trim())),
  );
  return {
    name: path.basename(folder),
    path: path.relative(process.cwd(), folder),
    version: settings.version ?? null,
    base: settings.home ?? null,
    broken: !existsSync(path.join(folder, 'bin/python')),
  };
}

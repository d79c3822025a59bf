// Finds and opens a desktop VS Code.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Finds the command line of a desktop VS Code: on the PATH, or where it is usually installed.
 * @returns {string | undefined}
 */
export function findDesktopCode() {
  return [...onPath(), ...usualPlaces()].find((file) => existsSync(file));
}

/**
 * Opens a new window with an extension under development. Resolves when VS Code has taken the request over.
 * @param {string} command what `findDesktopCode` found
 * @param {{ extension: string, folder: string }} what
 * @returns {Promise<void>}
 */
export function openDesktopCode(command, { extension, folder }) {
  const args = ['--new-window', `--extensionDevelopmentPath=${extension}`, folder];
  // On Windows the command is a batch file, which only a shell can run.
  const shell = process.platform === 'win32';
  const [executable, quoted] = shell ? [`"${command}"`, args.map((arg) => `"${arg}"`)] : [command, args];
  return new Promise((resolve, reject) => {
    const child = spawn(executable, quoted, { stdio: 'inherit', shell });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

function onPath() {
  const names = process.platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  // In a terminal of a remote VS Code, `code` is a helper that can't load an extension under development.
  const local = folders.filter((folder) => !folder.includes('remote-cli'));
  return local.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    const inside = 'Visual Studio Code.app/Contents/Resources/app/bin/code';
    return ['/Applications', path.join(homedir(), 'Applications')].map((folder) => path.join(folder, inside));
  }
  if (process.platform === 'win32') {
    const folders = [path.join(process.env['LOCALAPPDATA'] ?? '', 'Programs'), process.env['ProgramFiles'] ?? ''];
    return folders.map((folder) => path.join(folder, 'Microsoft VS Code', 'bin', 'code.cmd'));
  }
  return ['/usr/share/code/bin/code', '/snap/bin/code'];
}

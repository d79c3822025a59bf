// Makes sure that the development dependencies are installed as the lockfile says. Node built-ins only: it
// runs on a clean clone.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Runs `npm ci` in this folder when `node_modules` is missing or differs from `package-lock.json`. Rejects
 * when that fails; npm has then said why.
 * @param {string} root folder of the package
 * @returns {Promise<'installed' | 'unchanged'>}
 */
export async function ensureInstall(root) {
  if (await isInstalled(root)) return 'unchanged';
  console.error('Installing the dependencies (npm ci) …');
  await runNpm(['ci', '--no-audit', '--no-fund'], root);
  return 'installed';
}

/**
 * Runs npm with its output on this terminal. Rejects when it fails.
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<void>}
 */
export function runNpm(args, cwd) {
  // Under "npm start" this is the very npm that was called; it needs no shell, not on Windows either.
  const own = process.env['npm_execpath'];
  const [command, first] = own ? [process.execPath, [own]] : ['npm', []];
  const shell = !own && process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { cwd, stdio: 'inherit', shell });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`"npm ${args.join(' ')}" failed with ${code}`)),
    );
  });
}

/** npm keeps a lockfile of what it has really installed; the two are compared. @param {string} root */
async function isInstalled(root) {
  const [wanted, installed] = await Promise.all([
    readPackages(path.join(root, 'package-lock.json')),
    readPackages(path.join(root, 'node_modules', '.package-lock.json')),
  ]);
  return Object.entries(wanted).every(([location, entry]) => {
    if (location === '' || entry.link) return true;
    const present = existsSync(path.join(root, location)) ? installed[location] : undefined;
    // Optional packages are for some platforms only, so they may be missing, but not in another version.
    return present ? present.version === entry.version && present.integrity === entry.integrity : isOptional(entry);
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @param {LockedPackage} entry
 */
function isOptional(entry) {
  return entry.optional === true || entry.devOptional === true;
}

/** @param {string} file @returns {Promise<Record<string, LockedPackage>>} */
async function readPackages(file) {
  const content = await readFile(file, 'utf8').catch(() => '{}');
  return JSON.parse(content).packages ?? {};
}

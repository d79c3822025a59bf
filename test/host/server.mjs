/**
 * Starts a VS Code server from the installed host, with a profile of its own. Uses Node built-ins only,
 * because `npm start` uses it as well as the tests.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installExtensions } from './install-extensions.mjs';
import { installHost } from './install-host.mjs';

/** @typedef {import('./server.mjs').ServerOptions} ServerOptions */

const keeper = path.join(path.dirname(fileURLToPath(import.meta.url)), 'keeper.mjs');
const KEPT_LOG_LINES = 400;
const SHOWN_LOG_LINES = 40;
/** What the server writes because its optional log writer was not compiled. */
const OPTIONAL_MODULE_NOISE =
  /^.*Could not locate the bindings file.*(?:\n(?: → | {4}at | {2}tries: \[| {4}'| {2}\]|\}).*)*\n?/gm;
/** What npm, a test runner or another VS Code put into the environment for themselves. */
const NOT_INHERITED = /^(npm_|VITEST|VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_ENV$|NODE_CHANNEL_)/;
const QUIET_SETTINGS = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** VS Code's default is a banner only. */
const ASK_FOR_TRUST = { 'security.workspace.trust.startupPrompt': 'always' };

/**
 * Starts a VS Code server and resolves when it answers. Rejects with the server's last log lines when it
 * does not come up.
 * @param {ServerOptions} [options]
 * @returns {Promise<import('./server.mjs').Server>}
 */
export async function startServer(options = {}) {
  const host = await installHost(options.report ? { report: options.report } : {});
  const temporary = await mkdtemp(path.join(tmpdir(), 'capability-host-'));
  const dataDir = path.resolve(options.dataDir ?? path.join(temporary, 'profile'));
  const home = path.resolve(options.home ?? path.join(temporary, 'home'));
  const environment = await prepareEnvironment(temporary, home, options);
  try {
    await writeProfile(dataDir, options);
    await installExtensions({ host, dataDir, environment, extensions: options.extensions ?? [] });
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  const running = keepRunning(
    [host.node, host.server, ...serverArguments(dataDir, options)],
    environment,
    options.keep ? '' : temporary,
  );
  const { port, pid } = await running.listening;
  const authority = `127.0.0.1:${port}`;
  return {
    url: workbenchUrl(authority, options.folder),
    authority,
    home,
    dataDir,
    host,
    serverPid: pid,
    log: running.log,
    ended: running.ended,
    stop: running.stop,
  };
}

/** @param {string} temporary @param {string} home @param {ServerOptions} options */
async function prepareEnvironment(temporary, home, { env = {}, home: ownHome }) {
  const temporaryFiles = path.join(temporary, 'tmp');
  for (const folder of [home, temporaryFiles]) await mkdir(folder, { recursive: true });
  const inherited = Object.entries(process.env).filter(
    ([name]) => !NOT_INHERITED.test(name) && (ownHome || !name.startsWith('XDG_')),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    TMPDIR: temporaryFiles,
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
    ...env,
  };
}

/** @param {string} dataDir @param {ServerOptions} options */
async function writeProfile(dataDir, { settings, userFiles, trust, dataDir: persistent }) {
  const user = path.join(dataDir, 'data/User');
  await mkdir(user, { recursive: true });
  const wanted = { ...QUIET_SETTINGS, ...(trust === 'prompt' ? ASK_FOR_TRUST : {}), ...settings };
  // In a profile that is kept, the settings belong to the user once they exist.
  await writeFile(path.join(user, 'settings.json'), `${JSON.stringify(wanted, null, 2)}\n`, {
    flag: persistent ? 'wx' : 'w',
  }).catch(ignoreExisting);
  for (const [name, content] of Object.entries(userFiles ?? {})) {
    const file = path.join(user, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** @param {NodeJS.ErrnoException} error */
function ignoreExisting(error) {
  if (error.code !== 'EEXIST') throw error;
}

/** @param {string} dataDir @param {ServerOptions} options */
function serverArguments(dataDir, { port = 0, trust = 'disabled' }) {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
    ...['--telemetry-level', 'off', '--disable-telemetry'],
    // An extension host whose page is gone would otherwise wait hours for its return.
    ...['--reconnection-grace-time', '1'],
    ...(trust === 'disabled' ? ['--disable-workspace-trust'] : []),
    ...[
      '--server-data-dir',
      dataDir,
      '--user-data-dir',
      path.join(dataDir, 'data'),
      '--extensions-dir',
      path.join(dataDir, 'extensions'),
    ],
  ];
}

/** @param {string} authority @param {string | undefined} folder */
function workbenchUrl(authority, folder) {
  return `http://${authority}/?${folder ? `folder=${encodeURIComponent(path.resolve(folder)).replaceAll('%2F', '/')}` : 'ew=true'}`;
}

/**
 * @param {string[]} command @param {Record<string, string | undefined>} environment @param {string} folderToRemove
 */
function keepRunning(command, environment, folderToRemove) {
  const child = fork(keeper, [randomUUID(), folderToRemove, ...command], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
  });
  /** @type {string[]} */
  let lines = [];
  const log = () =>
    lines.join('\n').replaceAll(OPTIONAL_MODULE_NOISE, '').split('\n').slice(-SHOWN_LOG_LINES).join('\n');
  // Not 'close': Node does not emit it for a child whose channel this side has disconnected.
  const ended = new Promise((resolve) => child.once('exit', () => resolve(undefined)));
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const listening = new Promise((resolve, reject) => {
    let pid = 0;
    child.once('message', (/** @type {{ pid: number }} */ message) => (pid = message.pid));
    /** @param {unknown} chunk */
    const read = (chunk) => {
      lines = [...lines, ...String(chunk).trimEnd().split('\n')].slice(-KEPT_LOG_LINES);
      const port = /Extension host agent listening on (\d+)/.exec(String(chunk))?.[1];
      if (port) resolve({ port: Number(port), pid });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then(() => reject(new Error(`The VS Code server ended before it was ready.\n${log()}`)));
  });
  return {
    listening: /** @type {Promise<{ port: number, pid: number }>} */ (listening),
    log,
    ended: /** @type {Promise<void>} */ (ended),
    stop,
  };
}

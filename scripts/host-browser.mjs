// Opens VS Code in the browser, from the host that the tests use, with a profile that is kept.
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { cacheFolder } from '../test/host/install-host.mjs';
import { startServer } from '../test/host/server.mjs';

/** The browser keeps trust and layout by address, so the port is the same each time when it is free. */
const USUAL_PORT = 8991;

/**
 * Starts the server with the packaged extension, and resolves when its page can be opened. The user's home
 * folder and environment stay as they are; only the profile is separate.
 * @param {{ vsix: string, folder: string, companion: string }} what `companion` is a folder with an extension that prepares VS Code
 * @returns {Promise<import('../test/host/server.mjs').Server>}
 */
export async function startBrowserCode({ vsix, folder, companion }) {
  const dataDir = path.join(cacheFolder(), 'profile');
  await mkdir(dataDir, { recursive: true });
  const server = await startServer({
    folder,
    extensions: [vsix, companion],
    trust: 'prompt',
    settings: { 'security.workspace.trust.startupPrompt': 'once' },
    home: homedir(),
    dataDir,
    port: await freePort(),
    report: (line) => console.error(line),
  });
  try {
    const { ok, status } = await fetch(server.url);
    if (!ok) throw new Error(`VS Code answers with HTTP status ${status}.\n${server.log()}`);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @returns {Promise<number>} the usual port, or 0 when something else uses it */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(USUAL_PORT, '127.0.0.1', () => probe.close(() => resolve(USUAL_PORT)));
  });
}

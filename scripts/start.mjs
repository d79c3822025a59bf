// `npm start`: builds the extension and opens VS Code with it on the example workspace: the desktop VS Code
// when there is one, otherwise one in the browser. `--browser` takes the browser in any case.
// Node built-ins only until the dependencies are installed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstall, runNpm } from './ensure-install.mjs';
import { startBrowserCode } from './host-browser.mjs';
import { findDesktopCode, openDesktopCode } from './host-desktop.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'examples', 'workspace');
const vsix = path.join(root, 'dist', 'capability-layer.vsix');
const companion = path.join(root, 'scripts', 'host-companion');

async function start() {
  await ensureInstall(root);
  await runNpm(['run', 'package'], root);
  tellAboutIsolation();
  const desktop = process.argv.includes('--browser') ? undefined : findDesktopCode();
  if (desktop) {
    await openDesktopCode(desktop, { extension: root, folder });
    console.log(`Capability Layer is open in VS Code (${desktop}) on ${folder}`);
    return;
  }
  console.error('No desktop VS Code was found; starting one in the browser.');
  const server = await startBrowserCode({ vsix, folder, companion });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void server.stop());
  console.log('Press Ctrl-C to stop.');
  console.log(`Capability Layer is open at ${server.url}`);
  await server.ended;
}

/** Everything but runs works without; better to say it here than at the first refusal. */
function tellAboutIsolation() {
  if (process.platform !== 'linux') return;
  if (['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].some((file) => existsSync(file))) return;
  console.error(
    'Actions run isolated, and bubblewrap is not installed: they will be refused until it is (apt install bubblewrap).',
  );
}

start().catch((error) => {
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
});

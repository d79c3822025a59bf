import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './run-command.mjs';

/**
 * Puts extensions into a profile before the server starts: folders are copied, packaged extensions are
 * installed by the server itself, as a user's are.
 * @param {{ host: import('./install-host.mjs').Host, dataDir: string, environment: Record<string, string | undefined>, extensions: string[] }} options
 * @returns {Promise<void>}
 */
export async function installExtensions({ host, dataDir, environment, extensions }) {
  const target = path.join(dataDir, 'extensions');
  await mkdir(target, { recursive: true });
  const packaged = extensions.filter((extension) => extension.endsWith('.vsix'));
  const unpacked = extensions.filter((extension) => !extension.endsWith('.vsix'));
  for (const folder of unpacked) await copyExtension(folder, target);
  if (packaged.length > 0) await installPackaged(packaged, { host, dataDir, environment });
}

/** @param {string} folder @param {string} target */
async function copyExtension(folder, target) {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const copy = path.join(target, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
}

/**
 * @param {string[]} packaged
 * @param {{ host: import('./install-host.mjs').Host, dataDir: string, environment: Record<string, string | undefined> }} options
 */
async function installPackaged(packaged, { host, dataDir, environment }) {
  const args = [
    ...[
      host.server,
      '--accept-server-license-terms',
      '--server-data-dir',
      dataDir,
      '--user-data-dir',
      path.join(dataDir, 'data'),
    ],
    ...['--extensions-dir', path.join(dataDir, 'extensions'), '--force'],
    ...packaged.flatMap((file) => ['--install-extension', path.resolve(file)]),
  ];
  const { code, output } = await runCommand(host.node, args, { env: environment });
  if (code !== 0 || /Failed Installing Extensions/i.test(output))
    throw new Error(`Installing ${packaged.join(', ')} failed.\n${output}`);
}

// Builds and packs dist/capability-layer.vsix.
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const vsix = path.join(root, 'dist', 'capability-layer.vsix');
/** Three for the programs and their texts, eight for the sentence encoder. */
const limitBytes = 11 * 1024 * 1024;

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run('scripts/build.mjs');
run(
  'node_modules/@vscode/vsce/vsce',
  'package',
  '--no-dependencies',
  '--skip-license',
  '--allow-missing-repository',
  '--out',
  vsix,
);
const { size } = statSync(vsix);
console.log(`dist/capability-layer.vsix  ${Math.round(size / 1024)} KiB`);
if (size > limitBytes) {
  console.error(`The package is over its limit of ${limitBytes / 1024} KiB.`);
  process.exit(1);
}

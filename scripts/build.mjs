// Bundles the three programs: the extension's client, the language server and the command line.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const kibibyte = 1024;
const isDevelopment = process.argv.includes('--dev');
/** Upper limits for what a user downloads; a dependency that breaks one has to be argued for. */
const budgets = {
  'client.js': 600 * kibibyte,
  'server.js': 1900 * kibibyte,
  'cli.js': 1700 * kibibyte,
  'encoder-worker.js': 64 * kibibyte,
};

const generated = spawnSync(process.execPath, [path.join(root, 'scripts', 'generate.mjs')], { stdio: 'inherit' });
if (generated.status !== 0) process.exit(generated.status ?? 1);

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const result = await build({
  absWorkingDir: root,
  entryPoints: {
    client: 'client/extension.ts',
    server: 'server/main.ts',
    cli: 'cli/main.ts',
    'encoder-worker': 'capabilities/node/encoder-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // UMD packages in the language server's stack break at run time without `module` first.
  mainFields: ['module', 'main'],
  external: ['vscode'],
  minify: !isDevelopment,
  keepNames: true,
  sourcemap: isDevelopment ? 'linked' : false,
  legalComments: 'eof',
  metafile: true,
  logLevel: 'warning',
});
let failed = false;
for (const [file, budget] of Object.entries(budgets)) {
  const bytes = result.metafile.outputs[`dist/${file}`].bytes;
  if (isDevelopment) continue;
  const over = bytes > budget;
  failed ||= over;
  console.log(
    `dist/${file}  ${Math.round(bytes / kibibyte)} KiB of ${budget / kibibyte}${over ? '  OVER BUDGET' : ''}`,
  );
}
if (process.argv.includes('--metafile'))
  writeFileSync(path.join(root, 'dist', 'meta.json'), JSON.stringify(result.metafile));
if (failed) process.exit(1);

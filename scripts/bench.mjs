// Bundles and runs one benchmark of bench/: `node scripts/bench.mjs NAME [ARGUMENTS]`. `npm run bench [-- COUNT]` measures the
// engine and the language server over COUNT generated actions (default 1,000).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const [name, ...args] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'capability-bench-'));
const bundle = path.join(folder, 'bench.mjs');
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
buildSync({
  absWorkingDir: root,
  entryPoints: [`bench/${name}.ts`],
  bundle: true,
  platform: 'node',
  format: 'esm',
  mainFields: ['module', 'main'],
  banner: { js: banner },
  outfile: bundle,
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['--expose-gc', bundle, ...args], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);

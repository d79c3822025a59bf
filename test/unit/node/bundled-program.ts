import path from 'node:path';
import { build } from 'esbuild';

/** Bundles a TypeScript program of the tests into one file that plain Node runs; returns its path. */
export async function bundleProgram(source: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(source, '.ts')}.mjs`);
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { npm } from './npm.mjs';

await runAction(() => {
  const folder = npm(['config', 'get', 'cache']).stdout.trim();
  const parts = ['_cacache', '_npx', '_logs'].map((name) => ({ name, ...measure(path.join(folder, name)) }));
  return { folder, bytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
});

function measure(folder) {
  if (!existsSync(folder)) return { bytes: 0, files: 0 };
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce(
    (sum, entry) => sum + statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size,
    0,
  );
  return { bytes, files: files.length };
}

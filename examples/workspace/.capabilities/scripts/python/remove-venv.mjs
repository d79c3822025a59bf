import { rmSync } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { environmentFolder } from './environments.mjs';

await runAction(({ name }) => {
  const folder = environmentFolder(name);
  rmSync(folder, { recursive: true });
  return { name, removed: path.relative(process.cwd(), folder) };
});

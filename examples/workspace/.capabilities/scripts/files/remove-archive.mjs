import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Refusal, runAction } from '../shared/action.mjs';

await runAction(({ name }) => {
  const archive = path.resolve('.demo/archives', `${name}.tar.gz`);
  if (!existsSync(archive)) throw new Refusal(`There is no archive .demo/archives/${name}.tar.gz.`);
  rmSync(archive);
  return { removed: path.relative(process.cwd(), archive) };
});

import { Refusal, runAction } from '../shared/action.mjs';
import { existingFolder } from '../shared/workspace-files.mjs';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { npmJson } from './npm.mjs';

await runAction(({ scope = 'project', folder = '.' }) => {
  const report = scope === 'global' ? npmJson(['outdated', '-g']) : projectReport(folder);
  const packages = Object.entries(report).map(([name, { current = null, wanted, latest }]) => ({
    name,
    current,
    wanted,
    latest,
  }));
  return { scope, count: packages.length, packages };
});

function projectReport(folder) {
  const cwd = existingFolder(folder);
  if (!existsSync(path.join(cwd, 'package.json'))) throw new Refusal(`There is no package.json in ${folder}.`);
  return npmJson(['outdated'], { cwd });
}

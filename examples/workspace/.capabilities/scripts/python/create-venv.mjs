import { existsSync } from 'node:fs';
import path from 'node:path';
import { Refusal, runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';
import { insideWorkspace } from '../shared/workspace-files.mjs';
import { environmentsFolder } from './environments.mjs';

await runAction(({ name, with_pip = true }) => {
  const folder = insideWorkspace(path.join(environmentsFolder, name));
  if (existsSync(folder)) throw new Refusal(`The environment ${name} exists already.`);
  requireProgram('python3', ['-m', 'venv', ...(with_pip ? [] : ['--without-pip']), folder], { timeout: 110_000 });
  return {
    name,
    path: path.relative(process.cwd(), folder),
    python: path.join(folder, 'bin/python'),
    activate: `source ${path.join(folder, 'bin/activate')}`,
  };
});

import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal, runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

await runAction(({ folder = '.', name }) => {
  const archive = path.resolve('.demo/archives', `${name}.tar.gz`);
  if (existsSync(archive)) throw new Refusal(`.demo/archives/${name}.tar.gz exists already. Choose another name.`);
  const files = [...walkFiles(existingFolder(folder))].map((entry) => entry.path);
  if (files.length === 0) throw new Refusal(`There is nothing to archive in ${folder}.`);
  mkdirSync(path.dirname(archive), { recursive: true });
  requireProgram('tar', ['-czf', archive, '--', ...files]);
  return { archive: path.relative(process.cwd(), archive), files: files.length, bytes: statSync(archive).size };
});

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { pathFolders } from '../shared/program.mjs';
import { npm } from './npm.mjs';

await runAction(() => {
  const prefix = npm(['prefix', '-g']).stdout.trim();
  const binFolder = path.join(prefix, 'bin');
  return {
    prefix,
    bin_folder: binFolder,
    modules_folder: npm(['root', '-g']).stdout.trim(),
    on_path: pathFolders().includes(binFolder),
    writable: isWritable(prefix),
  };
});

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

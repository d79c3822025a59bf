import { runAction } from '../shared/action.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

await runAction(({ folder = '.', limit = 10, min_kib = 0 }) => {
  const files = [...walkFiles(existingFolder(folder))].filter(({ size }) => size >= min_kib * 1024);
  const largest = files.sort((a, b) => b.size - a.size).slice(0, limit);
  return { files: largest.map(({ path, size, modified }) => ({ path, bytes: size, modified })) };
});

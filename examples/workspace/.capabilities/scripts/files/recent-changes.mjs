import { runAction } from '../shared/action.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

await runAction(({ folder = '.', hours = 24, limit = 20 }) => {
  const since = new Date(Date.now() - hours * 3_600_000).toISOString();
  const recent = [...walkFiles(existingFolder(folder))].filter(({ modified }) => modified >= since);
  const files = recent.sort((a, b) => (a.modified < b.modified ? 1 : -1)).slice(0, limit);
  return { count: recent.length, files: files.map(({ path, size, modified }) => ({ path, bytes: size, modified })) };
});

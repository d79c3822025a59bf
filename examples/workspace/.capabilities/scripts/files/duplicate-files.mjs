import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runAction } from '../shared/action.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

await runAction(({ folder = '.', min_bytes = 1 }) => {
  const files = [...walkFiles(existingFolder(folder))].filter(({ size }) => size >= min_bytes);
  const sameSize = groupBy(files, ({ size }) => size);
  const groups = sameSize.flatMap((candidates) => groupBy(candidates, ({ file }) => hashOf(file)));
  const duplicates = groups.map((group) => ({ bytes: group[0].size, paths: group.map(({ path }) => path) }));
  return { count: duplicates.length, wasted_bytes: duplicates.reduce(addWaste, 0), duplicates };
});

/** Groups of two or more items with the same key. */
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function addWaste(total, { bytes, paths }) {
  return total + bytes * (paths.length - 1);
}

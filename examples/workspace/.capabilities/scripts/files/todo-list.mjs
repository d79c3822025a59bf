import { readFileSync } from 'node:fs';
import { runAction } from '../shared/action.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

const MAX_BYTES = 1024 * 1024;

await runAction(({ folder = '.', markers = ['TODO', 'FIXME', 'HACK'], limit = 100 }) => {
  // A marker counts where it opens a comment's text, not where a sentence mentions it.
  const pattern = new RegExp(`(?:#|//|/\\*|<!--|--|\\*)\\s*(${markers.join('|')})\\b[:(]?\\s*(.*)`);
  const entries = [...walkFiles(existingFolder(folder))]
    .filter(({ size }) => size <= MAX_BYTES)
    .flatMap((file) => entriesOf(file, pattern));
  return { count: entries.length, entries: entries.slice(0, limit) };
});

function entriesOf({ file, path }, pattern) {
  const text = readFileSync(file, 'utf8');
  if (text.includes('\0')) return [];
  return text.split('\n').flatMap((line, index) => {
    const match = pattern.exec(line);
    return match === null ? [] : [{ path, line: index + 1, marker: match[1], text: match[2].trim().slice(0, 200) }];
  });
}

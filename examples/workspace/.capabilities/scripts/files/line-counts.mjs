import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { runAction } from '../shared/action.mjs';
import { existingFolder, walkFiles } from '../shared/workspace-files.mjs';

await runAction(({ folder = '.' }) => {
  const totals = new Map();
  for (const { file, path } of walkFiles(existingFolder(folder))) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('\0')) add(totals, extname(path) || '(none)', text);
  }
  const languages = [...totals]
    .map(([extension, total]) => ({ extension, ...total }))
    .sort((a, b) => b.lines - a.lines);
  return { files: sum(languages, 'files'), lines: sum(languages, 'lines'), languages };
});

function add(totals, extension, text) {
  const { files = 0, lines = 0, blank = 0 } = totals.get(extension) ?? {};
  const all = text.replace(/\n$/, '').split('\n');
  const empty = all.filter((line) => line.trim() === '').length;
  totals.set(extension, { files: files + 1, lines: lines + all.length, blank: blank + empty });
}

function sum(rows, key) {
  return rows.reduce((total, row) => total + row[key], 0);
}

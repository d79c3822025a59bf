import { runAction } from '../shared/action.mjs';
import { openRepository } from './repository.mjs';

await runAction(({ repository, file }) => {
  const { git } = openRepository(repository);
  const authors = new Map();
  let author = '';
  for (const line of git('blame', '--line-porcelain', '--', file).split('\n')) {
    if (line.startsWith('author ')) author = line.slice('author '.length);
    if (line.startsWith('author-time ')) count(authors, author, Number(line.slice('author-time '.length)));
  }
  const total = [...authors.values()].reduce((sum, { lines }) => sum + lines, 0);
  const summary = [...authors].map(([name, { lines, newest }]) => ({
    author: name,
    lines,
    share: Math.round((lines / total) * 100),
    last_change: new Date(newest * 1000).toISOString(),
  }));
  return { file, lines: total, authors: summary.sort((a, b) => b.lines - a.lines) };
});

function count(authors, name, time) {
  const { lines = 0, newest = 0 } = authors.get(name) ?? {};
  authors.set(name, { lines: lines + 1, newest: Math.max(newest, time) });
}

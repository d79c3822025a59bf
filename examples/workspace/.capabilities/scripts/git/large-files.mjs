import { runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';
import { linesOf, openRepository } from './repository.mjs';

await runAction(({ repository, limit = 10, min_kib = 0 }) => {
  const { cwd, git } = openRepository(repository);
  const objects = git('rev-list', '--objects', '--all');
  const current = new Set(linesOf(git('ls-tree', '-r', '--name-only', '--full-tree', 'HEAD')));
  const format = '--batch-check=%(objecttype) %(objectsize) %(rest)';
  const files = linesOf(requireProgram('git', ['cat-file', format], { cwd, input: objects }))
    .map((line) => /^blob (\d+) (.+)$/.exec(line))
    .filter((match) => match !== null && Number(match[1]) >= min_kib * 1024)
    .map(([, size, path]) => ({ path, bytes: Number(size), still_present: current.has(path) }))
    .sort((a, b) => b.bytes - a.bytes);
  return { files: files.slice(0, limit) };
});

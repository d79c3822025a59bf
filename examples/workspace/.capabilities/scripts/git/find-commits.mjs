import { runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

await runAction(({ repository, text, search_in = 'message', limit = 20 }) => {
  const { git } = openRepository(repository);
  const filter =
    search_in === 'message' ? ['--regexp-ignore-case', '--fixed-strings', `--grep=${text}`] : [`-S${text}`];
  const lines = linesOf(git('log', `--max-count=${limit}`, '--format=%h%x00%an%x00%aI%x00%s', ...filter));
  const commits = lines.map((line) => {
    const [commit, author, date, subject] = line.split('\0');
    return { commit, author, date, subject };
  });
  return { count: commits.length, commits };
});

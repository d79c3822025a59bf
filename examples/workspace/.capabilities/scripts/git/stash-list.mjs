import { runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

await runAction(({ repository }) => {
  const { git } = openRepository(repository);
  const stashes = linesOf(git('stash', 'list', '--format=%gd%x00%cI%x00%gs')).map((line) => {
    const [name, date, message] = line.split('\0');
    return { name, date, message, files: linesOf(git('stash', 'show', '--name-only', '--include-untracked', name)) };
  });
  return { count: stashes.length, stashes };
});

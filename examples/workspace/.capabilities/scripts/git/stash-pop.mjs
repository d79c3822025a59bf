import { runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

await runAction(({ repository, index = 0 }) => {
  const { git } = openRepository(repository);
  const name = `stash@{${index}}`;
  const files = linesOf(git('stash', 'show', '--name-only', '--include-untracked', name));
  git('stash', 'pop', name);
  return { restored: name, files };
});

import { Refusal, runAction } from '../shared/action.mjs';
import { openRepository } from './repository.mjs';

await runAction(({ repository, message, include_untracked = false }) => {
  const { git } = openRepository(repository);
  const output = git('stash', 'push', '--message', message, ...(include_untracked ? ['--include-untracked'] : []));
  if (output.includes('No local changes')) throw new Refusal('There is nothing to stash.');
  return { stash: 'stash@{0}', message, commit: git('rev-parse', '--short', 'stash@{0}').trim() };
});

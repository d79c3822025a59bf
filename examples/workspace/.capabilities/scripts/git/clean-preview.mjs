import { runAction } from '../shared/action.mjs';
import { openRepository } from './repository.mjs';
import { listUntracked } from './untracked.mjs';

await runAction(({ repository, include_ignored = false }) => {
  const files = listUntracked(openRepository(repository), include_ignored);
  return { count: files.length, files };
});

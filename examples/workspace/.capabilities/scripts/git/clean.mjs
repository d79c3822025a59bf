import { Refusal, runAction } from '../shared/action.mjs';
import { openRepository } from './repository.mjs';
import { listUntracked } from './untracked.mjs';

await runAction(({ repository, expected_count, include_ignored = false }) => {
  const opened = openRepository(repository);
  const files = listUntracked(opened, include_ignored);
  if (files.length !== expected_count) {
    throw new Refusal(
      `Nothing was deleted: ${files.length} entries would go, not ${expected_count}. Look at git.clean_preview again.`,
    );
  }
  opened.git('clean', '--force', '-d', ...(include_ignored ? ['-x'] : []));
  return { deleted: files };
});

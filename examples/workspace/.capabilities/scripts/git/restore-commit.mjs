import { Refusal, runAction } from '../shared/action.mjs';
import { openRepository } from './repository.mjs';

await runAction(({ repository, commit }) => {
  const { git, tryGit } = openRepository(repository);
  const head = git('rev-parse', 'HEAD').trim();
  if (tryGit('rev-parse', '--verify', '--quiet', `${commit}^1`).stdout.trim() !== head) {
    throw new Refusal(`${commit} does not follow directly on the current commit, so this does not take back an undo.`);
  }
  git('reset', '--soft', commit);
  return { head: git('rev-parse', 'HEAD').trim(), subject: git('log', '-1', '--format=%s').trim() };
});

import { Refusal, runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

await runAction(({ repository }) => {
  const { git, tryGit } = openRepository(repository);
  const parents = git('log', '-1', '--format=%P').trim().split(' ').filter(Boolean);
  if (parents.length !== 1) throw new Refusal('The last commit is the first one or a merge. Undo it by hand.');
  if (isPublished(tryGit)) {
    throw new Refusal(
      'The last commit is on the remote already. Revert it with a new commit instead of rewriting history.',
    );
  }
  const [commit, subject] = git('log', '-1', '--format=%H%x00%s').trim().split('\0');
  git('reset', '--soft', 'HEAD~1');
  return {
    undone: commit,
    subject,
    head: git('rev-parse', 'HEAD').trim(),
    staged_files: linesOf(git('diff', '--cached', '--name-only')),
  };
});

function isPublished(tryGit) {
  return tryGit('branch', '--remotes', '--contains', 'HEAD').stdout.trim() !== '';
}

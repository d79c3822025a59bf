import { Refusal, runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

const PROTECTED = new Set(['main', 'master', 'develop', 'release']);

await runAction(({ repository, branches }) => {
  const { git } = openRepository(repository);
  const current = git('branch', '--show-current').trim();
  const merged = linesOf(git('branch', '--format=%(refname:short)', '--merged'));
  const deletable = merged.filter((name) => name !== current && !PROTECTED.has(name));
  const refused = branches.filter((name) => !deletable.includes(name));
  if (refused.length > 0) {
    throw new Refusal(`Nothing was deleted. Not merged, protected, current or unknown: ${refused.join(', ')}.`);
  }
  const deleted = branches.map((name) => ({ name, commit: git('rev-parse', '--verify', `refs/heads/${name}`).trim() }));
  git('branch', '-d', '--', ...branches);
  return { deleted, restore_hint: 'git branch <name> <commit>' };
});

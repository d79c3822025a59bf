import { runAction } from '../shared/action.mjs';
import { linesOf, openRepository } from './repository.mjs';

const FORMAT = [
  '%(refname:short)',
  '%(objectname:short)',
  '%(committerdate:iso-strict)',
  '%(upstream:short)',
  '%(subject)',
];

await runAction(({ repository }) => {
  const { git } = openRepository(repository);
  const current = git('branch', '--show-current').trim();
  const merged = new Set(linesOf(git('branch', '--format=%(refname:short)', '--merged')));
  const lines = linesOf(git('branch', '--sort=-committerdate', `--format=${FORMAT.join('%00')}`));
  const branches = lines.map((line) => {
    const [name, commit, date, upstream, subject] = line.split('\0');
    return { name, commit, date, upstream: upstream || null, subject, merged: name !== current && merged.has(name) };
  });
  return { current: current || null, branches };
});

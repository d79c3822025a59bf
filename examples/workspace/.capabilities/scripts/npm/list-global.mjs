import { runAction } from '../shared/action.mjs';
import { npmJson } from './npm.mjs';

await runAction(({ name_contains = '' }) => {
  const { dependencies = {} } = npmJson(['list', '-g', '--depth=0']);
  const packages = Object.entries(dependencies)
    .filter(([name]) => name.includes(name_contains))
    .map(([name, { version = null }]) => ({ name, version }));
  return { count: packages.length, packages };
});

import { runAction } from '../shared/action.mjs';
import { findEnvironments } from './environments.mjs';

await runAction(() => {
  const environments = findEnvironments();
  return { count: environments.length, environments };
});

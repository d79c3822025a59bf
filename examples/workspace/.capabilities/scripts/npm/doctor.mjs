import { runAction } from '../shared/action.mjs';
import { npm } from './npm.mjs';

// The other checks of npm doctor ask the registry or write to the cache.
const OFFLINE_CHECKS = ['environment', 'permissions'];

await runAction(() => {
  const { code, stdout, stderr } = npm(['doctor', ...OFFLINE_CHECKS, '--no-color']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return { healthy: code === 0, report: lines.filter(Boolean), problems: stderr.trim() };
});

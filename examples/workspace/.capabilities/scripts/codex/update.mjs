import { runAction } from '../shared/action.mjs';
import { installedVersion, installVersion, readReleases, requireDemo } from './demo-home.mjs';
import { activeCodex } from './shell-profiles.mjs';

await runAction(({ channel }) => {
  requireDemo();
  const target = readReleases()['dist-tags'][channel];
  const previous = installedVersion();
  if (previous !== target) installVersion(target);
  const active = activeCodex().version;
  return {
    channel,
    previous_version: previous,
    installed_version: target,
    changed: previous !== target,
    active_version: active,
    recommended_actions: active === target ? [] : ['maintenance.codex.diagnose'],
  };
});

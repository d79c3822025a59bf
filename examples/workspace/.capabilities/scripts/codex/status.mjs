import { runAction } from '../shared/action.mjs';
import { installedVersion, isDemoInstalled, previousVersions, readReleases } from './demo-home.mjs';
import { activeCodex, isRepaired } from './shell-profiles.mjs';

await runAction(() => {
  const { stable, latest } = readReleases()['dist-tags'];
  if (!isDemoInstalled()) return { installed: false, stable_version: stable, latest_version: latest };
  return {
    installed: true,
    active_version: activeCodex().version,
    installed_version: installedVersion(),
    stable_version: stable,
    latest_version: latest,
    rollback_version: previousVersions().at(-1) ?? null,
    repaired_shells: ['bash', 'fish'].filter(isRepaired),
  };
});

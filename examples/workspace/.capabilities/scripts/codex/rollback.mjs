import { Refusal, runAction } from '../shared/action.mjs';
import { installedVersion, previousVersions, readReleases, requireDemo, returnToVersion } from './demo-home.mjs';

await runAction(({ version }) => {
  requireDemo();
  const target = version ?? previousVersions().at(-1);
  if (target === undefined) {
    throw new Refusal('No earlier version is recorded. Name one with "version", for example 0.143.2.');
  }
  const { versions } = readReleases();
  if (!versions.includes(target))
    throw new Refusal(`${target} was never released. Choose one of ${versions.join(', ')}.`);
  const previous = installedVersion();
  returnToVersion(target);
  return { previous_version: previous, installed_version: target, changed: previous !== target };
});

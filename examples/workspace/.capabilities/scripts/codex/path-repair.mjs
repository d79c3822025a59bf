import { runAction } from '../shared/action.mjs';
import { requireDemo } from './demo-home.mjs';
import { activeCodex, backupOf, repairProfile, shellProfiles } from './shell-profiles.mjs';

await runAction(({ shells = ['bash', 'fish'] }) => {
  requireDemo();
  const changed = shells.filter(repairProfile);
  const active = activeCodex();
  return {
    changed_files: changed.map((shell) => shellProfiles[shell].file),
    backups: changed.map((shell) => backupOf(shellProfiles[shell].file)),
    active_binary: active.binary,
    active_version: active.version,
  };
});

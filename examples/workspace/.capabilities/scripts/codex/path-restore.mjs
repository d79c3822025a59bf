import { rmSync } from 'node:fs';
import { runAction } from '../shared/action.mjs';
import { requireDemo } from './demo-home.mjs';
import { activeCodex, backupOf, restoreProfile, shellProfiles } from './shell-profiles.mjs';

await runAction(({ shells = ['bash', 'fish'], later_edits = 'keep' }) => {
  requireDemo();
  const restored = shells.filter((shell) => restoreProfile(shell, later_edits));
  const files = restored.map((shell) => shellProfiles[shell].file);
  for (const file of files) rmSync(backupOf(file));
  const active = activeCodex();
  return { restored_files: files, active_binary: active.binary, active_version: active.version };
});

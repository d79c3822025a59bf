import path from 'node:path';
import { runAction } from '../shared/action.mjs';
import { requireProgram } from '../shared/program.mjs';
import {
  demoEnvironment,
  installedVersion,
  isDemoInstalled,
  npmBinary,
  readReleases,
  versionOf,
} from './demo-home.mjs';
import { resolveInBash, resolveInFish, shellProfiles } from './shell-profiles.mjs';

await runAction(({ include_shell_resolution = true, include_registry_check = true }) => {
  if (!isDemoInstalled()) return reportMissingDemo();
  const resolved = include_shell_resolution ? { bash: resolveInBash(), fish: resolveInFish() } : { bash: [], fish: [] };
  const conflicts = Object.entries(resolved).flatMap(([shell, binaries]) => findConflict(shell, binaries));
  const installed = installedVersion();
  const active = resolved.bash[0] ?? null;
  return {
    active_binary: active,
    active_version: active && versionOf(active),
    installed_binary: npmBinary,
    installed_version: installed,
    issue: conflicts.length > 0 ? 'PATH shadowing' : null,
    npm_prefix: requireProgram('npm', ['prefix', '-g'], { env: demoEnvironment }).trim(),
    path_conflicts: conflicts,
    recommended_actions: recommend(conflicts, include_registry_check && isBehindStable(installed)),
  };
});

function findConflict(shell, binaries) {
  const [first] = binaries;
  if (first === undefined || first === npmBinary || !binaries.includes(npmBinary)) return [];
  return {
    shell,
    profile: path.relative(process.cwd(), shellProfiles[shell].file),
    first,
    first_version: versionOf(first),
    shadowed: npmBinary,
    shadowed_version: versionOf(npmBinary),
  };
}

function isBehindStable(version) {
  const { versions, 'dist-tags': tags } = readReleases();
  return versions.indexOf(version) < versions.indexOf(tags.stable);
}

function recommend(conflicts, isBehind) {
  if (conflicts.length > 0) return ['maintenance.codex.path_repair'];
  return isBehind ? ['maintenance.codex.update'] : [];
}

function reportMissingDemo() {
  return {
    active_binary: null,
    active_version: null,
    installed_binary: null,
    installed_version: null,
    issue: 'The demo Codex is not installed',
    npm_prefix: null,
    path_conflicts: [],
    recommended_actions: ['maintenance.codex.install_demo'],
  };
}

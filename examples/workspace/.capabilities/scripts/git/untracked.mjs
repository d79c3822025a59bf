/** What `git clean` would delete below the folder, as paths relative to it. */
export function listUntracked({ git }, includeIgnored) {
  const output = git('-c', 'core.quotePath=false', 'clean', '--dry-run', '-d', ...(includeIgnored ? ['-x'] : []));
  return [...output.matchAll(/^Would remove (.+)$/gm)].map(([, file]) => file);
}

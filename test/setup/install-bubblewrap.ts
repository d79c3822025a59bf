import { spawnSync } from 'node:child_process';
import { findSystemTool } from '../../capabilities/node/isolation/bubblewrap-isolator';

/**
 * Actions run isolated, so the tests need bubblewrap. It is installed from the system's packages where it is missing and that is allowed;
 * else the run ends here with what to do, because tests without it would prove nothing.
 */
export default function installBubblewrap(): void {
  if (process.platform !== 'linux' || findSystemTool('bwrap') !== undefined) return;
  const advice =
    'The tests need bubblewrap: install it with the package manager of the system (Debian, Ubuntu: apt install bubblewrap).';
  if (process.getuid?.() !== 0 || findSystemTool('apt-get') === undefined) throw new Error(advice);
  console.error('Installing bubblewrap for the tests …');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...words: readonly string[]): string => {
    const { status, stderr } = spawnSync('apt-get', words, { env: environment, encoding: 'utf8' });
    return status === 0 ? '' : stderr;
  };
  const install = ['install', '-y', '--no-install-recommends', 'bubblewrap'] as const;
  // The lists of packages may be missing or old on a fresh machine.
  if (run(...install) === '') return;
  run('update');
  const failure = run(...install);
  if (failure !== '') throw new Error(`${advice}\n${failure}`);
}

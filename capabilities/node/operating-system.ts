import process from 'node:process';
import type { OperatingSystem } from '../models';

/** The operating system this process runs on; every other Unix counts as Linux. */
export function operatingSystem(): OperatingSystem {
  if (process.platform === 'darwin') return 'macos';
  return process.platform === 'win32' ? 'windows' : 'linux';
}

import path from 'node:path';

/** What the place of the data folder depends on. */
export interface DataFolderFacts {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The per-user data folder by the platform's convention: `$XDG_DATA_HOME/capability-layer` (default `~/.local/share`),
 * `~/Library/Application Support/capability-layer`, or `%LOCALAPPDATA%\capability-layer`. A relative `XDG_DATA_HOME` is
 * ignored, as the XDG specification says.
 */
export function dataFolder(facts: DataFolderFacts): string {
  const { platform, home, environment } = facts;
  if (platform === 'win32') {
    return path.win32.join(
      environment['LOCALAPPDATA'] ?? path.win32.join(home, 'AppData', 'Local'),
      'capability-layer',
    );
  }
  if (platform === 'darwin') {
    return path.posix.join(home, 'Library', 'Application Support', 'capability-layer');
  }
  const base = environment['XDG_DATA_HOME'];
  const usable = base !== undefined && path.posix.isAbsolute(base) ? base : path.posix.join(home, '.local', 'share');
  return path.posix.join(usable, 'capability-layer');
}

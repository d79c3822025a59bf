import path from 'node:path';

/** One change to what the run sees of the file system. */
export type Mount =
  /** An empty folder in memory; what is written there is gone with the run. */
  | { readonly kind: 'empty-folder'; readonly path: string }
  /** A file that reads as nothing. */
  | { readonly kind: 'empty-file'; readonly path: string }
  | { readonly kind: 'read-only'; readonly path: string }
  | { readonly kind: 'writable'; readonly path: string }
  /** A file with bytes of its own, in an empty folder; they come on this descriptor. */
  | { readonly kind: 'file'; readonly path: string; readonly descriptor: number }
  /** A symbolic link, in an empty folder. */
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

/** What bubblewrap is to do. */
export interface BubblewrapPlan {
  readonly mounts: readonly Mount[];
  readonly network: 'none' | 'any';
  readonly cwd: string;
  /** Descriptor of the seccomp program. */
  readonly filterDescriptor: number;
  /** Descriptor that bubblewrap reports to. */
  readonly statusDescriptor: number;
}

/**
 * The words for bubblewrap, without its own name and without the command. The whole file system is there and read-only; over it lie the
 * mounts, those nearer to the root first, so that the more precise statement wins. Pure.
 */
export function bubblewrapArguments(plan: BubblewrapPlan): readonly string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns'],
    ...(plan.network === 'any' ? ['--share-net'] : []),
    ...['--die-with-parent', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...inOrder(plan.mounts).flatMap(wordsOf),
    ...['--chdir', plan.cwd, '--seccomp', String(plan.filterDescriptor)],
    ...['--json-status-fd', String(plan.statusDescriptor)],
  ];
}

/** Whether `inner` is `outer` or lies below it. */
export function isAtOrBelow(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);
}

/** A mount hides what was mounted below it before; the order of mounts on one path is kept. */
function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  return [...mounts].sort((one, other) => depthOf(one.path) - depthOf(other.path));
}

function depthOf(place: string): number {
  return place === path.sep ? 0 : place.split(path.sep).length;
}

function wordsOf(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'empty-folder':
      return ['--tmpfs', mount.path];
    case 'empty-file':
      return ['--ro-bind', '/dev/null', mount.path];
    case 'read-only':
      return ['--ro-bind', mount.path, mount.path];
    case 'writable':
      return ['--bind', mount.path, mount.path];
    case 'file':
      return ['--perms', '0555', '--file', String(mount.descriptor), mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
  }
}

import type { IsolationRequest } from '../../ports';
import { isAtOrBelow, type Mount } from './bubblewrap-arguments';

/** What stands at a path. */
export type PlaceKind = 'folder' | 'file' | 'missing';

/** What is known of this machine, whatever is run. */
export interface SandboxFacts {
  readonly home: string;
  /** Folder of our own approvals, tokens and records: no run ever sees it. */
  readonly dataFolder: string;
  readonly kindOf: (path: string) => PlaceKind;
  /** Whether the server runs as root: then files of root can be written, whatever rights the sandbox has lost. */
  readonly isRoot: boolean;
  /** Names in a folder; none when it can't be read. */
  readonly namesIn: (folder: string) => readonly string[];
}

/** What one run needs to see. */
export interface ViewRequest extends IsolationRequest {
  /** Full paths of the programs that are started. */
  readonly programs: readonly string[];
  readonly cwd: string;
}

/** Folders in which programs keep sockets, locks and other users' files: every run gets empty ones. */
const VOLATILE = ['/tmp', '/run', '/var/tmp', '/dev/shm'];

/** Places below the home folder that hold keys and sessions. A run sees them only where its definition names them as writable. */
const KEYS = [
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.netrc',
    '.git-credentials',
    '.pypirc',
    '.password-store',
  ],
  ...['.config/gh', '.config/gcloud', '.config/git/credentials', '.config/hub', '.local/share/keyrings'],
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.bash_history', '.zsh_history'],
  ...['.local/share/fish/fish_history', '.python_history', '.node_repl_history'],
];

/** Settings of the kernel for the whole machine. bubblewrap leaves them to their file modes, which root passes. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs'];

/** Of these folders of the machine only the named entries are shown again: programs resolve names by them. */
const NEEDED_OF_VOLATILE = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf'];

/** The mounts for one run; pinned files get the descriptors from `firstDescriptor` on, in their order. Pure but for `kindOf`. */
export function sandboxMounts(request: ViewRequest, facts: SandboxFacts, firstDescriptor: number): readonly Mount[] {
  const { kindOf } = facts;
  const volatile = VOLATILE.filter((folder) => kindOf(folder) === 'folder');
  const writable = request.writable.map(({ path }) => path);
  const needed = [request.workspaceFolder, ...request.programs, request.cwd, facts.home, ...neededFor(request)];
  // Each mount costs a run about a third of a millisecond.
  const shownAgain = withoutCovered(
    [...new Set(needed)].filter((path) => !writable.includes(path)),
    writable,
  );
  const hidden = [...KEYS.map((name) => `${facts.home}/${name}`), facts.dataFolder];
  const isCovered = (place: string): boolean => [...volatile, ...hidden].some((folder) => isAtOrBelow(place, folder));
  const settings = facts.isRoot ? KERNEL_SETTINGS.filter((path) => kindOf(path) !== 'missing') : [];
  return [
    ...settings.map((path): Mount => ({ kind: 'read-only', path })),
    ...volatile.map((path): Mount => ({ kind: 'empty-folder', path })),
    ...shownAgain
      .filter((path) => isCovered(path) && kindOf(path) !== 'missing')
      .map((path): Mount => ({ kind: 'read-only', path })),
    ...writable.map((path): Mount => ({ kind: 'writable', path })),
    ...request.protectedPaths
      .filter((path) => kindOf(path) !== 'missing' && writable.some((place) => isAtOrBelow(path, place)))
      .map((path): Mount => ({ kind: 'read-only', path })),
    ...hidden
      .filter((path) => !writable.includes(path) && !shownAgain.includes(path))
      .flatMap((path) => emptied(path, kindOf(path))),
    ...request.pinnedFiles.flatMap(({ path }, index) =>
      pinnedMounts(path, { ...request, ...facts, descriptor: firstDescriptor + index }),
    ),
  ];
}

/** Where pinned files stand in a sandbox. */
const PINNED_ROOT = '/run/capability';

/**
 * Path of a pinned file in the sandbox. Not its own path: a file that is exchanged on disk takes a mount on its path away with it, in every sandbox.
 * The private folder is not on disk.
 */
export function pinnedPath(path: string, { workspaceFolder }: Pick<IsolationRequest, 'workspaceFolder'>): string {
  return isAtOrBelow(path, workspaceFolder)
    ? `${PINNED_ROOT}${path.slice(workspaceFolder === '/' ? 0 : workspaceFolder.length)}`
    : `${PINNED_ROOT}${path}`;
}

/** The bytes, and links to what stands beside them and above them in the workspace, so that relative imports find their files. */
function pinnedMounts(
  path: string,
  view: Pick<ViewRequest, 'workspaceFolder'> & Pick<SandboxFacts, 'namesIn'> & { readonly descriptor: number },
): readonly Mount[] {
  const { workspaceFolder, descriptor } = view;
  const file: Mount = { kind: 'file', path: pinnedPath(path, view), descriptor };
  if (!isAtOrBelow(path, workspaceFolder)) return [file];
  const links: Mount[] = [];
  for (let place = path; place !== workspaceFolder && place !== '/';) {
    const folder = place.slice(0, place.lastIndexOf('/')) || '/';
    const own = place.slice(place.lastIndexOf('/') + 1);
    for (const name of view.namesIn(folder)) {
      const target = folder === '/' ? `/${name}` : `${folder}/${name}`;
      if (name !== own) links.push({ kind: 'link', path: pinnedPath(target, view), target });
    }
    place = folder;
  }
  return [file, ...links];
}

/** Without the paths that lie below another that is shown anyway. */
function withoutCovered(paths: readonly string[], shown: readonly string[]): readonly string[] {
  return paths.filter((path) => ![...paths, ...shown].some((other) => other !== path && isAtOrBelow(path, other)));
}

function neededFor({ network }: ViewRequest): readonly string[] {
  // With a list of hosts, names are resolved outside.
  return network === 'any' ? NEEDED_OF_VOLATILE : [];
}

function emptied(path: string, kind: PlaceKind): readonly Mount[] {
  if (kind === 'missing') return [];
  return [{ kind: kind === 'folder' ? 'empty-folder' : 'empty-file', path }];
}

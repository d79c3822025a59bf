import type { Result, WritablePlace } from '../../models';
import type { FileSystem } from '../../ports';
import { isInside } from '../contained-path';

/** Where written places are relative to. */
export interface PlaceBase {
  /** Real path. */
  readonly workspaceFolder: string;
  readonly fileSystem: FileSystem;
}

/** A pattern of `filesystem.write` taken apart. */
export interface WrittenPlace {
  readonly base: 'workspace' | 'home';
  /** Relative to the base; empty for the base itself. */
  readonly relative: string;
  readonly kind: 'folder' | 'file';
}

const GLOB_CHARACTER = /[*?[\]{}!]/u;

/**
 * Takes a pattern apart: a file (`notes.md`), a folder (`dist/`, `dist/**`, `.`), in the workspace folder or (`~/…`) the home folder. Fails
 * with what is wrong as the end of a sentence: a limit that can't be enforced must not be written. Pure.
 */
export function readWrittenPlace(pattern: string): Result<WrittenPlace, string> {
  const isHome = /^~[\\/]/u.test(pattern);
  const path = (isHome ? pattern.slice(2) : pattern).replaceAll('\\', '/');
  if (!isHome && (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/u.test(path))) {
    return { ok: false, problem: 'has to be relative to the workspace folder, or to the home folder as `~/…`' };
  }
  const isFolder = /(?:^|\/)(?:\*\*|\*\*\/\*|)$/u.test(path) || path === '.';
  const parts = path.replace(/(?:^|\/)\*\*(?:\/\*)?$/u, '').split('/');
  const names = parts.filter((part) => part !== '' && part !== '.');
  if (names.includes('..')) return { ok: false, problem: 'leads out of its folder by `..`' };
  if (names.some((name) => GLOB_CHARACTER.test(name))) {
    return {
      ok: false,
      problem: "has a pattern inside, which can't be enforced; name a file, or a folder as `folder/**`",
    };
  }
  if (isHome && names.length === 0)
    return { ok: false, problem: 'is the whole home folder; name a folder or file in it' };
  return {
    ok: true,
    value: { base: isHome ? 'home' : 'workspace', relative: names.join('/'), kind: isFolder ? 'folder' : 'file' },
  };
}

/**
 * The places of patterns on this machine. A link may not lead out of the workspace folder, or out of the home folder. Fails with the sentence
 * for the author.
 */
export async function resolveWritablePlaces(
  patterns: readonly string[],
  base: PlaceBase,
): Promise<Result<readonly WritablePlace[], string>> {
  const places: WritablePlace[] = [];
  for (const pattern of patterns) {
    const read = readWrittenPlace(pattern);
    if (!read.ok) return { ok: false, problem: `its writable place "${pattern}" ${read.problem}.` };
    const place = await locate(read.value, base);
    if (place === undefined)
      return { ok: false, problem: `its writable place "${pattern}" leads elsewhere by a link.` };
    places.push(place);
  }
  return { ok: true, value: places };
}

async function locate(
  { base, relative, kind }: WrittenPlace,
  { workspaceFolder, fileSystem }: PlaceBase,
): Promise<WritablePlace | undefined> {
  const { paths } = fileSystem;
  const root = base === 'workspace' ? workspaceFolder : await fileSystem.realPath(fileSystem.home);
  if (root === undefined) return undefined;
  const wanted = relative === '' ? root : paths.join(root, relative);
  const existing = await nearestExisting(wanted, fileSystem);
  if (existing === undefined || !isInside(paths, root, existing.real)) return undefined;
  return { path: existing.missing === '' ? existing.real : paths.join(existing.real, existing.missing), kind };
}

/** The longest part of a path that is there, as a real path, and the rest. */
async function nearestExisting(
  wanted: string,
  fileSystem: FileSystem,
): Promise<{ readonly real: string; readonly missing: string } | undefined> {
  const { paths } = fileSystem;
  let missing = '';
  for (let path = wanted; ; path = paths.dirname(path)) {
    const real = await fileSystem.realPath(path);
    if (real !== undefined) return { real, missing };
    if (paths.dirname(path) === path) return undefined;
    missing = missing === '' ? paths.basename(path) : paths.join(paths.basename(path), missing);
  }
}

import { constants } from 'node:fs';
import { mkdir, open, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { WritablePlace } from '../../models';

/**
 * Makes what mounts need to stand on. A protected path that is missing gets an empty folder for the time of the run, because only what is
 * there can be mounted over and so be kept from being made. Several runs share one placeholder; the last takes it away.
 */
export class MissingPlaces {
  readonly #users = new Map<string, number>();

  /** Makes what is missing; the returned function takes away again what is still empty. Rejects when it can't be made. */
  async make(writable: readonly WritablePlace[], protectedPaths: readonly string[]): Promise<() => Promise<void>> {
    const files: string[] = [];
    for (const place of writable) {
      if (place.kind === 'folder') await mkdir(place.path, { recursive: true });
      else if (await createFile(place.path)) files.push(place.path);
    }
    const isBelowWritable = (place: string): boolean =>
      writable.some(({ kind, path: outer }) => kind === 'folder' && place.startsWith(`${outer}${path.sep}`));
    const placeholders = await this.#hold(protectedPaths.filter(isBelowWritable));
    return async () => {
      await Promise.all([...files.map(removeEmptyFile), ...placeholders.map((place) => this.#release(place))]);
    };
  }

  async #hold(paths: readonly string[]): Promise<readonly string[]> {
    const held: string[] = [];
    for (const place of paths) {
      const users = this.#users.get(place);
      if (users === undefined && !(await makeFolder(place))) continue;
      this.#users.set(place, (this.#users.get(place) ?? 0) + 1);
      held.push(place);
    }
    return held;
  }

  async #release(place: string): Promise<void> {
    const users = (this.#users.get(place) ?? 1) - 1;
    if (users > 0) {
      this.#users.set(place, users);
      return;
    }
    this.#users.delete(place);
    // Something else may have filled it meanwhile; then it is not ours any more.
    await rmdir(place).catch(() => undefined);
  }
}

/** False when there is something already. */
async function makeFolder(place: string): Promise<boolean> {
  try {
    await mkdir(place);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** False when there is something already. Never follows a link. */
async function createFile(place: string): Promise<boolean> {
  await mkdir(path.dirname(place), { recursive: true });
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
    await (await open(place, flags, 0o644)).close();
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function removeEmptyFile(place: string): Promise<void> {
  const found = await stat(place).catch(() => undefined);
  if (found?.isFile() === true && found.size === 0) await unlink(place).catch(() => undefined);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

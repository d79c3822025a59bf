import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DataStore } from '../ports';

const privateFolder = 0o700;
const privateFile = 0o600;

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}

/**
 * Files of the per-user data folder. Folders are 0700 and files 0600; a write is a temporary file, a sync and a rename, so
 * a reader sees the old text or the new text, never a part. A folder that is a link, belongs to someone else or can be
 * written by others is refused, for reading too: what stands in it decides what may run.
 */
export class NodeDataStore implements DataStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = path.resolve(folder);
  }

  async read(name: string): Promise<string | undefined> {
    const file = this.#path(name);
    await assertPrivate(this.folder);
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) {
        return undefined;
      }
      throw error;
    }
  }

  async write(name: string, text: string): Promise<void> {
    const target = await this.#prepare(name);
    const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      const handle = await open(temporary, 'wx', privateFile);
      try {
        await handle.writeFile(text, 'utf8');
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncFolder(path.dirname(target));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  async list(folder: string): Promise<readonly string[]> {
    const full = this.#path(folder);
    await assertPrivate(this.folder);
    try {
      const entries = await readdir(full, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'));
      return files.map((entry) => entry.name).sort();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) {
        return [];
      }
      throw error;
    }
  }

  async appendLine(name: string, line: string, sync: boolean): Promise<void> {
    if (line.includes('\n')) {
      throw new Error('A line to append may not contain a line break.');
    }
    const handle = await open(await this.#prepare(name), 'a', privateFile);
    try {
      const bytes = Buffer.from(`${line}\n`, 'utf8');
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length);
      // A full disk gives a short write without an error.
      if (bytesWritten !== bytes.length) {
        throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written to ${name}; the disk may be full.`);
      }
      if (sync) {
        await handle.datasync();
      }
    } finally {
      await handle.close();
    }
  }

  async claim(name: string, claimedName: string): Promise<boolean> {
    try {
      await rename(this.#path(name), await this.#prepare(claimedName));
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) {
        return false;
      }
      throw error;
    }
  }

  #path(name: string): string {
    const full = path.resolve(this.folder, name);
    if (!full.startsWith(this.folder + path.sep)) {
      throw new Error(`"${name}" is not a name inside the data folder.`);
    }
    return full;
  }

  async #prepare(name: string): Promise<string> {
    const full = this.#path(name);
    await secure(this.folder);
    await secure(path.dirname(full));
    return full;
  }
}

/** Makes the folder when it is missing, and closes one to readers that was open to them. */
async function secure(folder: string): Promise<void> {
  const mode = await assertPrivate(folder);
  if (mode === undefined) {
    await mkdir(folder, { recursive: true, mode: privateFolder });
    await assertPrivate(folder);
  } else if ((mode & 0o077) !== 0) {
    await chmod(folder, privateFolder);
  }
}

/** Mode of a folder that only this user can write; undefined when there is none. Fails for any other. */
async function assertPrivate(folder: string): Promise<number | undefined> {
  const status = await lstat(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  });
  if (status === undefined) {
    return undefined;
  }
  const owner = process.getuid?.();
  if (!status.isDirectory() || (owner !== undefined && status.uid !== owner)) {
    throw new Error(`The data folder ${folder} is not a folder of this user; remove it or choose another.`);
  }
  // Making it private now would make lasting what others may have put there. Windows has no such bits.
  if (owner !== undefined && (status.mode & 0o022) !== 0) {
    throw new Error(
      `Others can write to the data folder ${folder}; check what is in it, then run: chmod 700 ${folder}`,
    );
  }
  return status.mode;
}

/** A rename is on disk only once its folder is; not every platform lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (
      !hasCode(error, 'EISDIR') &&
      !hasCode(error, 'EPERM') &&
      !hasCode(error, 'EACCES') &&
      !hasCode(error, 'EINVAL')
    ) {
      throw error;
    }
  }
}

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
 * a reader sees the old text or the new text, never a part. A folder that is a link or belongs to someone else is refused.
 */
export class NodeDataStore implements DataStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = path.resolve(folder);
  }

  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.#path(name), 'utf8');
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
    try {
      const entries = await readdir(this.#path(folder), { withFileTypes: true });
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

/** Makes the folder when it is missing and checks that it is a private folder of this user. */
async function secure(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: privateFolder });
  const status = await lstat(folder);
  const owner = process.getuid?.();
  if (!status.isDirectory() || (owner !== undefined && status.uid !== owner)) {
    throw new Error(`The data folder ${folder} is not a folder of this user; remove it or choose another.`);
  }
  if ((status.mode & 0o077) !== 0) {
    await chmod(folder, privateFolder);
  }
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

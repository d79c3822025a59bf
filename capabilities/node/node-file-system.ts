import { constants } from 'node:fs';
import { access, open, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { FileSystem, ReadFailure } from '../ports';
import { nodePaths } from './node-paths';

type BytesResult = Awaited<ReturnType<FileSystem['readBytes']>>;
type ReadResult = Awaited<ReturnType<FileSystem['readText']>>;

/** What `reading` a file can end in, by the error Node reports. */
function readFailure(error: unknown): ReadFailure {
  const code = (error as NodeJS.ErrnoException).code;
  // A link that leads to itself leads nowhere.
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') {
    return 'missing';
  }
  return code === 'EISDIR' ? 'not-a-file' : 'unreadable';
}

/** The real file system, read only. */
export class NodeFileSystem implements FileSystem {
  readonly paths = nodePaths;
  readonly home: string;

  constructor(home: string = homedir()) {
    this.home = home;
  }

  async readText(file: string, maxBytes: number): Promise<ReadResult> {
    const read = await this.readBytes(file, maxBytes);
    return read.ok ? decode(read.bytes) : read;
  }

  async readBytes(file: string, maxBytes: number): Promise<BytesResult> {
    try {
      // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
      const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        if (!(await handle.stat()).isFile()) {
          return { ok: false, reason: 'not-a-file' };
        }
        const bytes = await readAtMost(handle, maxBytes + 1);
        return bytes.length > maxBytes ? { ok: false, reason: 'too-large' } : { ok: true, bytes };
      } finally {
        await handle.close();
      }
    } catch (error) {
      return { ok: false, reason: readFailure(error) };
    }
  }

  async listYaml(folder: string, limit: number): Promise<readonly string[]> {
    const found: string[] = [];
    await this.#collect({ folder, found, limit });
    return found.sort().slice(0, limit);
  }

  async exists(file: string): Promise<boolean> {
    try {
      await access(file);
      return true;
    } catch {
      return false;
    }
  }

  async realPath(file: string): Promise<string | undefined> {
    try {
      return await realpath(file);
    } catch {
      return undefined;
    }
  }

  async #collect(walk: Walk): Promise<void> {
    const entries = await readdir(walk.folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (walk.found.length >= walk.limit) {
        return;
      }
      const full = path.join(walk.folder, entry.name);
      if (entry.isSymbolicLink()) {
        await this.#collectLink(walk, full);
      } else if (entry.isDirectory() && !isYamlName(entry.name)) {
        await this.#collect({ ...walk, folder: full });
      } else if (isYamlName(entry.name)) {
        walk.found.push(full);
      }
    }
  }

  /**
   * Links are not followed: what lies inside the folder is found at its own place, once, and what lies outside is not wanted.
   * A dangling link is listed, so that the reader reports it.
   */
  async #collectLink(walk: Walk, link: string): Promise<void> {
    if (isYamlName(link) && (await this.realPath(link)) === undefined) {
      walk.found.push(link);
    }
  }
}

interface Walk {
  readonly folder: string;
  readonly found: string[];
  readonly limit: number;
}

function isYamlName(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

/** Reads up to `limit` bytes; the size a file claims is not trusted, it may grow. */
async function readAtMost(handle: Awaited<ReturnType<typeof open>>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.alloc(Math.min(65_536, limit - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) {
      break;
    }
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks, total);
}

function decode(bytes: Uint8Array): ReadResult {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: 'not-utf8' };
  }
}

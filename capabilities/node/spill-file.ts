import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** A program that prints for ever must not fill the disk. */
const defaultLimitBytes = 256 * 1024 * 1024;

/**
 * File for the whole output of one run, opened at the first write. Holds back the source while the disk is slow. After
 * `limitBytes` the file ends with a line that says so.
 */
export class SpillFile {
  readonly #file: string;
  readonly #limitBytes: number;
  #stream: WriteStream | undefined;
  #writtenBytes = 0;
  #isHoldingBack = false;
  #state: 'open' | 'full' | 'failed' = 'open';

  constructor(file: string, limitBytes: number = defaultLimitBytes) {
    this.#file = file;
    this.#limitBytes = limitBytes;
  }

  /** Writes the chunks and pauses `source` until they are taken. */
  write(chunks: readonly Buffer[], source: Readable): void {
    for (const chunk of chunks) {
      this.#writeOne(chunk, source);
    }
  }

  /** Path of the finished file; undefined when nothing was written or it could not be written. */
  async close(): Promise<string | undefined> {
    const stream = this.#stream;
    if (stream === undefined) {
      return undefined;
    }
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      if (stream.closed) {
        resolve();
      }
      stream.end();
    });
    if (this.#state === 'failed') {
      await rm(this.#file, { force: true });
      return undefined;
    }
    return this.#file;
  }

  #writeOne(chunk: Buffer, source: Readable): void {
    if (this.#state !== 'open') {
      return;
    }
    this.#stream ??= this.#open(source);
    if (this.#stream === undefined) {
      return;
    }
    const room = this.#limitBytes - this.#writtenBytes;
    const part = chunk.subarray(0, room);
    this.#writtenBytes += part.length;
    const isTaken = this.#stream.write(part);
    if (chunk.length > room) {
      this.#state = 'full';
      this.#stream.write(`\n… output after ${this.#limitBytes} bytes was not kept …\n`);
    }
    if (!isTaken) {
      this.#holdBack(source, this.#stream);
    }
  }

  #holdBack(source: Readable, stream: WriteStream): void {
    source.pause();
    if (this.#isHoldingBack) {
      return;
    }
    this.#isHoldingBack = true;
    stream.once('drain', () => {
      this.#isHoldingBack = false;
      source.resume();
    });
  }

  /** Undefined when its folder can't be made: this runs in a stream's event, where an exception would end the process. */
  #open(source: Readable): WriteStream | undefined {
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    } catch {
      this.#state = 'failed';
      return undefined;
    }
    const stream = createWriteStream(this.#file, { mode: 0o600, flags: 'wx' });
    stream.on('error', () => {
      this.#state = 'failed';
      source.resume();
    });
    return stream;
  }
}

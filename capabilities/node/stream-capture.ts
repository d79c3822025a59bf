import type { Readable } from 'node:stream';
import type { CapturedStream } from '../ports';
import { neutraliseTerminalText } from './output-text';
import type { SpillFile } from './spill-file';

/**
 * Keeps the beginning and the end of a stream in bounded memory. Bytes are kept as bytes and decoded once, so a character
 * that arrives in two chunks survives.
 */
export class StreamCapture {
  readonly #keepBytes: number;
  readonly #spill: SpillFile | undefined;
  readonly #head: Buffer[] = [];
  readonly #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #totalBytes = 0;

  /** @param spill file that receives every byte once more than `keepBytes` have come. */
  constructor(keepBytes: number, spill: SpillFile | undefined) {
    this.#keepBytes = keepBytes;
    this.#spill = spill;
  }

  /** Reads `stream` until it ends or is destroyed. */
  attach(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#add(chunk, stream);
    });
    // A destroyed pipe reports an error; the run's result does not depend on it.
    stream.on('error', () => undefined);
  }

  /** What was captured. Call it when the stream is over. */
  async finish(): Promise<CapturedStream> {
    const file = await this.#spill?.close();
    const truncated = this.#totalBytes > this.#keepBytes;
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const bytes = truncated ? undefined : Buffer.concat([head, tail]);
    const text = bytes === undefined ? this.#shortened(head, tail) : decodeWhole(bytes);
    return {
      text: neutraliseTerminalText(text),
      totalBytes: this.#totalBytes,
      truncated,
      file: truncated ? file : undefined,
    };
  }

  #add(chunk: Buffer, stream: Readable): void {
    const before = this.#totalBytes;
    this.#totalBytes += chunk.length;
    if (this.#totalBytes > this.#keepBytes && this.#spill !== undefined) {
      const earlier = before <= this.#keepBytes ? [...this.#head, ...this.#tail] : [];
      this.#spill.write([...earlier, chunk], stream);
    }
    this.#keep(chunk);
  }

  #keep(chunk: Buffer): void {
    const half = Math.floor(this.#keepBytes / 2);
    const forHead = chunk.subarray(0, Math.max(0, half - this.#headBytes));
    if (forHead.length > 0) {
      this.#head.push(forHead);
      this.#headBytes += forHead.length;
    }
    const rest = chunk.subarray(forHead.length);
    if (rest.length === 0) {
      return;
    }
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    this.#dropOldTail(this.#keepBytes - half);
  }

  #dropOldTail(limit: number): void {
    while (this.#tailBytes > limit) {
      const first = this.#tail[0];
      if (first === undefined) {
        return;
      }
      const excess = this.#tailBytes - limit;
      if (first.length <= excess) {
        this.#tail.shift();
        this.#tailBytes -= first.length;
      } else {
        this.#tail[0] = first.subarray(excess);
        this.#tailBytes -= excess;
      }
    }
  }

  #shortened(head: Buffer, tail: Buffer): string {
    const start = decodeWhole(head.subarray(0, head.length - unfinishedBytes(head)));
    const end = decodeWhole(tail.subarray(leadingContinuationBytes(tail)));
    const left = this.#totalBytes - head.length - tail.length;
    return `${start}\n… ${left} bytes left out …\n${end}`;
  }
}

function decodeWhole(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Bytes at the end that begin a character which the cut has taken away. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
    if (byte < 0x80) {
      return 0;
    }
  }
  return 0;
}

/** Bytes at the start that end a character which the cut has taken away. */
function leadingContinuationBytes(bytes: Buffer): number {
  let count = 0;
  while (count < 3 && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) {
    count += 1;
  }
  return count;
}

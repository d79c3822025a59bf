import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpillFile } from '../../../capabilities/node/spill-file';
import { StreamCapture } from '../../../capabilities/node/stream-capture';
import type { CapturedStream } from '../../../capabilities/ports';
import { temporaryFolder } from './temporary-folder';

async function capture(chunks: readonly Buffer[], keepBytes: number, spill?: SpillFile): Promise<CapturedStream> {
  const stream = new PassThrough();
  const captured = new StreamCapture(keepBytes, spill);
  captured.attach(stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return captured.finish();
}

/** Cuts bytes at the given places. */
function split(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}

describe('StreamCapture', () => {
  it('goes on without a file when the folder for it can not be made', async () => {
    const taken = path.join(temporaryFolder(), 'outputs');
    writeFileSync(taken, 'a file where the folder should be');
    const result = await capture(
      [Buffer.alloc(100, 'a'), Buffer.alloc(100, 'b')],
      10,
      new SpillFile(path.join(taken, 'x')),
    );
    expect(result).toMatchObject({ truncated: true, totalBytes: 200, file: undefined });
  });

  it('gives the same text however the bytes are cut into chunks', async () => {
    const printable = fc.string({ unit: fc.constantFrom('a', 'é', '中', '😀', '\n', '𝒳') });
    await fc.assert(
      fc.asyncProperty(printable, fc.array(fc.integer({ min: 0, max: 5 })), async (text, sizes) => {
        const result = await capture(split(Buffer.from(text), sizes), 10_000);
        expect(result.text).toBe(text);
        expect(result.truncated).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it('never cuts a character in two when it shortens', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '中', '😀'), minLength: 30 }),
        fc.integer({ min: 2, max: 25 }),
        async (text, keep) => {
          const result = await capture([Buffer.from(text)], keep);
          const [head = '', tail = ''] = result.text.split(/\n… \d+ bytes left out …\n/);
          expect(result.truncated).toBe(true);
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('shows invalid UTF-8 as U+FFFD and keeps the rest', async () => {
    const result = await capture([Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xe4, 0xb8])], 100);
    expect(result.text).toBe('a\ufffd\ufffdb\ufffd');
  });

  it('leaves a byte that only looks like a cut character where it is', async () => {
    const result = await capture([Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80, 0x62])], 4);
    expect(result.text).toContain('a\ufffd');
  });

  it('puts a terminal sequence that was cut by a chunk together before it is taken out', async () => {
    const result = await capture([Buffer.from('a\u001b['), Buffer.from('31mb')], 100);
    expect(result.text).toBe('ab');
  });

  it('writes every byte of a long stream to its file', async () => {
    const file = path.join(temporaryFolder(), 'deep', 'out.txt');
    const chunks = Array.from({ length: 50 }, (_, index) => Buffer.alloc(1_000, 97 + (index % 26)));
    const result = await capture(chunks, 5_000, new SpillFile(file));
    expect(result.file).toBe(file);
    expect(readFileSync(file).equals(Buffer.concat(chunks))).toBe(true);
  });

  it('ends a file that grows too long with a line that says so', async () => {
    const file = path.join(temporaryFolder(), 'out.txt');
    await capture([Buffer.alloc(60, 'a'), Buffer.alloc(60, 'b'), Buffer.alloc(60, 'c')], 10, new SpillFile(file, 100));
    expect(readFileSync(file, 'utf8')).toBe(
      `${'a'.repeat(60)}${'b'.repeat(40)}\n… output after 100 bytes was not kept …\n`,
    );
  });

  it('names no file when it could not be written', async () => {
    const file = path.join(temporaryFolder(), 'out.txt');
    const taken = new SpillFile(file);
    await capture([Buffer.alloc(60)], 10, taken);
    const result = await capture([Buffer.alloc(60), Buffer.alloc(60)], 10, new SpillFile(file));
    expect(result).toMatchObject({ truncated: true, file: undefined });
  });

  it('survives a stream that fails', async () => {
    const stream = new PassThrough();
    const captured = new StreamCapture(100, undefined);
    captured.attach(stream);
    stream.write('x');
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy(new Error('broken pipe'));
    await closed;
    expect((await captured.finish()).text).toBe('x');
  });
});

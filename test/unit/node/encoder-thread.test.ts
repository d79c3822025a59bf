import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { EncoderThread } from '../../../capabilities/node/encoder-thread';

const root = path.resolve(import.meta.dirname, '../../..');
const modelFile = path.join(root, 'assets/sentence-encoder.bin');
const signal = new AbortController().signal;
let folder = '';
let workerFile = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capability-encoder-'));
  workerFile = path.join(folder, 'encoder-worker.cjs');
  await build({
    entryPoints: [path.join(root, 'capabilities/node/encoder-worker.ts')],
    outfile: workerFile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the encoder in a thread', () => {
  it('gives a unit vector for each text, in their order', async () => {
    const thread = new EncoderThread({ workerFile, modelFile });
    const texts = ['restart the docker service', 'translate into French', 'restart the docker service'];
    const [first, second, third] = await thread.embed(texts, signal, 'document');
    expect(first).toHaveLength(512);
    expect(third).toEqual(first);
    expect(second).not.toEqual(first);
    await thread.dispose();
  });

  it('lets a query overtake the documents that wait', async () => {
    const thread = new EncoderThread({ workerFile, modelFile });
    const order: string[] = [];
    const note = (name: string) => (): void => {
      order.push(name);
    };
    const documents = Array.from({ length: 20 }, (_, at) => `document number ${at}`);
    const all = documents.map((text, at) => thread.embed([text], signal, 'document').then(note(`document ${at}`)));
    await Promise.all([...all, thread.embed(['the query'], signal, 'query').then(note('query'))]);
    expect(order.indexOf('query')).toBe(1);
    await thread.dispose();
  });

  it('rejects with the reason of an aborted signal, and serves the others', async () => {
    const thread = new EncoderThread({ workerFile, modelFile });
    const stop = new AbortController();
    const running = thread.embed(['one'], signal, 'document');
    const unwanted = thread.embed(['two'], stop.signal, 'document');
    stop.abort(new Error('no longer wanted'));
    await expect(unwanted).rejects.toThrow('no longer wanted');
    expect(await running).toHaveLength(1);
    await thread.dispose();
  });

  it.each([
    ['weights', () => ({ workerFile, modelFile: path.join(folder, 'missing.bin') })],
    ['program', () => ({ workerFile: path.join(folder, 'missing.cjs'), modelFile })],
  ])('rejects when the %s are not there, again and again', async (_what, files) => {
    const thread = new EncoderThread(files());
    await expect(thread.embed(['one', 'two'], signal, 'query')).rejects.toThrow(/missing/u);
    await expect(thread.embed(['one'], signal, 'query')).rejects.toThrow(/missing/u);
    await thread.dispose();
  });

  it('rejects what waits when it is closed', async () => {
    const thread = new EncoderThread({ workerFile, modelFile });
    const waiting = thread.embed(['one', 'two'], signal, 'document');
    const [answer] = await Promise.allSettled([waiting, thread.dispose()]);
    expect(answer).toMatchObject({ status: 'rejected' });
  });
});

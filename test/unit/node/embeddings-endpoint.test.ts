import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EmbeddingsFailure, OpenAiEmbedder } from '../../../capabilities/node/embeddings-endpoint';
import type { EmbeddingsEndpoint } from '../../../capabilities/node/embeddings-endpoint';
import { NodeClock } from '../../../capabilities/node/node-clock';

const signal = new AbortController().signal;
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;
interface AskedBody {
  readonly input: readonly string[];
  readonly model: string;
  readonly dimensions?: number;
}

async function serve(answer: Answer, part: Partial<EmbeddingsEndpoint> = {}): Promise<OpenAiEmbedder> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return new OpenAiEmbedder({ baseUrl, model: 'small', apiKey: 'sk-secret', ...part }, new NodeClock());
}

async function failureOf(embedder: OpenAiEmbedder): Promise<EmbeddingsFailure> {
  const error: unknown = await embedder.embed(['a', 'b'], signal).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddingsFailure);
  return error as EmbeddingsFailure;
}

const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

describe('an OpenAI-compatible embeddings endpoint', () => {
  it('is asked in batches, with the model and the key, and answers in the order of the texts', async () => {
    const asked: AskedBody[] = [];
    const seen: (string | undefined)[] = [];
    const embedder = await serve(
      (request, response, body) => {
        const { input, ...rest } = JSON.parse(body) as AskedBody;
        asked.push({ input, ...rest });
        seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        const data = input.map((value, index) => ({ index, embedding: [value.length, 1] })).reverse();
        json({ data })(request, response, body);
      },
      { batch: 2, dimensions: 2 },
    );
    const vectors = await embedder.embed(['a', 'bb', 'ccc'], signal);
    expect(vectors.map((vector) => vector[0])).toEqual([1, 2, 3]);
    expect(asked.map(({ input }) => input)).toEqual([['a', 'bb'], ['ccc']]);
    expect(asked[0]).toMatchObject({ model: 'small', dimensions: 2 });
    expect(seen[0]).toBe('POST /v1/embeddings Bearer sk-secret');
  });

  it('asks for nothing when there is nothing to embed', async () => {
    expect(await (await serve(json({}, 500))).embed([], signal)).toEqual([]);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'rejected'],
    [422, 'rejected'],
    [429, 'overloaded'],
    [503, 'overloaded'],
  ])('fails as %s → %s, without the key or the texts in the message', async (status, code) => {
    const failure = await failureOf(await serve(json({ error: 'sk-secret' }, status)));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(String(status));
    expect(failure.message).not.toContain('sk-secret');
  });

  it.each([
    ['no data', {}],
    ['null', null],
    ['too few', { data: [{ index: 0, embedding: [1] }] }],
    ['the same twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['an index of its own', { data: [0, 7].map((index) => ({ index, embedding: [1] })) }],
    ['different lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['empty vectors', { data: [{ embedding: [] }, { embedding: [] }] }],
    ['words', { data: [{ embedding: ['x'] }, { embedding: ['y'] }] }],
    ['no vectors', { data: [1, 2] }],
  ])('fails as malformed when the answer holds %s', async (_what, body) => {
    expect((await failureOf(await serve(json(body)))).code).toBe('malformed');
  });

  it('fails as malformed when the answer is no JSON', async () => {
    const embedder = await serve((_request, response) => response.end('<html>'));
    expect((await failureOf(embedder)).code).toBe('malformed');
  });

  it('does not follow a redirect', async () => {
    const embedder = await serve((_request, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    );
    expect((await failureOf(embedder)).code).toBe('offline');
  });

  it('fails as timeout when no answer comes, or none that ends', async () => {
    const silent = await serve(() => undefined, { timeoutMs: 60 });
    expect((await failureOf(silent)).code).toBe('timeout');
    const endless = await serve((_request, response) => response.write('{'), { timeoutMs: 60 });
    expect((await failureOf(endless)).code).toBe('timeout');
  });

  it('fails as offline when nobody listens', async () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', model: 'small', apiKey: undefined };
    expect((await failureOf(new OpenAiEmbedder(endpoint, new NodeClock()))).code).toBe('offline');
  });

  it('rejects with the reason of the signal when the search is cancelled', async () => {
    const stop = new AbortController();
    const embedder = await serve(() => {
      stop.abort(new Error('cancelled by the user'));
    });
    await expect(embedder.embed(['a'], stop.signal)).rejects.toThrow('cancelled by the user');
  });

  it('has a name that changes with the model and its dimensions', () => {
    const endpoint = { baseUrl: 'http://x/v1', model: 'small', apiKey: undefined };
    const names = [endpoint, { ...endpoint, model: 'large' }, { ...endpoint, dimensions: 256 }].map(
      (each) => new OpenAiEmbedder(each, new NodeClock()).name,
    );
    expect(new Set(names).size).toBe(3);
  });
});

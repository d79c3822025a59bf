import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SearchReply } from '../../../../capabilities/models';
import { OpenAiEmbedder } from '../../../../capabilities/node/embeddings-endpoint';
import { NodeClock } from '../../../../capabilities/node/node-clock';
import type { Embedder, QuantizedVector, VectorStore } from '../../../../capabilities/ports';
import { Lexicon } from '../../../../capabilities/search/lexicon/lexicon';
import { SearchService } from '../../../../capabilities/search/search-service';
import { MeaningSearch } from '../../../../capabilities/search/semantic/meaning-search';
import { EMPTY_TRAIL, idsOf } from '../build-search';
import { CONTEXT, DIGEST, LOGGER, MemoryPolicy, MemoryRegistry, MemoryResolver } from '../memory-registry';

const SKETCHES = [
  { action_id: 'site.restart', title: 'Restart the web site', summary: 'Stops and starts the server again.' },
  { action_id: 'site.report', title: 'Report visits', summary: 'Counts the visits of a day.' },
];
const GOAL = 'stop the old server process and start it once more';

function memoryStore(): VectorStore {
  const kept = new Map<string, QuantizedVector>();
  return {
    load: () => Promise.resolve(new Map(kept)),
    save: (_, vectors) => {
      for (const [hash, vector] of vectors) kept.set(hash, vector);
      return Promise.resolve();
    },
  };
}

/** A whole search with real time and search by meaning; off until an embedder is chosen. */
function build() {
  const registry = new MemoryRegistry(SKETCHES);
  const policy = new MemoryPolicy();
  const clock = new NodeClock();
  const ports = { registry, clock, digest: DIGEST, logger: LOGGER };
  const meaning = new MeaningSearch({ ...ports, lexicon: new Lexicon(), store: memoryStore() });
  const resolver = new MemoryResolver(registry, policy);
  const service = new SearchService({ ...ports, policy, resolver, retrievers: [meaning] });
  const search = (query: string): Promise<SearchReply> =>
    service.search({ query }, CONTEXT, EMPTY_TRAIL, { signal: new AbortController().signal });
  onTestFinished(() => meaning.dispose());
  return { meaning, search };
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const vectors: Answer = (_request, response, body) => {
  const { input } = JSON.parse(body) as { readonly input: readonly string[] };
  const data = input.map((value, index) => ({ index, embedding: [value.length % 7, 1, value.length % 3] }));
  response.end(JSON.stringify({ data }));
};
const status =
  (code: number): Answer =>
  (_request, response) =>
    response.writeHead(code).end('no');

/** An endpoint whose answer can be changed. */
async function endpoint(): Promise<{ readonly embedder: Embedder; answer: Answer }> {
  const served = { answer: vectors };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      served.answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const embedder = new OpenAiEmbedder({ baseUrl, model: 'small', apiKey: 'sk-secret' }, new NodeClock());
  return Object.assign(served, { embedder });
}

describe('search by meaning', () => {
  it('is not planned while no embedder is chosen', async () => {
    const reply = await build().search(GOAL);
    expect(reply.search_meta).toMatchObject({ partial: false });
    expect(reply.search_meta.planned_retrievers).not.toContain('semantic');
  });

  it('is not waited for while vectors are made, and the reply says so', async () => {
    const { meaning, search } = build();
    const never: Embedder = { name: 'never', embed: () => new Promise(() => undefined) };
    meaning.use({ embedder: never, reads: 'english' });
    onTestFinished(() => undefined);
    const reply = await search(GOAL);
    expect(idsOf(reply)[0]).toBe('site.restart');
    expect(reply.search_meta).toMatchObject({ partial: true, notes: ['semantic: the vectors are being made: 0 of 3'] });
    meaning.use(undefined);
  });

  it('answers with the rest once the vectors are there, and stops when it is switched off', async () => {
    const { embedder } = await endpoint();
    const { meaning, search } = build();
    meaning.use({ embedder, reads: 'any' });
    meaning.refresh();
    await meaning.settled();
    const reply = await search(GOAL);
    expect(reply.search_meta.completed_retrievers).toContain('semantic');
    expect(reply.search_meta).toMatchObject({ partial: false });
    expect(reply.search_meta).not.toHaveProperty('notes');
    meaning.use(undefined);
    expect((await search(GOAL)).search_meta.planned_retrievers).not.toContain('semantic');
  });
});

describe.each<[string, Answer, RegExp]>([
  ['refuses the key', status(401), /401: check the API key/u],
  ['does not know the model', status(422), /422: check its URL and the model's name/u],
  ['is overloaded', status(503), /answered 503/u],
  ['answers garbage', (_request, response) => response.end('<html>'), /is not JSON/u],
  ['answers no vectors', (_request, response) => response.end('{"data":[]}'), /does not hold/u],
  ['hangs up', (_request, response) => response.destroy(), /cannot be reached/u],
  ['says nothing', () => undefined, /no answer in 500 ms/u],
])('with an embeddings endpoint that %s', (_, failing, note) => {
  it('a search goes on by words, partial, and says what to check', async () => {
    const server = await endpoint();
    const { meaning, search } = build();
    meaning.use({ embedder: server.embedder, reads: 'any' });
    meaning.refresh();
    await meaning.settled();
    server.answer = failing;
    const reply = await search(GOAL);
    expect(idsOf(reply)[0]).toBe('site.restart');
    expect(reply.search_meta.partial).toBe(true);
    expect(reply.search_meta.notes?.join()).toMatch(note);
    expect(JSON.stringify(reply)).not.toContain('sk-secret');
  });
});

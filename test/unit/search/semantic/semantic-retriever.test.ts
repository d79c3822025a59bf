import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ParsedQuery, RetrievalContext, RetrievalHit } from '../../../../capabilities/models';
import type { Clock, Embedder, EmbeddingPurpose, QuantizedVector, VectorStore } from '../../../../capabilities/ports';
import { Lexicon } from '../../../../capabilities/search/lexicon/lexicon';
import { SemanticRetriever } from '../../../../capabilities/search/retrievers/semantic';
import { MeaningText } from '../../../../capabilities/search/semantic/meaning-text';
import { SemanticIndex } from '../../../../capabilities/search/semantic/semantic-index';
import { DIGEST, LOGGER, MemoryRegistry } from '../memory-registry';
import type { ActionSketch } from '../memory-registry';

const texts = new MeaningText(new Lexicon());

/** Counts letters: texts of like letters are near. Fails and waits when told to. */
class LetterEmbedder implements Embedder {
  readonly name = 'letters';
  readonly asked: { readonly text: string; readonly purpose: EmbeddingPurpose }[] = [];
  failure: string | undefined;
  gate: Promise<void> = Promise.resolve();

  async embed(
    asked: readonly string[],
    signal: AbortSignal,
    purpose: EmbeddingPurpose,
  ): Promise<readonly Float32Array[]> {
    await this.gate;
    await turn();
    signal.throwIfAborted();
    if (this.failure !== undefined) throw new Error(this.failure);
    for (const text of asked) this.asked.push({ text, purpose });
    return asked.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text.toLowerCase()) {
        const place = letter.charCodeAt(0) - 97;
        if (place >= 0 && place < 26) vector[place]! += 1;
      }
      return vector;
    });
  }
}

class MapStore implements VectorStore {
  readonly vectors = new Map<string, QuantizedVector>();
  failure: string | undefined;

  async load(): Promise<ReadonlyMap<string, QuantizedVector>> {
    await turn();
    return new Map(this.vectors);
  }

  async save(_embedder: string, vectors: ReadonlyMap<string, QuantizedVector>): Promise<void> {
    await turn();
    if (this.failure !== undefined) throw new Error(this.failure);
    for (const [hash, vector] of vectors) this.vectors.set(hash, vector);
  }
}

class TurnClock implements Clock {
  time = 0;
  now = (): number => this.time;
  monotonic = (): number => this.time;
  async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    await turn();
    signal?.throwIfAborted();
  }
}

const actions: readonly ActionSketch[] = [
  { action_id: 'a.zebra', title: 'zzzz', summary: 'zz' },
  { action_id: 'a.query', title: 'qqqq', summary: 'qq' },
  { action_id: 'a.mixed', title: 'zzqq', summary: 'xx' },
];

function build(sketches: readonly ActionSketch[], store = new MapStore()) {
  const registry = new MemoryRegistry(sketches);
  const embedder = new LetterEmbedder();
  const clock = new TurnClock();
  const index = new SemanticIndex({ registry, embedder, store, texts, clock, digest: DIGEST, logger: LOGGER });
  const retriever = new SemanticRetriever({ registry, index, embedder, texts });
  const search = (text: string, part: Partial<RetrievalContext> = {}): Promise<readonly RetrievalHit[]> =>
    retriever.retrieve({
      query: { text } as ParsedQuery,
      admits: () => true,
      limit: 20,
      signal: new AbortController().signal,
      ...part,
    });
  const ready = async (): Promise<void> => {
    index.refresh();
    await index.settled();
  };
  return { registry, embedder, store, clock, index, search, ready };
}

describe('retrieval by meaning', () => {
  it('puts the nearest first, with scores from 1 down, and leaves out what is farther than the average', async () => {
    const { search, ready } = build(actions);
    await ready();
    const hits = await search('zzz');
    expect(hits[0]).toMatchObject({ key: 'demo:a.zebra', rank: 1, score: 1, matchedFields: ['meaning'] });
    expect(hits.map((hit) => hit.key)).not.toContain('demo:a.query');
    for (const { score } of hits) expect(score).toBeGreaterThan(0);
  });

  it('returns only what is admitted, at most as many as asked for', async () => {
    const { search, ready } = build(actions);
    await ready();
    const hits = await search('zzz', { admits: ({ id }) => id !== 'a.zebra', limit: 1 });
    expect(hits.map((hit) => hit.key)).toEqual(['demo:a.mixed']);
  });

  it('says nothing to a query without a word that the encoder reads', async () => {
    const { search, ready } = build(actions);
    await ready();
    expect(await search('囍')).toEqual([]);
    expect(await build([]).search('zzz')).toEqual([]);
  });

  it('trusts the vector of a long query less, and does without that of a very long one', async () => {
    const { search, ready, embedder } = build(actions);
    await ready();
    expect((await search('zzz '.repeat(16)))[0]?.score).toBe(1);
    expect((await search('zzz '.repeat(20)))[0]?.score).toBeCloseTo(0.64);
    const asked = embedder.asked.length;
    expect(await search('zzz '.repeat(60))).toEqual([]);
    expect(embedder.asked).toHaveLength(asked);
  });

  it('asks once for the vector of a repeated query', async () => {
    const { search, ready, embedder } = build(actions);
    await ready();
    await search('zzz');
    await search('zzz');
    expect(embedder.asked.filter(({ purpose }) => purpose === 'query')).toHaveLength(1);
  });

  it('rejects at once, and says how far it is, while the vectors are being made', async () => {
    const { search, embedder, index } = build(actions);
    let open = (): void => undefined;
    embedder.gate = new Promise((resolve) => {
      open = resolve;
    });
    await expect(search('zzz')).rejects.toThrow(/being made: 0 of 4/u);
    open();
    await index.settled();
    expect((await search('zzz'))[0]?.key).toBe('demo:a.zebra');
  });

  it('rejects with the reason of the embedder, asks again after a pause, and then answers', async () => {
    const { search, embedder, index, clock, ready } = build(actions);
    embedder.failure = 'the endpoint answered 401';
    await ready();
    await expect(search('zzz')).rejects.toThrow('the endpoint answered 401');
    embedder.failure = undefined;
    clock.time = 29_000;
    await ready();
    expect(index.status.indexed).toBe(0);
    clock.time = 31_000;
    await ready();
    expect(index.status).toEqual({ indexed: 4, total: 4, failure: undefined });
    expect(await search('zzz')).not.toEqual([]);
  });
});

describe('the index of meanings', () => {
  it('embeds only what has changed, and forgets what is gone', async () => {
    const { registry, embedder, index, ready, search } = build(actions);
    await ready();
    const before = embedder.asked.length;
    registry.set([{ action_id: 'a.query', title: 'zzzzz', summary: 'z' }]);
    registry.remove('demo:a.mixed');
    await ready();
    expect(embedder.asked.slice(before).map(({ text }) => text)).toEqual(['zzzzz. z.']);
    expect(index.status).toEqual({ indexed: 3, total: 3, failure: undefined });
    const keys = (await search('zzz')).map((hit) => hit.key);
    expect([...keys].sort()).toEqual(['demo:a.query', 'demo:a.zebra']);
  });

  it('takes vectors of an earlier session from the store', async () => {
    const many = Array.from({ length: 80 }, (_, at) => ({ action_id: `a.n${at}`, title: `t${at}`, summary: `s${at}` }));
    const first = build(many);
    await first.ready();
    const second = build(many, first.store);
    await second.ready();
    expect(first.embedder.asked.length).toBe(81);
    expect(second.embedder.asked).toEqual([]);
    expect(second.index.status.indexed).toBe(81);
  });

  it('goes on without a store that cannot be written', async () => {
    const store = new MapStore();
    store.failure = 'the disk is full';
    const { index, ready } = build(actions, store);
    await ready();
    expect(index.status).toEqual({ indexed: 4, total: 4, failure: undefined });
  });

  it('stores what it has when it is closed, and starts nothing more', async () => {
    const many = Array.from({ length: 200 }, (_, at) => ({ action_id: `a.n${at}`, summary: `s${at}` }));
    const { index, store, embedder } = build(many);
    index.refresh();
    while (embedder.asked.length < 64) await turn();
    await index.dispose();
    expect(store.vectors.size).toBeGreaterThanOrEqual(64);
    const asked = embedder.asked.length;
    index.refresh();
    await index.settled();
    expect(embedder.asked.length).toBe(asked);
  });
});

import type { RegistryView, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { Embedder } from '../../ports';
import type { MeaningText } from '../semantic/meaning-text';
import type { SemanticIndex } from '../semantic/semantic-index';
import { rankHits } from './ranked-hits';

/** Share of the resources that must have a vector before an answer is given: a ranking of a part would mislead. */
const LEAST_COVERAGE = 0.95;
/** Content words up to which one vector stands for a query in full. */
const WORDS_TRUSTED = 16;
/** Below this trust the work is not worth it. */
const LEAST_TRUST = 0.2;
/** Query vectors kept: agents repeat and page through their searches. */
const QUERIES_KEPT = 256;

/** What the retriever needs from outside. */
export interface SemanticRetrieverParts {
  readonly registry: RegistryView;
  readonly index: SemanticIndex;
  readonly embedder: Embedder;
  readonly texts: MeaningText;
}

/**
 * How far the vector of a query of so many content words is trusted, from 0 to 1. A long query often asks for several things, which one
 * vector blurs into none of them, and holds words enough to be found by.
 */
function trustIn(words: number): number {
  return Math.min(1, (WORDS_TRUSTED / words) ** 2);
}

/**
 * Retrieval by meaning (§11.3): the cosine of the query's vector with the vector of every resource. Scores are relative to this query,
 * (cosine − mean) / (best − mean) × trust, so that the best is 1 for a short query and what is no nearer than the average is left out. Rejects while vectors
 * are missing or the embedder fails: the search then goes on without it and says that it is partial.
 */
export class SemanticRetriever implements Retriever {
  readonly name = 'semantic';
  readonly #parts: SemanticRetrieverParts;
  readonly #queries = new Map<string, Float32Array>();

  constructor(parts: SemanticRetrieverParts) {
    this.#parts = parts;
  }

  async retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    const { index, texts } = this.#parts;
    index.refresh();
    const text = texts.ofQuery(context.query);
    const trust = trustIn(text.split(' ').length);
    if (text === '' || trust < LEAST_TRUST) return [];
    const { indexed, total, failure } = index.status;
    if (total === 0) return [];
    if (indexed < total * LEAST_COVERAGE)
      throw new Error(failure ?? `the vectors are being made: ${indexed} of ${total}`);
    const vector = await this.#vectorOf(text, context.signal);
    return this.#nearest(vector, context).map((hit) => ({ ...hit, score: (hit.score ?? 0) * trust }));
  }

  async #vectorOf(text: string, signal: AbortSignal): Promise<Float32Array> {
    const known = this.#queries.get(text);
    if (known !== undefined) this.#queries.delete(text);
    const vector = known ?? (await this.#parts.embedder.embed([text], signal, 'query'))[0];
    if (vector === undefined) throw new Error('no vector came back for the query');
    // Maps keep the order of insertion: the first is the one not asked for the longest.
    this.#queries.set(text, vector);
    const oldest = this.#queries.keys().next().value;
    if (this.#queries.size > QUERIES_KEPT && oldest !== undefined) this.#queries.delete(oldest);
    return vector;
  }

  #nearest(query: Float32Array, { admits, limit }: RetrievalContext): readonly RetrievalHit[] {
    const { vectors } = this.#parts.index;
    if (vectors === undefined) return [];
    const cosines = vectors.cosines(query);
    let sum = 0;
    for (const cosine of cosines) sum += cosine;
    const mean = sum / cosines.length;
    const nearest: Neighbour[] = [];
    let worst = mean;
    for (let index = 0; index < cosines.length; index += 1) {
      const cosine = cosines[index] ?? 0;
      if (cosine <= worst) continue;
      const key = vectors.keys[index] ?? '';
      const resource = this.#parts.registry.get(key);
      if (resource === undefined || !admits(resource)) continue;
      insert(nearest, { key, cosine });
      if (nearest.length > limit) nearest.pop();
      if (nearest.length === limit) worst = nearest.at(-1)?.cosine ?? mean;
    }
    const best = nearest[0]?.cosine ?? 1;
    const scored = nearest.map(({ key, cosine }) => ({
      key,
      score: (cosine - mean) / (best - mean),
      matchedFields: ['meaning'],
      similarity: cosine,
    }));
    return rankHits(scored, limit);
  }
}

interface Neighbour {
  readonly key: string;
  readonly cosine: number;
}

/** Keeps the list in falling order. */
function insert(nearest: Neighbour[], neighbour: Neighbour): void {
  let at = nearest.length;
  while (at > 0 && (nearest[at - 1]?.cosine ?? 0) < neighbour.cosine) at -= 1;
  nearest.splice(at, 0, neighbour);
}

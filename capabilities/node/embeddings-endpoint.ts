import type { Clock, Embedder } from '../ports';

/** Why an endpoint gave no vectors. Closed: what is said to the user depends on it. */
export type EmbeddingsFailureCode = 'offline' | 'timeout' | 'unauthorized' | 'rejected' | 'overloaded' | 'malformed';

/** An embeddings endpoint that did not do its job. The message names neither the key nor the texts. */
export class EmbeddingsFailure extends Error {
  override readonly name = 'EmbeddingsFailure';
  readonly code: EmbeddingsFailureCode;

  constructor(code: EmbeddingsFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The user's settings of an OpenAI-compatible endpoint. */
export interface EmbeddingsEndpoint {
  /** Up to and with the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** Asks for shorter vectors, where the model can give them. */
  readonly dimensions?: number;
  /** Texts in one request; default 64. */
  readonly batch?: number;
  /** Milliseconds for one request; default 10,000. */
  readonly timeoutMs?: number;
}

const DEFAULT_BATCH = 64;
const DEFAULT_TIMEOUT_MS = 10_000;
const LARGEST_REPLY_BYTES = 32 * 1024 * 1024;

/** Vectors from an OpenAI-compatible `POST /v1/embeddings`, in batches. Rejects with an EmbeddingsFailure, or the signal's reason. */
export class OpenAiEmbedder implements Embedder {
  readonly name: string;
  readonly #endpoint: EmbeddingsEndpoint;
  readonly #clock: Clock;

  constructor(endpoint: EmbeddingsEndpoint, clock: Clock) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.name = `${endpoint.baseUrl} ${endpoint.model} ${endpoint.dimensions ?? 'all'}`;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const batch = this.#endpoint.batch ?? DEFAULT_BATCH;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += batch)
      vectors.push(...(await this.#request(texts.slice(from, from + batch), signal)));
    return vectors;
  }

  async #request(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const limit = this.#endpoint.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const stop = new AbortController();
    const late = this.#clock.sleep(limit, AbortSignal.any([signal, stop.signal])).then(() => {
      const failure = new EmbeddingsFailure('timeout', `the embeddings endpoint gave no answer in ${limit} ms`);
      stop.abort(failure);
      throw failure;
    });
    // Settled after the race as well: a rejection then is expected and must not surface.
    late.catch(() => undefined);
    try {
      const answer = this.#post(input, AbortSignal.any([signal, stop.signal]));
      answer.catch(() => undefined);
      return await Promise.race([answer, late]);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof EmbeddingsFailure ? error : offline(error);
    } finally {
      stop.abort(new Error('the request is over'));
    }
  }

  async #post(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { baseUrl, model, apiKey, dimensions } = this.#endpoint;
    const response = await fetch(`${baseUrl.replace(/\/+$/u, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        input,
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }),
      // A redirect would carry the texts, and perhaps the key, to a host that nobody set.
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status);
    }
    return readVectors(await readJson(response), input.length);
  }
}

function offline(error: unknown): EmbeddingsFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmbeddingsFailure('offline', `the embeddings endpoint cannot be reached: ${reason}`);
}

function refusal(status: number): EmbeddingsFailure {
  const answered = `the embeddings endpoint answered ${status}`;
  if (status === 401 || status === 403)
    return new EmbeddingsFailure('unauthorized', `${answered}: check the API key that is set for it`);
  if (status === 429 || status >= 500) return new EmbeddingsFailure('overloaded', answered);
  return new EmbeddingsFailure('rejected', `${answered}: check its URL and the model's name`);
}

async function readJson(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST_REPLY_BYTES) throw malformed('is too large');
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw malformed('is not JSON');
  }
}

function malformed(what: string): EmbeddingsFailure {
  return new EmbeddingsFailure('malformed', `the answer of the embeddings endpoint ${what}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The vectors in the order of the texts; `index` counts, not the order in the answer. */
function readVectors(reply: unknown, count: number): readonly Float32Array[] {
  const data = isRecord(reply) ? reply['data'] : undefined;
  if (!Array.isArray(data) || data.length !== count) throw malformed(`does not hold ${count} vectors`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, item] of data.entries()) {
    const index = isRecord(item) && typeof item['index'] === 'number' ? item['index'] : place;
    vectors[index] = readVector(isRecord(item) ? item['embedding'] : undefined);
  }
  const length = vectors[0]?.length ?? 0;
  return vectors.slice(0, count).map((vector) => {
    if (vector?.length !== length || length === 0) throw malformed('holds vectors of different lengths');
    return vector;
  });
}

function readVector(values: unknown): Float32Array {
  if (!Array.isArray(values) || !values.every((value) => Number.isFinite(value)))
    throw malformed('holds something else than numbers');
  return Float32Array.from(values as number[]);
}

import type { RetrievalContext, RetrievalHit, Retriever, RetrieverName, SearchPlan } from '../models';
import type { Clock, Logger } from '../ports';
import type { SearchWeights } from './search-weights';

/** What came back in time. */
export interface DispatchOutcome {
  readonly hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>;
  readonly completed: readonly RetrieverName[];
  /** True when a planned retriever failed or was late. */
  readonly partial: boolean;
}

/** Why what is still waiting stops. Made once: an error with its stack for every retriever is a good part of a quick search. */
const ANSWERED = new Error('answered');

/** Runs the planned retrievers side by side, each under its own time limit (§12). */
export class SearchDispatcher {
  readonly #retrievers: ReadonlyMap<RetrieverName, Retriever>;
  readonly #limits: Pick<SearchWeights, 'timeoutMs' | 'hitsPerRetriever'>;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(
    retrievers: readonly Retriever[],
    limits: Pick<SearchWeights, 'timeoutMs' | 'hitsPerRetriever'>,
    ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#retrievers = new Map(retrievers.map((retriever) => [retriever.name, retriever]));
    this.#limits = limits;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** Names that can be planned. */
  get present(): ReadonlySet<RetrieverName> {
    return new Set(this.#retrievers.keys());
  }

  /** Rejects only when `context.signal` is aborted, with its reason. */
  async dispatch(plan: SearchPlan, context: Omit<RetrievalContext, 'limit'>): Promise<DispatchOutcome> {
    const answers = await Promise.all(
      plan.retrievers.map(async (name) => ({ name, found: await this.#ask(name, context) })),
    );
    context.signal.throwIfAborted();
    const hits = new Map<RetrieverName, readonly RetrievalHit[]>();
    for (const { name, found } of answers) if (found !== undefined) hits.set(name, found);
    return { hits, completed: [...hits.keys()], partial: hits.size < plan.retrievers.length };
  }

  /** Undefined when the retriever failed or was late. */
  async #ask(
    name: RetrieverName,
    context: Omit<RetrievalContext, 'limit'>,
  ): Promise<readonly RetrievalHit[] | undefined> {
    const retriever = this.#retrievers.get(name);
    if (retriever === undefined) return undefined;
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const timeout = this.#limits.timeoutMs[name];
    const limit = this.#limits.hitsPerRetriever[name];
    try {
      const late = this.#clock.sleep(timeout, signal).then(() => {
        throw new Error(`no answer in ${timeout} ms`);
      });
      // Settled after the race as well: a rejection then is expected and must not surface.
      late.catch(() => undefined);
      const answer = Promise.resolve().then(() => retriever.retrieve({ ...context, limit, signal }));
      answer.catch(() => undefined);
      return (await Promise.race([answer, late])).slice(0, limit);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!context.signal.aborted)
        this.#logger.log('warn', 'search goes on without a retriever', { retriever: name, reason });
      return undefined;
    } finally {
      stop.abort(ANSWERED);
    }
  }
}

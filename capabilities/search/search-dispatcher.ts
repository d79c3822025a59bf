import type { RetrievalContext, RetrievalHit, Retriever, RetrieverName, SearchPlan } from '../models';
import type { Clock, Logger } from '../ports';

/** What came back in time. */
export interface DispatchOutcome {
  readonly hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>;
  readonly completed: readonly RetrieverName[];
  /** True when a planned retriever failed or was late. */
  readonly partial: boolean;
}

/** Runs the planned retrievers side by side, each under its own time limit (§12). */
export class SearchDispatcher {
  readonly #retrievers: ReadonlyMap<RetrieverName, Retriever>;
  readonly #timeoutMs: Readonly<Record<RetrieverName, number>>;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(
    retrievers: readonly Retriever[],
    timeoutMs: Readonly<Record<RetrieverName, number>>,
    ports: { readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#retrievers = new Map(retrievers.map((retriever) => [retriever.name, retriever]));
    this.#timeoutMs = timeoutMs;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** Names that can be planned. */
  get present(): ReadonlySet<RetrieverName> {
    return new Set(this.#retrievers.keys());
  }

  /** Rejects only when `context.signal` is aborted, with its reason. */
  async dispatch(plan: SearchPlan, context: RetrievalContext): Promise<DispatchOutcome> {
    const answers = await Promise.all(
      plan.retrievers.map(async (name) => ({ name, found: await this.#ask(name, context) })),
    );
    context.signal.throwIfAborted();
    const hits = new Map<RetrieverName, readonly RetrievalHit[]>();
    for (const { name, found } of answers) if (found !== undefined) hits.set(name, found);
    return { hits, completed: [...hits.keys()], partial: hits.size < plan.retrievers.length };
  }

  /** Undefined when the retriever failed or was late. */
  async #ask(name: RetrieverName, context: RetrievalContext): Promise<readonly RetrievalHit[] | undefined> {
    const retriever = this.#retrievers.get(name);
    if (retriever === undefined) return undefined;
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const limit = this.#timeoutMs[name];
    try {
      const late = this.#clock.sleep(limit, signal).then(() => {
        throw new Error(`no answer in ${limit} ms`);
      });
      // Settled after the race as well: a rejection then is expected and must not surface.
      late.catch(() => undefined);
      const answer = Promise.resolve().then(() => retriever.retrieve({ ...context, signal }));
      answer.catch(() => undefined);
      return (await Promise.race([answer, late])).slice(0, context.limit);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!context.signal.aborted)
        this.#logger.log('warn', 'search goes on without a retriever', { retriever: name, reason });
      return undefined;
    } finally {
      stop.abort();
    }
  }
}

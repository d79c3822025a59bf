import type { RetrievalContext, RetrievalHit, Retriever, RetrieverName, SearchPlan } from '../models';
import type { Clock, Logger } from '../ports';
import type { SearchWeights } from './search-weights';

/** What came back in time. */
export interface DispatchOutcome {
  readonly hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>;
  readonly completed: readonly RetrieverName[];
  /** Why planned retrievers gave no answer, for the reply. */
  readonly failures: readonly string[];
  /** True when a planned retriever failed or was late. */
  readonly partial: boolean;
}

/** Why what is still waiting stops. Made once: an error with its stack for every retriever is a good part of a quick search. */
const ANSWERED = new Error('answered');

/** What one retriever gave. */
interface Answer {
  readonly found?: readonly RetrievalHit[];
  readonly failure?: string;
}

/** Runs the planned retrievers side by side, each under its own time limit (§12). */
export class SearchDispatcher {
  readonly #retrievers: ReadonlyMap<RetrieverName, Retriever>;
  readonly #limits: Pick<SearchWeights, 'timeoutMs' | 'hitsPerRetriever'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #reported = new Map<RetrieverName, string>();

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

  /** Names that can be planned now. */
  get present(): ReadonlySet<RetrieverName> {
    return new Set([...this.#retrievers.values()].filter(({ isOff }) => isOff !== true).map(({ name }) => name));
  }

  /** Rejects only when `context.signal` is aborted, with its reason. */
  async dispatch(plan: SearchPlan, context: Omit<RetrievalContext, 'limit'>): Promise<DispatchOutcome> {
    const answers = await Promise.all(
      inOrderOfStart(plan.retrievers).map(async (name) => ({ name, ...(await this.#ask(name, context)) })),
    );
    context.signal.throwIfAborted();
    const hits = new Map<RetrieverName, readonly RetrievalHit[]>();
    for (const name of plan.retrievers) {
      const found = answers.find((answer) => answer.name === name)?.found;
      if (found !== undefined) hits.set(name, found);
    }
    const failures = answers.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]));
    return { hits, completed: [...hits.keys()], failures, partial: hits.size < plan.retrievers.length };
  }

  /** Hits, or why there are none: the retriever failed or was late. */
  async #ask(name: RetrieverName, context: Omit<RetrievalContext, 'limit'>): Promise<Answer> {
    const retriever = this.#retrievers.get(name);
    if (retriever === undefined) return { failure: 'there is no such retriever' };
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const timeout = this.#limits.timeoutMs[name];
    const limit = this.#limits.hitsPerRetriever[name];
    try {
      const answer = Promise.resolve().then(() => retriever.retrieve({ ...context, limit, signal }));
      const isThere = await isSettledSoon(answer);
      const found = (await (isThere ? answer : Promise.race([answer, this.#late(timeout, signal)]))).slice(0, limit);
      this.#reported.delete(name);
      return { found };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!context.signal.aborted) this.#report(name, reason);
      return { failure: reason };
    } finally {
      stop.abort(ANSWERED);
    }
  }

  /** Rejects when the time is over. */
  #late(timeout: number, signal: AbortSignal): Promise<never> {
    const late = this.#clock.sleep(timeout, signal).then(() => {
      throw new Error(`no answer in ${timeout} ms`);
    });
    // Settled after the race as well: a rejection then is expected and must not surface.
    late.catch(() => undefined);
    return late;
  }

  /** Once for each cause: what goes on failing for the same reason is no news. Counts in it don't make a new cause. */
  #report(name: RetrieverName, reason: string): void {
    const cause = reason.replaceAll(/\d+/gu, '#');
    if (this.#reported.get(name) === cause) return;
    this.#reported.set(name, cause);
    this.#logger.log('warn', `search goes on without the ${name} retriever`, { retriever: name, reason });
  }
}

/** Turns that an answer found at once needs to arrive. */
const TURNS = 4;

/**
 * Whether an answer comes without waiting for anything outside: most retrievers work at once, and a timer for each of them would be a good
 * part of a quick search. A rejection is left to who awaits the answer.
 */
async function isSettledSoon(answer: Promise<unknown>): Promise<boolean> {
  const state = { isSettled: false };
  const note = (): void => {
    state.isSettled = true;
  };
  answer.then(note, note);
  for (let turn = 0; turn < TURNS && !state.isSettled; turn += 1) await Promise.resolve();
  return state.isSettled;
}

/** The one that waits for another thread or machine first: the others work meanwhile. */
function inOrderOfStart(names: readonly RetrieverName[]): readonly RetrieverName[] {
  return [...names].sort((left, right) => Number(right === 'semantic') - Number(left === 'semantic'));
}

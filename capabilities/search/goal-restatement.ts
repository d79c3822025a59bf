import type { ParsedQuery } from '../models';
import type { Clock, GoalReader, Logger } from '../ports';
import type { SearchIndex } from './search-index';

/** Time the model has, in milliseconds. */
const TIMEOUT = 4000;
/** Longest goal that is sent, and longest answer that is believed, in characters. */
const LONGEST_GOAL = 1000;
const LONGEST_ANSWER = 400;
const ANSWERS_KEPT = 100;

/** Whether the rules found nothing in a query: no name, no word that any resource holds, nothing structured. */
export function isUnread(query: ParsedQuery, index: SearchIndex): boolean {
  const saysSomething =
    query.explicitKeys.length + query.intents.length + query.entities.length + query.symptoms.length;
  if (saysSomething > 0 || query.isBrowseRequest || query.terms.length === 0) return false;
  const words = query.concepts.flatMap((concept) => concept.forms.flat());
  return [...query.terms, ...words].every((word) => index.frequency(word) === 0);
}

/**
 * Has a model say in plain English what the rules can't read, where the user has switched that on. Late, failing or empty answers mean
 * going on without. Answers are kept: agents repeat themselves.
 */
export class GoalRestatement {
  readonly #reader: GoalReader;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #answers = new Map<string, string>();

  constructor(reader: GoalReader, ports: { readonly clock: Clock; readonly logger: Logger }) {
    this.#reader = reader;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** The goal in English; undefined when nobody can say. Rejects only when `signal` is aborted, with its reason. */
  async restate(goal: string, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#answers.get(goal);
    if (known !== undefined) return known;
    const answer = (await this.#ask(goal.slice(0, LONGEST_GOAL), signal))?.slice(0, LONGEST_ANSWER).trim();
    signal.throwIfAborted();
    if (answer === undefined || answer === '') return undefined;
    const oldest = this.#answers.keys().next().value;
    if (this.#answers.size >= ANSWERS_KEPT && oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(goal, answer);
    return answer;
  }

  async #ask(goal: string, outer: AbortSignal): Promise<string | undefined> {
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const late = this.#clock.sleep(TIMEOUT, signal).then(() => {
      throw new Error(`no answer in ${TIMEOUT} ms`);
    });
    // Settled after the race as well: a rejection then is expected and must not surface.
    late.catch(() => undefined);
    try {
      const answer = Promise.resolve().then(() => this.#reader.restate(goal, signal));
      answer.catch(() => undefined);
      return await Promise.race([answer, late]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!outer.aborted) this.#logger.log('warn', 'a goal could not be restated by a model', { reason });
      return undefined;
    } finally {
      stop.abort();
    }
  }
}

/** The restated goal as the query, under the limits of the original: a model may say what is wanted, never lift a prohibition. */
export function mergeRestated(original: ParsedQuery, restated: ParsedQuery): ParsedQuery {
  const union = (one: readonly string[], other: readonly string[]): readonly string[] => [
    ...new Set([...one, ...other]),
  ];
  return {
    ...restated,
    language: original.language,
    // A name must come from the person who asks.
    explicitKeys: [],
    constraints: union(original.constraints, restated.constraints),
    forbiddenIntents: union(original.forbiddenIntents, restated.forbiddenIntents),
    excludedKeys: union(original.excludedKeys, restated.excludedKeys),
    isExplicitWrite: false,
  };
}

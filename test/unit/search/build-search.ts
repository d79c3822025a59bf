import type { Retriever, RuntimeContext, SearchInput, SearchReply, SessionTrail } from '../../../capabilities/models';
import type { GoalReader } from '../../../capabilities/ports';
import { SearchService } from '../../../capabilities/search/search-service';
import { CONTEXT, DIGEST, LOGGER, ManualClock, MemoryPolicy, MemoryRegistry, MemoryResolver } from './memory-registry';
import type { Sketch } from './memory-registry';

export const EMPTY_TRAIL: SessionTrail = { recommended: [], verifying: [], lastRunKey: undefined, searchesInARow: 0 };

export interface SearchBench {
  readonly registry: MemoryRegistry;
  readonly service: SearchService;
  readonly clock: ManualClock;
  search(
    input: SearchInput | string,
    given?: { trail?: SessionTrail; context?: RuntimeContext; tokenBudget?: number },
  ): Promise<SearchReply>;
}

/** A whole search over sketches, with a clock that stands still. */
export function buildSearch(
  sketches: readonly Sketch[],
  given: { retrievers?: readonly Retriever[]; policy?: MemoryPolicy; goalReader?: GoalReader } = {},
): SearchBench {
  const registry = new MemoryRegistry(sketches);
  const policy = given.policy ?? new MemoryPolicy();
  const clock = new ManualClock();
  const resolver = new MemoryResolver(registry, policy);
  const retrievers = given.retrievers ?? [];
  const service = new SearchService({
    ...{ registry, policy, resolver, clock, digest: DIGEST, logger: LOGGER, retrievers },
    ...(given.goalReader && { goalReader: given.goalReader }),
  });
  return {
    registry,
    service,
    clock,
    search: (input, { trail = EMPTY_TRAIL, context = CONTEXT, tokenBudget } = {}) =>
      service.search(typeof input === 'string' ? { query: input } : input, context, trail, {
        signal: new AbortController().signal,
        ...(tokenBudget === undefined ? {} : { tokenBudget }),
      }),
  };
}

/** Ids of a reply's matches, in order. */
export function idsOf(reply: SearchReply): readonly string[] {
  return reply.matches.map((match) => match.resource_id);
}

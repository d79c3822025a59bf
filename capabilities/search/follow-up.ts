import type {
  GatheredCandidate,
  ParsedQuery,
  RegistryView,
  Resource,
  RetrievalHit,
  RetrieverName,
  SessionTrail,
} from '../models';
import followUpPatterns from './lexicon/follow-up-patterns.json';
import { compilePatterns, matchesAny } from './lexicon/pattern-table';
import type { SearchIndex } from './search-index';

const REFERS_BACK = compilePatterns(followUpPatterns.refersBack);
/** The constraint that marks a goal which carries on what was run last. */
export const FOLLOW_UP = 'follow_up';
/** Goals of more words than this have a topic of their own, whatever they refer to. */
const MOST_CONCEPTS = 8;
/** Goals of no more words than this that name nothing are about what was just done. */
const CONCEPTS_WITHOUT_TOPIC = 1;
const MOST_HITS = 10;
const SESSION = 'session';

/** Reads short goals against what the session has run: "is it up again?" means nothing by itself, and much after a restart. */
export class FollowUps {
  readonly #registry: RegistryView;
  readonly #index: SearchIndex;

  constructor(registry: RegistryView, index: SearchIndex) {
    this.#registry = registry;
    this.#index = index;
  }

  /** The query, marked `follow_up` when it carries on the last run. A goal about other things than the run and what it leads to does not. */
  mark(query: ParsedQuery, trail: SessionTrail): ParsedQuery {
    return this.#carriesOn(query, trail) ? { ...query, constraints: [...query.constraints, FOLLOW_UP] } : query;
  }

  /** The hits, with those of the tree joined by what the last run leads to, verifying first: a follow-up's own words may not find it. */
  join(
    hits: ReadonlyMap<RetrieverName, readonly RetrievalHit[]>,
    { query, trail }: { readonly query: ParsedQuery; readonly trail: SessionTrail },
    admits: (resource: Resource) => boolean,
  ): ReadonlyMap<RetrieverName, readonly RetrievalHit[]> {
    if (!query.constraints.includes(FOLLOW_UP)) return hits;
    const next = this.#nextOf(trail).filter(admits).slice(0, MOST_HITS);
    const led = next.map(({ key }, index) => ({
      ...{ key, rank: index + 1, score: undefined },
      matchedFields: [SESSION],
    }));
    return new Map([...hits, ['hierarchy', [...led, ...(hits.get('hierarchy') ?? [])]]]);
  }

  #carriesOn(query: ParsedQuery, trail: SessionTrail): boolean {
    const lastRun = trail.lastRunKey === undefined ? undefined : this.#registry.get(trail.lastRunKey);
    if (lastRun === undefined || query.isBrowseRequest || query.explicitKeys.length > 0) return false;
    const next = this.#nextOf(trail);
    if (next.length === 0 || query.concepts.length > MOST_CONCEPTS) return false;
    const isShort = query.concepts.length <= CONCEPTS_WITHOUT_TOPIC && query.entities.length === 0;
    if (!isShort && !matchesAny(REFERS_BACK, query.text)) return false;
    const profiles = [lastRun, ...next].map((resource) => this.#index.profile(resource));
    const isKnown = (entity: string): boolean => profiles.some(({ entities }) => entities.has(entity));
    const isElsewhere =
      query.entities.length === 0 &&
      query.scope !== undefined &&
      ![lastRun, ...next].some(({ id }) => isBelow(id, query.scope));
    return !isElsewhere && query.entities.every(isKnown);
  }

  #nextOf({ verifying, recommended, lastRunKey }: SessionTrail): readonly Resource[] {
    const lastRun = lastRunKey === undefined ? undefined : this.#registry.get(lastRunKey);
    const undo = undoIdOf(lastRun);
    const found = undo === undefined ? undefined : this.#registry.lookup(undo);
    const undoing = found?.kind === 'found' ? [found.resource] : [];
    const led = [...new Set([...verifying, ...recommended])].flatMap((key) => this.#registry.get(key) ?? []);
    return [...new Set([...led, ...undoing])];
  }
}

/** Id of the action that takes a run back. */
export function undoIdOf(lastRun: Resource | undefined): string | undefined {
  const undo = lastRun?.type === 'action' ? lastRun.definition.undo : undefined;
  return typeof undo === 'object' ? undo.action : undo;
}

/** Whether a candidate is there because the last run leads to it. */
export function isFromSession({ evidence }: GatheredCandidate): boolean {
  return evidence.some(({ matchedFields }) => matchedFields.includes(SESSION));
}

function isBelow(id: string, pack: string | undefined): boolean {
  return pack !== undefined && id.startsWith(`${pack}.`);
}

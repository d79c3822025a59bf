/**
 * The product's search over a registry, put together as the engine puts it together, with parts left out on request and with everything
 * there that a machine could lack: for the evaluation and the benchmarks.
 */
import { Policy } from './execution/policy';
import type {
  EnvironmentFacts,
  Permission,
  PolicyService,
  RegistryView,
  Resource,
  RuntimeContext,
  SearchInput,
  SearchTrace,
  SessionTrail,
} from './models';
import type { Clock, Digest, Logger, VectorStore } from './ports';
import type { Registry } from './registry/registry';
import { ResourceResolver } from './registry/resource-resolver';
import { readSnapshot, writeSnapshot } from './search/index/index-snapshot';
import type { IndexContent } from './search/index/index-content';
import type { SearchIndex } from './search/search-index';
import { CONFIDENCE_TABLE, type ConfidenceTable } from './search/confidence';
import { Lexicon } from './search/lexicon/lexicon';
import { SearchService } from './search/search-service';
import { ALL_ON, type SearchSwitches } from './search/search-switches';
import { DEFAULT_SEARCH_WEIGHTS, type SearchWeights } from './search/search-weights';
import { MeaningSearch, type EmbedderChoice } from './search/semantic/meaning-search';

/** What the search by meaning works with; without it the search goes by words alone. */
export interface MeasuredMeaning {
  readonly choice: EmbedderChoice;
  readonly store: VectorStore;
}

/** What the search needs of the world. */
export interface MeasuredSearchPorts {
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
  readonly meaning?: MeasuredMeaning;
}

/** Under which circumstances a search is asked for. */
export interface Circumstances {
  readonly context?: Partial<RuntimeContext>;
  readonly trail?: SessionTrail;
  /** Programs that are not there. */
  readonly missingExecutors?: ReadonlySet<string>;
  /** Keys of resources that the caller may not discover, whatever their access lists say. */
  readonly hidden?: ReadonlySet<string>;
}

/** What a search goes by that is measured with several weights over the same definitions. */
export interface MeasuredVariant {
  readonly weights?: SearchWeights;
  readonly confidence?: ConfidenceTable;
  /** What a search with other weights has worked out: the definitions are not read again. */
  readonly from?: MeasuredSearch;
}

/** Somebody who may do everything, in a trusted workspace. */
const ANYBODY: RuntimeContext = {
  host: 'cli',
  sessionId: 'measured',
  principals: ['user', 'agent', 'host:cli'],
  os: 'linux',
  workspaceTrusted: true,
  featureFlags: new Set(),
};

const NO_TRAIL: SessionTrail = { recommended: [], verifying: [], lastRunKey: undefined, searchesInARow: 0 };

/** The real policy over circumstances that are set for each search. */
class SetPolicy implements PolicyService {
  circumstances: Circumstances = {};
  readonly #policy: Policy;

  constructor() {
    const facts: EnvironmentFacts = {
      hasExecutor: (name) => this.circumstances.missingExecutors?.has(name) !== true,
      hasCredential: () => true,
      hasContext: () => true,
    };
    this.#policy = new Policy(facts);
  }

  may(permission: Permission, resource: Resource, context: RuntimeContext): boolean {
    return this.circumstances.hidden?.has(resource.key) !== true && this.#policy.may(permission, resource, context);
  }

  availability(resource: Resource, context: RuntimeContext): ReturnType<PolicyService['availability']> {
    return this.#policy.availability(resource, context);
  }
}

/** One search to measure. Ask one thing at a time: the circumstances are those of the last question. */
export class MeasuredSearch {
  readonly #policy = new SetPolicy();
  readonly #search: SearchService;
  readonly #meaning: MeaningSearch | undefined;
  readonly #signal = new AbortController().signal;
  readonly #digest: Digest;
  readonly #lexicon: Lexicon;
  #content: IndexContent | undefined;

  constructor(
    registry: Registry,
    ports: MeasuredSearchPorts,
    switches: SearchSwitches = ALL_ON,
    { weights = DEFAULT_SEARCH_WEIGHTS, confidence = CONFIDENCE_TABLE, from }: MeasuredVariant = {},
  ) {
    const policy = this.#policy;
    const { clock, digest, logger } = ports;
    const view = from ? unheard(registry) : registry;
    const resolver = new ResourceResolver(registry, policy);
    const lexicon = from
      ? from.#lexicon
      : new Lexicon({ glossary: switches.off.has('glossary') ? 'none' : 'built-in' });
    this.#digest = digest;
    this.#lexicon = lexicon;
    this.#meaning = from ? from.#meaning : openMeaning(registry, lexicon, ports);
    const retrievers = this.#meaning ? [this.#meaning] : [];
    const world = { registry: view, policy, resolver, clock, digest, logger };
    this.#search = new SearchService({ ...world, lexicon, retrievers, switches, weights, confidence });
    if (from && from.#content) this.#search.index.offer(from.#content);
  }

  /** What the search derives from the definitions. */
  get index(): SearchIndex {
    return this.#search.index;
  }

  /** Indexes what has changed. Resolves when every retriever can answer from all of it. */
  async prepare(): Promise<void> {
    this.#search.prepare();
    this.#meaning?.refresh();
    await this.#meaning?.settled();
  }

  /** Makes what it has worked out ready for searches that are made `from` it. */
  async share(): Promise<void> {
    const text = await writeSnapshot(this.index.content(), this.#digest, () => Promise.resolve());
    const snapshot = readSnapshot(text, this.#digest);
    if (snapshot.ok) this.#content = snapshot.value;
  }

  /** One search, with the order below its page. */
  trace(input: SearchInput, circumstances: Circumstances = {}): Promise<SearchTrace> {
    this.#policy.circumstances = circumstances;
    const context = { ...ANYBODY, ...circumstances.context };
    return this.#search.trace(input, context, circumstances.trail ?? NO_TRAIL, { signal: this.#signal });
  }
}

function openMeaning(
  registry: Registry,
  lexicon: Lexicon,
  { meaning, ...world }: MeasuredSearchPorts,
): MeaningSearch | undefined {
  const search = meaning && new MeaningSearch({ registry, lexicon, store: meaning.store, ...world });
  search?.use(meaning?.choice);
  return search;
}

/** The registry without news of changes: it must not hold every search that was ever made over it. */
function unheard(registry: Registry): RegistryView {
  return {
    revision: registry.revision,
    lexicons: registry.lexicons,
    all: () => registry.all(),
    get: (key) => registry.get(key),
    lookup: (reference) => registry.lookup(reference),
    children: (packId) => registry.children(packId),
    ancestors: (resource) => registry.ancestors(resource),
  };
}

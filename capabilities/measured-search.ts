/**
 * The product's search over a registry, put together as the engine puts it together, with parts left out on request and with everything
 * there that a machine could lack: for the evaluation and the benchmarks.
 */
import { Policy } from './execution/policy';
import type {
  EnvironmentFacts,
  Permission,
  PolicyService,
  Resource,
  RuntimeContext,
  SearchInput,
  SearchTrace,
  SessionTrail,
} from './models';
import type { Clock, Digest, Logger } from './ports';
import type { Registry } from './registry/registry';
import { ResourceResolver } from './registry/resource-resolver';
import type { SearchIndex } from './search/search-index';
import { SearchService } from './search/search-service';
import { ALL_ON, type SearchSwitches } from './search/search-switches';

/** What the search needs of the world. */
export interface MeasuredSearchPorts {
  readonly clock: Clock;
  readonly digest: Digest;
  readonly logger: Logger;
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
  readonly #signal = new AbortController().signal;

  constructor(registry: Registry, ports: MeasuredSearchPorts, switches: SearchSwitches = ALL_ON) {
    const policy = this.#policy;
    const resolver = new ResourceResolver(registry, policy);
    this.#search = new SearchService({ registry, policy, resolver, ...ports, switches });
  }

  /** What the search derives from the definitions. */
  get index(): SearchIndex {
    return this.#search.index;
  }

  /** Indexes what has changed. Resolves when every retriever can answer from all of it. */
  prepare(): Promise<void> {
    this.#search.prepare();
    return Promise.resolve();
  }

  /** One search, with the order below its page. */
  trace(input: SearchInput, circumstances: Circumstances = {}): Promise<SearchTrace> {
    this.#policy.circumstances = circumstances;
    const context = { ...ANYBODY, ...circumstances.context };
    return this.#search.trace(input, context, circumstances.trail ?? NO_TRAIL, { signal: this.#signal });
  }
}

import { toPlainActions } from '../../capabilities/evaluation/plain-actions';
import type { PlainDataset } from '../../capabilities/evaluation/plain-dataset';
import type { Ranker, RankerFactory } from '../../capabilities/evaluation/ranker';
import { MeasuredSearch, type MeasuredSearchPorts } from '../../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions } from '../../capabilities/memory-registry';
import type { SearchReply } from '../../capabilities/models';
import type { Registry } from '../../capabilities/registry/registry';
import { ALL_ON, type SearchSwitches } from '../../capabilities/search/search-switches';

/** The longest page a caller can ask for. */
const limit = 10;

/** The tools of a dataset as a registry, and the tools that its resources stand for. */
export interface PlainRegistry {
  readonly registry: Registry;
  readonly toolIds: ReadonlyMap<string, string>;
}

/** Hears of every answer: the query, the verdict and the first tool. */
export type ReplyListener = (query: string, resolution: SearchReply['resolution'], first: string | undefined) => void;

/** Puts the tools of a dataset into a registry of its own. */
export function openPlainRegistry(tools: PlainDataset['tools'], { digest }: MeasuredSearchPorts): PlainRegistry {
  const actions = toPlainActions(tools);
  const registry = createMemoryRegistry(digest);
  setDefinitions(
    registry,
    actions.map(({ actionId, definition }) => ({ id: actionId, typed: { type: 'action', definition } })),
  );
  return { registry, toolIds: new Map(actions.map(({ actionId, toolId }) => [actionId, toolId])) };
}

/** The product's search as a ranker. A pack that it shows keeps its place: it is what the caller gets. */
export function productRanker(
  ports: MeasuredSearchPorts,
  switches: SearchSwitches,
  onReply?: ReplyListener,
): RankerFactory {
  return async (tools) => {
    const { registry, toolIds } = openPlainRegistry(tools, ports);
    const search = new MeasuredSearch(registry, ports, switches);
    await search.prepare();
    return rankerOf(search, toolIds, onReply);
  };
}

/** The product's search with one part after the other left out: what the variants have in common is worked out once. */
export class ProductRankers {
  readonly #ports: MeasuredSearchPorts;
  readonly #plain: PlainRegistry;
  readonly #whole: MeasuredSearch;

  private constructor(ports: MeasuredSearchPorts, plain: PlainRegistry) {
    this.#ports = ports;
    this.#plain = plain;
    this.#whole = new MeasuredSearch(plain.registry, ports, ALL_ON);
  }

  static async open(ports: MeasuredSearchPorts, tools: PlainDataset['tools']): Promise<ProductRankers> {
    const rankers = new ProductRankers(ports, openPlainRegistry(tools, ports));
    await rankers.#whole.prepare();
    await rankers.#whole.share();
    return rankers;
  }

  /** Another glossary makes other terms and other vectors: that variant works everything out by itself. */
  async with(switches: SearchSwitches): Promise<Ranker> {
    const shared = switches.off.has('glossary') ? {} : { from: this.#whole };
    const search = new MeasuredSearch(this.#plain.registry, this.#ports, switches, shared);
    await search.prepare();
    return rankerOf(search, this.#plain.toolIds);
  }
}

function rankerOf(search: MeasuredSearch, toolIds: ReadonlyMap<string, string>, onReply?: ReplyListener): Ranker {
  return {
    rank: async (query) => {
      const { ranking, reply } = await search.trace({ query, limit });
      const ids = ranking.map(({ resource }) => toolIds.get(resource.id) ?? resource.key);
      onReply?.(query, reply.resolution, ids[0]);
      return ids;
    },
  };
}

import { toPlainActions } from '../../capabilities/evaluation/plain-actions';
import type { RankerFactory } from '../../capabilities/evaluation/ranker';
import { MeasuredSearch, type MeasuredSearchPorts } from '../../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions } from '../../capabilities/memory-registry';
import type { SearchSwitches } from '../../capabilities/search/search-switches';

/** The longest page a caller can ask for. */
const limit = 10;

/** The product's search as a ranker. A pack that it shows keeps its place: it is what the caller gets. */
export function productRanker(ports: MeasuredSearchPorts, switches: SearchSwitches): RankerFactory {
  return async (tools) => {
    const registry = createMemoryRegistry(ports.digest);
    const actions = toPlainActions(tools);
    setDefinitions(
      registry,
      actions.map(({ actionId, definition }) => ({ id: actionId, typed: { type: 'action', definition } })),
    );
    const search = new MeasuredSearch(registry, ports, switches);
    await search.prepare();
    const toolIds = new Map(actions.map(({ actionId, toolId }) => [actionId, toolId]));
    return {
      rank: async (query) => {
        const { ranking } = await search.trace({ query, limit });
        return ranking.map(({ resource }) => toolIds.get(resource.id) ?? resource.key);
      },
    };
  };
}

import { sampleQueries } from '../../capabilities/evaluation/plain-dataset';
import { yieldToOthers } from '../../capabilities/evaluation/ranker';
import { rateRanking } from '../../capabilities/evaluation/ranking-metrics';
import { circumstancesOf } from '../../capabilities/evaluation/sample-circumstances';
import type { LoadedSample } from '../../capabilities/evaluation/sample-loader';
import { inputOf } from '../../capabilities/evaluation/sample-run';
import { familyOf, groupOf } from '../../capabilities/evaluation/set-groups';
import type { TuningSubject } from '../../capabilities/evaluation/tuning/tuning-objective';
import { withOverrides, type Overrides } from '../../capabilities/evaluation/tuning/tunable-weights';
import { MeasuredSearch, type MeasuredSearchPorts } from '../../capabilities/measured-search';
import type { RetrieverName } from '../../capabilities/models';
import type { Registry } from '../../capabilities/registry/registry';
import { ALL_ON } from '../../capabilities/search/search-switches';
import { DEFAULT_SEARCH_WEIGHTS, type SearchWeights } from '../../capabilities/search/search-weights';
import { readDataset } from './dataset-folder';
import type { PlainRun } from './plain-evaluation';
import { openPlainRegistry } from './product-ranker';

/** The longest page a caller can ask for. */
const limit = 10;
/** A retriever that is late on a busy machine would make the same weights score differently. */
const PATIENT_MS = 60_000;

/** The weights in use, with time limits that nothing runs into. */
export const PATIENT_WEIGHTS: SearchWeights = {
  ...DEFAULT_SEARCH_WEIGHTS,
  timeoutMs: mapValues(DEFAULT_SEARCH_WEIGHTS.timeoutMs, () => PATIENT_MS),
};

function mapValues<T>(record: Readonly<Record<RetrieverName, T>>, map: () => T): Readonly<Record<RetrieverName, T>> {
  return Object.fromEntries(Object.keys(record).map((name) => [name, map()])) as Record<RetrieverName, T>;
}

/** Searches over one registry with one set of weights after the other; what does not depend on them is worked out once. */
class Reweighed {
  readonly #registry: Registry;
  readonly #ports: MeasuredSearchPorts;
  readonly #first: MeasuredSearch;

  constructor(registry: Registry, ports: MeasuredSearchPorts) {
    this.#registry = registry;
    this.#ports = ports;
    this.#first = new MeasuredSearch(registry, ports, ALL_ON, { weights: PATIENT_WEIGHTS });
  }

  async prepare(): Promise<this> {
    await this.#first.prepare();
    await this.#first.share();
    return this;
  }

  async with(overrides: Overrides): Promise<MeasuredSearch> {
    const weights = withOverrides(PATIENT_WEIGHTS, overrides);
    const search = new MeasuredSearch(this.#registry, this.#ports, ALL_ON, { weights, from: this.#first });
    await search.prepare();
    return search;
  }
}

/** A dataset: NDCG@10 over a sample of its queries. */
export async function datasetSubject(folder: string, { ports, queries: count }: PlainRun): Promise<TuningSubject> {
  const dataset = readDataset(folder);
  const { registry, toolIds } = openPlainRegistry(dataset.tools, ports);
  const searches = await new Reweighed(registry, ports).prepare();
  const queries = sampleQueries(dataset.queries, count ?? dataset.queries.length);
  const measure = async (overrides: Overrides): Promise<number> => {
    const search = await searches.with(overrides);
    let sum = 0;
    for (const [index, { query, relevant }] of queries.entries()) {
      await yieldToOthers(ports.clock, index);
      const { ranking } = await search.trace({ query, limit });
      const ids = ranking.map(({ resource }) => toolIds.get(resource.id) ?? resource.key);
      sum += rateRanking(ids, relevant).ndcg10;
    }
    return (100 * sum) / queries.length;
  };
  return { name: dataset.name, group: groupOf(dataset.name), family: familyOf(dataset.name), measure };
}

/** The own samples: Top-1, less the share of samples where something forbidden comes first. */
export async function sampleSubject(
  samples: readonly LoadedSample[],
  registry: Registry,
  ports: MeasuredSearchPorts,
): Promise<TuningSubject> {
  const searches = await new Reweighed(registry, ports).prepare();
  const asked = samples.filter(({ sample }) => sample.expected_top_actions.length > 0);
  const measure = async (overrides: Overrides): Promise<number> => {
    const search = await searches.with(overrides);
    let points = 0;
    for (const [index, { sample }] of asked.entries()) {
      await yieldToOthers(ports.clock, index);
      const { ranking } = await search.trace(inputOf(sample), circumstancesOf(sample, registry));
      const first = ranking[0]?.resource.id ?? '';
      if (sample.expected_top_actions.includes(first)) points += 1;
      if (sample.forbidden_actions?.includes(first) === true) points -= 1;
    }
    return (100 * points) / Math.max(1, asked.length);
  };
  return { name: 'own samples', group: 'own', family: 'own samples', measure };
}

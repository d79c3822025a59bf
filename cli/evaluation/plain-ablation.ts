import type { AblationRun } from '../../capabilities/evaluation/ablation';
import { sampleQueries } from '../../capabilities/evaluation/plain-dataset';
import { measureRanker, type SetScores } from '../../capabilities/evaluation/ranker';
import type { NamedScores } from '../../capabilities/evaluation/set-groups';
import { ALL_ON, type SearchSwitches } from '../../capabilities/search/search-switches';
import { ABLATION_VARIANTS } from './ablation-variants';
import { readDataset } from './dataset-folder';
import type { PlainRun } from './plain-evaluation';
import { productRanker } from './product-ranker';

/** A whole ablation: the search as it is, and each variant, over the same queries. */
export interface PlainAblation {
  readonly whole: readonly NamedScores[];
  readonly runs: readonly AblationRun[];
}

/** Runs every variant over every folder. `onSet` hears of each set that is done. */
export async function ablateFolders(
  folders: readonly string[],
  run: PlainRun,
  onSet: (set: string) => void,
): Promise<PlainAblation> {
  const whole: NamedScores[] = [];
  const runs = ABLATION_VARIANTS.map(({ without }) => ({ without, sets: [] as NamedScores[] }));
  for (const folder of folders) {
    const dataset = readDataset(folder);
    const queries = sampleQueries(dataset.queries, run.queries ?? dataset.queries.length);
    const measure = async (switches: SearchSwitches): Promise<SetScores> => {
      const ranker = await productRanker(run.ports, switches)(dataset.tools);
      return (await measureRanker(ranker, queries, run.ports.clock)).scores;
    };
    whole.push({ set: dataset.name, scores: await measure(ALL_ON) });
    for (const [index, { switches }] of ABLATION_VARIANTS.entries()) {
      runs[index]?.sets.push({ set: dataset.name, scores: await measure(switches) });
    }
    onSet(dataset.name);
  }
  return { whole, runs };
}

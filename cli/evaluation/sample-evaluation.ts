import { checkSampleIds, type LoadedSample, type SampleProblem } from '../../capabilities/evaluation/sample-loader';
import {
  runSamples,
  runUsageLines,
  type SampleOutcome,
  type UsageLineOutcome,
} from '../../capabilities/evaluation/sample-run';
import { scoreSamples, type SampleScores } from '../../capabilities/evaluation/sample-scores';
import { MeasuredSearch, type MeasuredSearchPorts } from '../../capabilities/measured-search';
import type { Registry } from '../../capabilities/registry/registry';
import { ALL_ON, type SearchSwitches } from '../../capabilities/search/search-switches';
import { readSamples } from './sample-files';

/** What a run over a workspace's own samples gives. */
export interface SampleEvaluation {
  readonly scores: SampleScores;
  readonly outcomes: readonly SampleOutcome[];
  readonly lines: readonly UsageLineOutcome[];
}

/** The samples of a workspace, or what is wrong with them: their files, or ids that the registry does not know. */
export function openSamples(
  root: string,
  registry: Registry,
): { readonly samples: readonly LoadedSample[]; readonly problems: readonly SampleProblem[] } {
  const { samples, problems } = readSamples(root);
  return { samples, problems: [...problems, ...checkSampleIds(samples, registry)] };
}

/** Runs samples over a registry. There must be at least one. */
export async function evaluateSamples(
  samples: readonly LoadedSample[],
  registry: Registry,
  { ports, switches = ALL_ON }: { readonly ports: MeasuredSearchPorts; readonly switches?: SearchSwitches },
): Promise<SampleEvaluation> {
  const search = new MeasuredSearch(registry, ports, switches);
  await search.prepare();
  const parts = { search, registry, clock: ports.clock };
  const outcomes = await runSamples(samples, parts);
  const lines = await runUsageLines(parts);
  return { scores: scoreSamples(outcomes, lines, registry), outcomes, lines };
}

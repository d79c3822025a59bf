import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { calibrate, type CalibrationCase } from '../../capabilities/evaluation/calibration';
import { showCalibration } from '../../capabilities/evaluation/calibration-report';
import { foreignPairs, type ForeignPair } from '../../capabilities/evaluation/foreign-goals';
import { sampleQueries, type PlainDataset } from '../../capabilities/evaluation/plain-dataset';
import { yieldToOthers } from '../../capabilities/evaluation/ranker';
import { circumstancesOf } from '../../capabilities/evaluation/sample-circumstances';
import type { LoadedSample } from '../../capabilities/evaluation/sample-loader';
import { inputOf } from '../../capabilities/evaluation/sample-run';
import { familyOf } from '../../capabilities/evaluation/set-groups';
import { MeasuredSearch, type MeasuredSearchPorts, type MeasuredVariant } from '../../capabilities/measured-search';
import type { SearchTrace } from '../../capabilities/models';
import type { Registry } from '../../capabilities/registry/registry';
import { CONFIDENCE_TABLE, settledVerdict, type ConfidenceTable } from '../../capabilities/search/confidence';
import { CONFIDENCE_FEATURES, RISING_FEATURES } from '../../capabilities/search/confidence-features';
import { ALL_ON, type SearchSwitches } from '../../capabilities/search/search-switches';
import type { CliHost } from '../cli-host';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { readDataset } from './dataset-folder';
import { foldersOrDefault, plainRun } from './eval-options';
import type { PlainRun } from './plain-evaluation';
import { openPlainRegistry } from './product-ranker';
import { soundSamples } from './run-samples';
import { PATIENT_WEIGHTS } from './tuning-subjects';

const WITHOUT_MEANING: SearchSwitches = { off: new Set(['semantic']) };
/**
 * The order that the verdict is taken from is not changed by the verdict that the present table would give, nor by a late retriever: a
 * calibration gives the same whatever was calibrated before.
 */
const VARIANT: MeasuredVariant = {
  weights: PATIENT_WEIGHTS,
  confidence: { ...CONFIDENCE_TABLE, none_below: { authored: 0, plain: 0 } },
};
const limit = 5;
/** Parts of the own samples that are held out one by one. */
const OWN_PARTS = 5;
/** Queries of each set where nothing else is said. */
const QUERIES = 80;

/**
 * `capability eval --calibrate`: learns the table of the verdicts from plain datasets, from queries against the tools of a set about other
 * things, and from the workspace's own samples. Shows how it does and, with `--write FILE`, writes the table.
 */
export async function calibrateConfidence(
  options: CommandOptions,
  terminal: Terminal,
  host: CliHost,
): Promise<ExitCode> {
  const samples = soundSamples(terminal, host);
  if (!samples) return 1;
  const given = plainRun(options, terminal);
  const run = { ...given, queries: given.queries ?? QUERIES };
  const sets = foldersOrDefault(options, terminal).map(readDataset);
  const cases = await sampleCases(samples, host.engine.registry, run.ports);
  for (const probe of probesOf(sets)) {
    cases.push(...(await probeCases(probe, run)));
    terminal.tell(`${probe.queries.name} against the tools of ${probe.tools.name}: done`);
  }
  const calibration = calibrate(cases, { names: CONFIDENCE_FEATURES, rising: RISING_FEATURES });
  const names = [...sets.map(({ name }) => name), `${samples.length} own samples`].join(', ');
  const source = `capability eval --calibrate --queries ${run.queries}: ${cases.length} searches of ${names}`;
  const version = CONFIDENCE_TABLE.version + 1;
  const table: ConfidenceTable = { ...CONFIDENCE_TABLE, ...calibration.fitted, version, source };
  terminal.write(options.json ? JSON.stringify(table) : showCalibration(calibration));
  const { write } = options.values;
  if (typeof write === 'string') writeFileSync(path.resolve(write), `${JSON.stringify(table, null, 2)}\n`);
  else terminal.tell('Nothing was written; --write FILE keeps the table.');
  return 0;
}

/** Each set against its own tools, then goals against tools that serve none of them. */
function probesOf(sets: readonly PlainDataset[]): readonly ForeignPair[] {
  return [...sets.map((set) => ({ queries: set, tools: set })), ...foreignPairs(sets)];
}

async function probeCases({ queries, tools }: ForeignPair, run: PlainRun): Promise<readonly CalibrationCase[]> {
  const { registry, toolIds } = openPlainRegistry(tools.tools, run.ports);
  const whole = new MeasuredSearch(registry, run.ports, ALL_ON, VARIANT);
  await whole.prepare();
  await whole.share();
  // Half of the cases have no vectors: the verdict must hold without them.
  const words = new MeasuredSearch(registry, run.ports, WITHOUT_MEANING, { ...VARIANT, from: whole });
  await words.prepare();
  const searches = [whole, words];
  const cases: CalibrationCase[] = [];
  const asked = sampleQueries(queries.queries, run.queries ?? queries.queries.length);
  for (const [index, { query, relevant }] of asked.entries()) {
    await yieldToOthers(run.ports.clock, index);
    const trace = await searches[index % searches.length]?.trace({ query, limit });
    const isServed = queries === tools;
    const first = trace?.ranking[0]?.resource.id ?? '';
    const isRight = isServed && relevant.includes(toolIds.get(first) ?? '');
    cases.push(...toCase(trace, { set: queries.name, group: familyOf(queries.name), isServed, isRight, isOwn: false }));
  }
  return cases;
}

async function sampleCases(
  samples: readonly LoadedSample[],
  registry: Registry,
  ports: MeasuredSearchPorts,
): Promise<CalibrationCase[]> {
  const cases: CalibrationCase[] = [];
  // Thresholds are chosen by what the product does with everything there.
  for (const switches of [ALL_ON, WITHOUT_MEANING]) {
    const search = new MeasuredSearch(registry, ports, switches, VARIANT);
    await search.prepare();
    for (const [index, { sample }] of samples.entries()) {
      await yieldToOthers(ports.clock, index);
      const { expected_resolution: expected } = sample;
      const trace = await search.trace(inputOf(sample), circumstancesOf(sample, registry));
      const isServed = expected !== 'no_confident_match';
      const first = trace.ranking[0]?.resource.id ?? '';
      const isRight = expected === 'confident' && sample.expected_top_actions.includes(first);
      const group = `own samples ${index % OWN_PARTS}`;
      cases.push(...toCase(trace, { set: 'own samples', group, isServed, isRight, isOwn: switches === ALL_ON }));
    }
  }
  return cases;
}

/** Nothing where the verdict follows from the question alone. */
function toCase(trace: SearchTrace | undefined, known: Omit<CalibrationCase, 'features'>): readonly CalibrationCase[] {
  const { query, ranking: ranked, features } = trace ?? {};
  if (!query || !ranked || !features) return [];
  const isSettled = settledVerdict({ query, ranked, features: features }) !== undefined;
  return isSettled ? [] : [{ ...known, features }];
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { calibrate, type CalibrationCase } from '../../capabilities/evaluation/calibration';
import { showCalibration } from '../../capabilities/evaluation/calibration-report';
import { toPlainActions } from '../../capabilities/evaluation/plain-actions';
import { sampleQueries, type PlainDataset } from '../../capabilities/evaluation/plain-dataset';
import { yieldToOthers } from '../../capabilities/evaluation/ranker';
import { circumstancesOf } from '../../capabilities/evaluation/sample-circumstances';
import type { LoadedSample } from '../../capabilities/evaluation/sample-loader';
import { MeasuredSearch, type MeasuredSearchPorts } from '../../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions } from '../../capabilities/memory-registry';
import type { SearchTrace } from '../../capabilities/models';
import type { Registry } from '../../capabilities/registry/registry';
import { CONFIDENCE_TABLE, settledVerdict } from '../../capabilities/search/confidence';
import { ALL_ON, type SearchSwitches } from '../../capabilities/search/search-switches';
import type { CliHost } from '../cli-host';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { readDataset } from './dataset-folder';
import { foldersOf, plainRun } from './eval-options';
import type { PlainRun } from './plain-evaluation';
import { soundSamples } from './run-samples';

const WITHOUT_MEANING: SearchSwitches = { off: new Set(['semantic']) };
const limit = 5;

/** What a set's queries find among the tools of this or another set. */
interface Probe {
  readonly queries: PlainDataset;
  readonly tools: PlainDataset;
}

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
  const run = plainRun(options, terminal);
  const sets = foldersOf(options).map(readDataset);
  const cases = await sampleCases(samples, host.engine.registry, run.ports);
  for (const probe of probesOf(sets)) {
    cases.push(...(await probeCases(probe, run)));
    terminal.tell(`${probe.queries.name} against the tools of ${probe.tools.name}: done`);
  }
  const source = `capability eval --calibrate: ${sets.length} public sets, ${cases.length} searches`;
  const calibration = calibrate(cases, CONFIDENCE_TABLE, source);
  terminal.write(options.json ? JSON.stringify(calibration.table) : showCalibration(calibration));
  const { write } = options.values;
  if (typeof write === 'string') writeFileSync(path.resolve(write), `${JSON.stringify(calibration.table, null, 2)}\n`);
  return 0;
}

/** Each set against its own tools, and against those of the set of the same languages that shares the fewest words with it. */
function probesOf(sets: readonly PlainDataset[]): readonly Probe[] {
  return sets.flatMap((queries) => {
    const others = sets.filter((tools) => isForeign(queries.name, tools.name));
    const shared = others.map((tools) => ({ tools, words: sharedNames(queries, tools) }));
    const [least] = shared.sort((left, right) => left.words - right.words);
    return [{ queries, tools: queries }, ...(least === undefined ? [] : [{ queries, tools: least.tools }])];
  });
}

/** Sets of the same language, and not two forms of one collection: `metatool-single` and `metatool-multi` share their tools. */
function isForeign(name: string, other: string): boolean {
  const language = (text: string): string => /-(zh2en|zh)$/u.exec(text)?.[1] ?? 'en';
  const family = (text: string): string => text.split('-')[0] ?? text;
  return language(name) === language(other) && family(name) !== family(other);
}

function sharedNames(queries: PlainDataset, tools: PlainDataset): number {
  const words = (set: PlainDataset): ReadonlySet<string> =>
    new Set(set.tools.flatMap(({ name, description }) => `${name} ${description}`.toLowerCase().split(/[^\p{L}]+/u)));
  const [own, other] = [words(queries), words(tools)];
  return [...own].filter((word) => other.has(word)).length / Math.max(1, Math.min(own.size, other.size));
}

async function probeCases({ queries, tools }: Probe, run: PlainRun): Promise<readonly CalibrationCase[]> {
  const actions = toPlainActions(tools.tools);
  const registry = createMemoryRegistry(run.ports.digest);
  setDefinitions(
    registry,
    actions.map(({ actionId, definition }) => ({ id: actionId, typed: { type: 'action', definition } })),
  );
  const toolIds = new Map(actions.map(({ actionId, toolId }) => [actionId, toolId]));
  // Half of the cases have no vectors: the verdict must hold without them.
  const searches = [new MeasuredSearch(registry, run.ports), new MeasuredSearch(registry, run.ports, WITHOUT_MEANING)];
  for (const search of searches) await search.prepare();
  const cases: CalibrationCase[] = [];
  const asked = sampleQueries(queries.queries, run.queries ?? queries.queries.length);
  for (const [index, { query, relevant }] of asked.entries()) {
    await yieldToOthers(run.ports.clock, index);
    const trace = await searches[index % searches.length]?.trace({ query, limit });
    const isServed = queries === tools;
    const first = trace?.ranking[0]?.resource.id ?? '';
    const isRight = isServed && relevant.includes(toolIds.get(first) ?? '');
    cases.push(...toCase(trace, { set: queries.name, isServed, isRight, isOwn: false }));
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
    const search = new MeasuredSearch(registry, ports, switches);
    await search.prepare();
    for (const { sample } of samples) {
      const { query, within, side_effect_max: effect, expected_resolution: expected } = sample;
      const input = { query, ...(within === undefined ? {} : { within }) };
      const limited = { ...input, ...(effect === undefined ? {} : { side_effect_max: effect }) };
      const trace = await search.trace(limited, circumstancesOf(sample, registry));
      const isServed = expected !== 'no_confident_match';
      const first = trace.ranking[0]?.resource.id ?? '';
      const isRight = expected === 'confident' && (sample.expected_top_actions ?? []).includes(first);
      cases.push(...toCase(trace, { set: 'own samples', isServed, isRight, isOwn: switches === ALL_ON }));
    }
  }
  return cases;
}

/** Nothing where the verdict follows from the question alone. */
function toCase(trace: SearchTrace | undefined, known: Omit<CalibrationCase, 'features'>): readonly CalibrationCase[] {
  if (trace?.features === undefined || settledVerdict(trace.query, trace.ranking) !== undefined) return [];
  return [{ ...known, features: trace.features }];
}

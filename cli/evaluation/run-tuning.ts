import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tune, type Tuning } from '../../capabilities/evaluation/tuning/cross-validation';
import { showTuning, tuningFile } from '../../capabilities/evaluation/tuning/tuning-report';
import { ScoreMemory, type TuningSubject } from '../../capabilities/evaluation/tuning/tuning-objective';
import { TUNABLE_WEIGHTS } from '../../capabilities/evaluation/tuning/tunable-weights';
import { visibleElement } from '../../capabilities/execution/visible-text';
import type { CliHost } from '../cli-host';
import type { CommandOptions, ExitCode } from '../command';
import type { Terminal } from '../terminal';
import { foldersOrDefault, plainRun } from './eval-options';
import { untilInterrupted } from './interruption';
import type { PlainRun } from './plain-evaluation';
import { soundSamples } from './run-samples';
import { PATIENT_WEIGHTS, datasetSubject, sampleSubject } from './tuning-subjects';

/** Queries of each set where nothing else is said: enough to see a step's direction. */
const QUERIES = 30;
const TRIALS_BETWEEN_MESSAGES = 10;

/**
 * `capability eval --tune`: learns weights by coordinate ascent, checked on families of sets that were left out. Changes nothing;
 * `--write FILE` puts the overrides into a file. Ctrl-C ends it with the best so far.
 */
export async function tuneWeights(options: CommandOptions, terminal: Terminal, host: CliHost): Promise<ExitCode> {
  const samples = soundSamples(terminal, host);
  if (!samples) return 1;
  const given = plainRun(options, terminal);
  const run = { ...given, queries: given.queries ?? QUERIES };
  const folders = foldersOrDefault(options, terminal);
  const started = run.ports.clock.monotonic();
  const tuning = await untilInterrupted(async (signal) => {
    const own = await sampleSubject(samples, host.engine.registry, run.ports);
    const subjects = [...(await datasetSubjects(folders, { run, terminal, signal })), own];
    const memory = new ScoreMemory(signal, (trials) => {
      if (trials % TRIALS_BETWEEN_MESSAGES > 0) return;
      terminal.tell(`${trials} trials, ${Math.round((run.ports.clock.monotonic() - started) / 1000)} s`);
    });
    return tune({ subjects, weights: PATIENT_WEIGHTS, tunable: TUNABLE_WEIGHTS, memory, signal });
  });
  report(tuning, { options, terminal, queries: run.queries });
  return 0;
}

async function datasetSubjects(
  folders: readonly string[],
  parts: { readonly run: PlainRun; readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<readonly TuningSubject[]> {
  const subjects: TuningSubject[] = [];
  for (const folder of folders) {
    parts.signal.throwIfAborted();
    const subject = await datasetSubject(folder, parts.run);
    parts.terminal.tell(`${subject.name}: read`);
    subjects.push(subject);
  }
  return subjects;
}

function report(
  tuning: Tuning,
  { options, terminal, queries }: { options: CommandOptions; terminal: Terminal; queries: number },
): void {
  const source = `capability eval --tune --queries ${queries}`;
  const file = tuningFile(tuning, source);
  terminal.write(options.json ? JSON.stringify(JSON.parse(file)) : showTuning(tuning, PATIENT_WEIGHTS));
  const { write } = options.values;
  if (typeof write !== 'string') {
    terminal.tell('Nothing was written; --write FILE keeps the overrides.');
    return;
  }
  writeFileSync(path.resolve(write), file);
  terminal.tell(`Overrides written to ${visibleElement(path.resolve(write))}.`);
}

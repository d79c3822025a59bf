import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { visibleElement } from '../../capabilities/execution/visible-text';
import type { CommandOptions } from '../command';
import type { Terminal } from '../terminal';
import { datasetFolders } from './dataset-folder';
import { createEvaluationPorts } from './evaluation-ports';
import { BASELINES, type PlainRun } from './plain-evaluation';

/** The folders of the plain datasets that the options name. */
export function foldersOf({ values: { dataset, all } }: CommandOptions): readonly string[] {
  if (typeof dataset === 'string') return [dataset];
  return typeof all === 'string' ? datasetFolders(all) : [];
}

/** Where datasets are looked for that are not named: the variable, else a folder beside the current one. */
const DATA_VARIABLE = 'CAPABILITY_EVAL_DATA';
const DATA_FOLDER = path.join('..', 'shared', 'retrieval-eval');

/** As {@link foldersOf}, else those of the default place. Says so where there is none: then only the own samples are left. */
export function foldersOrDefault(options: CommandOptions, terminal: Terminal): readonly string[] {
  const named = foldersOf(options);
  if (named.length > 0) return named;
  const folder = process.env[DATA_VARIABLE] ?? DATA_FOLDER;
  if (existsSync(folder)) return datasetFolders(folder);
  terminal.tell(
    `There is no folder ${visibleElement(folder)}; ${DATA_VARIABLE} or --all DIR names one. Using the own samples alone.`,
  );
  return [];
}

/** How a run over plain datasets is made. Throws on an option that makes no sense. */
export function plainRun({ values }: CommandOptions, terminal: Terminal): PlainRun {
  return {
    ports: createEvaluationPorts(terminal),
    queries: countOption(values['queries']),
    baselines: baselineOption(values['baseline']),
  };
}

function countOption(value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error('--queries wants a number from 1.');
  return count;
}

function baselineOption(value: string | boolean | undefined): readonly string[] {
  if (typeof value !== 'string') return [];
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(BASELINES, name));
  if (unknown === undefined) return names;
  throw new Error(`There is no baseline of this name; there are ${Object.keys(BASELINES).join(', ')}.`);
}

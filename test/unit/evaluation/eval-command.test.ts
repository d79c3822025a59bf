import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Indexer } from '../../../capabilities/registry/indexer';
import { isForbiddenVariable } from '../../../capabilities/execution/forbidden-environment';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { nodePaths } from '../../../capabilities/node/node-paths';
import { Registry } from '../../../capabilities/registry/registry';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';
import { makeScopes } from '../../../capabilities/scopes';
import { CONFIDENCE_TABLE, type ConfidenceTable } from '../../../capabilities/search/confidence';
import type { CliHost } from '../../../cli/cli-host';
import type { CommandOptions } from '../../../cli/command';
import { evalCommand } from '../../../cli/commands/eval';

let folder: string;
const written: string[] = [];
const told: string[] = [];
const terminal = {
  write: (text: string) => void written.push(text),
  tell: (text: string) => void told.push(text),
  isInteractive: false,
  ask: () => Promise.resolve(undefined),
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capability-eval-'));
  written.length = 0;
  told.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SUBJECTS: readonly string[] = ['weather of a city', 'flight booking', 'currency exchange rate'];

async function addDataset(name: string, subjects = SUBJECTS): Promise<string> {
  const set = path.join(folder, 'sets', name);
  await mkdir(set, { recursive: true });
  const tools = subjects.map((description, index) => ({
    ...{ id: `t${index}`, name: description.split(' ')[0], description },
  }));
  const queries = tools.map(({ id, description }) => ({ id, query: `I need the ${description}`, relevant: [id] }));
  await writeFile(path.join(set, 'tools.jsonl'), tools.map((tool) => JSON.stringify(tool)).join('\n'));
  await writeFile(path.join(set, 'queries.jsonl'), queries.map((query) => JSON.stringify(query)).join('\n'));
  return set;
}

async function openHost(workspace: string): Promise<CliHost> {
  const registry = new Registry(new NodeDigest());
  const rules = { schemas: new SchemaCompiler(), isForbiddenVariable };
  const logger = { log: () => undefined };
  const indexer = new Indexer({ registry, fileSystem: new NodeFileSystem(), logger, rules });
  await indexer.load(makeScopes([{ name: 'workspace', path: workspace }], [], nodePaths));
  return { engine: { registry }, root: workspace } as unknown as CliHost;
}

interface RunOptions {
  readonly json?: boolean;
  readonly workspace?: string;
  readonly positionals?: readonly string[];
}

async function run(values: CommandOptions['values'], options: RunOptions = {}) {
  const workspace = options.workspace ?? folder;
  const given = { positionals: options.positionals ?? [], values, json: options.json ?? false, workspace };
  return evalCommand.run(given, terminal, await openHost(workspace));
}

describe('plain datasets', () => {
  test('one set prints one JSON object with exactly the agreed keys', async () => {
    expect(await run({ dataset: await addDataset('tiny-en') })).toBe(0);
    expect(written).toHaveLength(1);
    const scores = JSON.parse(written[0] ?? '') as Record<string, number>;
    expect(Object.keys(scores).sort()).toEqual(
      ['n', 'top1', 'r1', 'r5', 'r10', 'ndcg10', 'mrr', 'comp10', 'ms_p50', 'ms_p95'].sort(),
    );
    expect(scores).toMatchObject({ n: 3, top1: 100, ndcg10: 100 });
  });

  test('baselines stand beside it; a sample of the queries is enough', async () => {
    await run({ dataset: await addDataset('tiny-en'), baseline: 'okapi,regex', queries: '2' });
    const scores = JSON.parse(written[0] ?? '') as { baselines: Record<string, { n: number }> };
    expect(Object.keys(scores.baselines)).toEqual(['okapi', 'regex']);
    expect(scores.baselines['okapi']?.n).toBe(2);
  });

  test('a folder of sets prints a line for each and the means; a folder with tools only is left out', async () => {
    await addDataset('tiny-en');
    await addDataset('tiny-zh');
    await rm(path.join(await addDataset('distractors'), 'queries.jsonl'));
    await run({ all: path.join(folder, 'sets') }, { json: true });
    const lines = written.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map((line) => line['set'] ?? `mean ${String(line['mean'])}`)).toEqual([
      'tiny-en',
      'tiny-zh',
      'mean en',
      'mean zh',
    ]);
  });

  test('an ablation prints what each part is worth, and a report is one file', async () => {
    const report = path.join(folder, 'out.html');
    await run({ dataset: await addDataset('tiny-en'), ablate: true, report });
    expect(written[0]).toMatch(/\(nothing\)/);
    expect(written[0]).toMatch(/lexical/);
    expect(await readFile(report, 'utf8')).toMatch(/<svg/);
  });

  test('an ablation of named parts leaves out these alone, and says how many queries it takes', async () => {
    const dataset = await addDataset('tiny-en');
    await run({ dataset, ablate: true }, { positionals: ['rerank,semantic'] });
    expect(written[0]).toMatch(/^At most 60 queries of each set/);
    const rows = (written[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
    expect(rows.map((row) => row.split('|')[1]?.trim()).sort()).toEqual(['(nothing)', 'rerank', 'semantic', 'without']);
    expect(told.some((line) => line.includes('tiny-en without rerank'))).toBe(true);
    await expect(run({ dataset, ablate: true }, { positionals: ['magic'] })).rejects.toThrow(/no part of this name/);
    await expect(run({ dataset }, { positionals: ['rerank'] })).rejects.toThrow(/go with --ablate/);
  });

  test('verdicts stand below the scores, those on foreign goals where they are asked for', async () => {
    await addDataset('tiny-en');
    await addDataset('other-en', ['knead the dough', 'paint the fence', 'tune the piano']);
    await run({ all: path.join(folder, 'sets') });
    expect(written[0]).toMatch(/\| tiny-en +\| +[\d.]+ \| +(?:[\d.]+|-) \| +[\d.]+ \| +- \|/);
    await run({ all: path.join(folder, 'sets'), foreign: true }, { json: true });
    const verdicts = written.slice(1, 3).map((line) => (JSON.parse(line) as { verdicts: object }).verdicts);
    for (const verdict of verdicts) expect(verdict).toHaveProperty('foreign_none');
  });

  test.each([
    [{ baseline: 'magic' }, /There is no baseline of this name; there are okapi, minisearch, regex/],
    [{ queries: '0' }, /--queries wants a number from 1/],
  ])('%j is refused', async (values, message) => {
    await expect(run({ dataset: await addDataset('tiny-en'), ...values })).rejects.toThrow(message);
  });

  test('a folder that is no dataset is refused by name', async () => {
    await expect(run({ dataset: path.join(folder, 'nowhere') })).rejects.toThrow(/is no dataset: tools\.jsonl/);
    await mkdir(path.join(folder, 'empty'));
    await expect(run({ all: path.join(folder, 'empty') })).rejects.toThrow(/No folder in/);
  });
});

describe('a workspace’s own samples', () => {
  async function copyExample(): Promise<string> {
    const workspace = path.join(folder, 'workspace');
    // One file of samples is enough here; the quality gate runs them all.
    const filter = (source: string): boolean => !/evaluation[\\/](?!unclear)/.test(source);
    await cp('examples/workspace/.capabilities', path.join(workspace, '.capabilities'), { recursive: true, filter });
    return workspace;
  }

  test('measures, kinds and every failing sample are printed, and the report holds them', async () => {
    const workspace = await copyExample();
    const report = path.join(folder, 'own.html');
    expect(await run({ report }, { workspace })).toBe(0);
    expect(written[0]).toMatch(/top1 /);
    expect(written[0]).toMatch(/\| ambiguous /);
    expect(await readFile(report, 'utf8')).toMatch(/Failing samples/);
  });

  test('a calibration writes a table that fits the one in use, and nothing when it is not asked to', async () => {
    const workspace = await copyExample();
    const all = path.dirname(await addDataset('tiny-en'));
    await addDataset('other-en', ['knead the dough', 'paint the fence', 'tune the piano']);
    const file = path.join(folder, 'table.json');
    expect(await run({ calibrate: true, all }, { workspace })).toBe(0);
    expect(told.at(-1)).toMatch(/Nothing was written/);
    await run({ calibrate: true, all, write: file }, { workspace });
    const table = JSON.parse(await readFile(file, 'utf8')) as ConfidenceTable;
    expect(table.version).toBe(CONFIDENCE_TABLE.version + 1);
    expect(table.source).toMatch(/^capability eval --calibrate .*other-en, tiny-en, \d+ own samples$/);
    const keysOf = (value: object): readonly string[] => Object.keys(value).sort();
    expect(keysOf(table)).toEqual(keysOf(CONFIDENCE_TABLE));
    expect(keysOf(table.serves.weights)).toEqual(keysOf(CONFIDENCE_TABLE.serves.weights));
    expect(written[0]).toMatch(/Chance that the goal is served/);
  });

  test('tuning writes overrides only where it is told to', async () => {
    const workspace = await copyExample();
    const all = path.dirname(await addDataset('tiny-en'));
    const before = await readdir(folder);
    expect(await run({ tune: true, all, queries: '3' }, { workspace })).toBe(0);
    expect(written[0]).toMatch(/Objective as fitted/);
    expect(told.at(-1)).toMatch(/Nothing was written/);
    expect(await readdir(folder)).toEqual(before);
    const file = path.join(folder, 'overrides.json');
    await run({ tune: true, all, queries: '3', write: file }, { workspace });
    const kept = JSON.parse(await readFile(file, 'utf8')) as { source: string; overrides: object };
    expect(kept.source).toBe('capability eval --tune --queries 3');
    expect(Object.values(kept.overrides).every(Number.isFinite)).toBe(true);
  }, 60_000);

  test('a mistake in a sample is told with its place, and nothing is measured', async () => {
    const workspace = await copyExample();
    const sample = 'samples:\n  - { query: x, expected_top_actions: [no.such], expected_resolution: confident }\n';
    await writeFile(path.join(workspace, '.capabilities', 'evaluation', 'broken.yaml'), sample);
    expect(await run({}, { workspace })).toBe(1);
    expect(told.join('\n')).toMatch(/evaluation\/broken\.yaml:2: There is no resource `no\.such`/);
    expect(written).toEqual([]);
  });

  test('without samples it says how to measure', async () => {
    expect(await run({})).toBe(1);
    expect(told.join('\n')).toMatch(/There are no samples/);
  });
});

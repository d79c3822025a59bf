/**
 * `npm run bench:search [-- COUNT …]`: the whole search over generated tools (1,000, 10,000 and 50,000 unless counts are given) beside plain
 * MiniSearch over the same texts and goals, asked in turn in the same run; then what a start costs, each in processes of its own.
 */
import MiniSearch from 'minisearch';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import type { MeasuredSearch } from '../capabilities/measured-search';
import { setDefinitions } from '../capabilities/memory-registry';
import type { ActionDefinition } from '../capabilities/models';
import { asDefinition, measurePart, register, type Figures, type Opened } from './search-scale-parts';
import { makeGoals, makeTools } from './search-scale-tools';
import { summarize, time, type Summary } from './statistics';

const goalCount = 300;
const warmUp = 100;
/** At most so many changes, and no new one after so long. */
const changeCount = 200;
const changeBudgetMs = 5000;
/** Processes that each part is measured in; the middle one counts. */
const processes = 3;

function openPlain(tools: readonly ActionDefinition[]): MiniSearch {
  const plain = new MiniSearch({ fields: ['title', 'summary', 'detail'], idField: 'action_id' });
  plain.addAll(tools.map((tool) => ({ ...tool, detail: JSON.stringify(tool.arguments_schema['properties']) })));
  return plain;
}

/** Asks both in turn, so that whatever else the machine does hits both alike. */
async function compare(
  search: MeasuredSearch,
  plain: MiniSearch,
  goals: readonly string[],
): Promise<readonly [Summary, Summary]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (const query of goals.slice(0, warmUp)) {
    await search.trace({ query });
    plain.search(query);
  }
  for (const query of goals) {
    await nextTurn();
    ours.push(await time(() => search.trace({ query })));
    theirs.push(await time(() => plain.search(query)));
  }
  return [summarize(ours), summarize(theirs)];
}

/** From a changed action to an index that knows it, and to the end of the search after it. */
async function measureChanges(
  { search, registry }: Opened,
  tools: readonly ActionDefinition[],
): Promise<readonly [Summary, Summary]> {
  const indexed: number[] = [];
  const searched: number[] = [];
  const start = performance.now();
  for (let round = 0; round < changeCount && performance.now() - start < changeBudgetMs; round += 1) {
    const tool = tools[(round * 97) % tools.length];
    if (!tool) continue;
    await nextTurn();
    const changed = asDefinition({ ...tool, version: round + 2, summary: `${tool.summary} Changed ${round} times.` });
    const indexMs = await time(async () => {
      setDefinitions(registry, [changed]);
      await search.prepare();
    });
    indexed.push(indexMs);
    searched.push(indexMs + (await time(() => search.trace({ query: 'list the overdue invoice' }))));
  }
  return [summarize(indexed), summarize(searched)];
}

/** Between two calls of a real caller the event loop has its turn, and memory held weakly can go. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Measures a part in processes of its own: the middle of each figure. */
function measureApart(part: string, count: number, file: string): Figures {
  const [self = ''] = process.argv.slice(1);
  const runs = Array.from({ length: processes }, () => {
    const output = execFileSync(process.execPath, ['--expose-gc', self, '--part', part, String(count), file]);
    return JSON.parse(output.toString()) as Figures;
  });
  return Object.fromEntries(
    Object.keys(runs[0] ?? {}).map((name) => [name, summarize(runs.map((run) => run[name] ?? 0)).p50]),
  );
}

const show = ({ p50, p95 }: Summary): string => `${p50.toFixed(2)} / ${p95.toFixed(2)} ms`;
const figure = (figures: Figures, name: string): string => (figures[name] ?? 0).toFixed(0);

async function benchSearches(count: number): Promise<void> {
  const tools = makeTools(count);
  const opened = register(tools);
  await opened.search.prepare();
  let plain = new MiniSearch({ fields: ['title'] });
  const plainMs = await time(() => {
    plain = openPlain(tools);
  });
  const [ours, theirs] = await compare(opened.search, plain, makeGoals(goalCount, tools));
  const [indexed, searched] = await measureChanges(opened, tools);
  const ratios = [ours.p50 / theirs.p50, ours.p95 / theirs.p95].map((ratio) => ratio.toFixed(2));
  console.log(`${count.toLocaleString('en')} tools`);
  console.log(`  search, whole pipeline          ${show(ours)} (P50 / P95), slowest ${ours.max.toFixed(1)} ms`);
  console.log(`  plain MiniSearch                ${show(theirs)}`);
  console.log(`  ratio                           ${ratios.join(' / ')}`);
  console.log(`  one changed action              ${show(indexed)}; with the search after it ${show(searched)}`);
  console.log(`  plain MiniSearch, cold          ${plainMs.toFixed(0)} ms`);
}

/** Starts and memory, in processes of their own. */
function benchStarts(count: number, file: string): void {
  const cold = measureApart('cold', count, file);
  const warm = measureApart('warm', count, file);
  const ratio = (cold['index'] ?? 0) / (warm['index'] ?? 1);
  const memory = measureApart('memory', count, file);
  const parse = measureApart('parse', count, file);
  console.log(
    `  cold index                      ${figure(cold, 'index')} ms (besides: registry ${figure(cold, 'registry')}, reading the YAML ${figure(parse, 'parse')}); first search ${figure(cold, 'first')} ms`,
  );
  console.log(
    `  warm start from the snapshot    ${figure(warm, 'index')} ms, ${ratio.toFixed(1)} times as fast; first search ${figure(warm, 'first')} ms`,
  );
  console.log(
    `  snapshot                        ${(cold['size'] ?? 0).toFixed(1)} MB, written in ${figure(cold, 'write')} ms`,
  );
  console.log(
    `  memory over an empty process    ${figure(memory, 'held')} MB held, of which the index ${figure(memory, 'index')}; ${figure(memory, 'resident')} MB resident (${figure(memory, 'resources')} resources)`,
  );
}

async function main(): Promise<void> {
  const [flag, part = '', count = '0', file = ''] = process.argv.slice(2);
  if (flag === '--part') {
    console.log(JSON.stringify(await measurePart(part, Number(count), file)));
    return;
  }
  const given = process.argv.slice(2).map(Number).filter(Number.isInteger);
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, Node ${process.version}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'capability-snapshot-'));
  try {
    console.log(`glossary, first look-up ${(measureApart('glossary', 0, '')['load'] ?? 0).toFixed(1)} ms`);
    for (const size of given.length > 0 ? given : [1000, 10_000, 50_000]) {
      await benchSearches(size);
      benchStarts(size, path.join(folder, `${size}.txt`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();

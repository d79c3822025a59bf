/**
 * `npm run bench:search [-- COUNT …]`: the whole search over generated tools (1,000, 10,000 and 50,000 unless counts are given) beside plain
 * MiniSearch over the same texts and goals, asked in turn in the same run. Wants `node --expose-gc` for the memory.
 */
import MiniSearch from 'minisearch';
import { availableParallelism, loadavg } from 'node:os';
import { MeasuredSearch } from '../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions, type MemoryDefinition } from '../capabilities/memory-registry';
import type { ActionDefinition } from '../capabilities/models';
import { NodeClock } from '../capabilities/node/node-clock';
import { NodeDigest } from '../capabilities/node/node-digest';
import { makeGoals, makeTools } from './search-scale-tools';
import { summarize, time, type Summary } from './statistics';

const ports = { clock: new NodeClock(), digest: new NodeDigest(), logger: { log: () => undefined } };
const goalCount = 300;
const warmUp = 60;
/** At most so many changes, and no new one after so long. */
const changeCount = 40;
const changeBudgetMs = 5000;
const memoryCount = 10_000;
const megabyte = 1024 * 1024;

function asDefinition(definition: ActionDefinition): MemoryDefinition {
  return { id: definition.action_id, typed: { type: 'action', definition } };
}

interface Opened {
  readonly search: MeasuredSearch;
  readonly registry: ReturnType<typeof createMemoryRegistry>;
  readonly registerMs: number;
  readonly indexMs: number;
}

/** From parsed definitions to a search that can answer. */
async function open(tools: readonly ActionDefinition[]): Promise<Opened> {
  const registry = createMemoryRegistry(ports.digest);
  const registerMs = await time(() => {
    setDefinitions(registry, tools.map(asDefinition));
  });
  const search = new MeasuredSearch(registry, ports);
  const indexMs = await time(() => search.prepare());
  return { search, registry, registerMs, indexMs };
}

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

/** From a changed action to a search that knows it: indexing, and indexing with the search after it. */
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

const show = ({ p50, p95 }: Summary): string => `${p50.toFixed(2)} / ${p95.toFixed(2)} ms`;

async function benchCount(count: number): Promise<void> {
  const tools = makeTools(count);
  const opened = await open(tools);
  let plain = new MiniSearch({ fields: ['title'] });
  const plainMs = await time(() => {
    plain = openPlain(tools);
  });
  const [ours, theirs] = await compare(opened.search, plain, makeGoals(goalCount, tools));
  const [indexed, searched] = await measureChanges(opened, tools);
  const total = opened.registerMs + opened.indexMs;
  console.log(`${count.toLocaleString('en')} tools`);
  console.log(`  search, whole pipeline          ${show(ours)} (P50 / P95), slowest ${ours.max.toFixed(1)} ms`);
  console.log(`  plain MiniSearch                ${show(theirs)}`);
  const ratios = [ours.p50 / theirs.p50, ours.p95 / theirs.p95].map((ratio) => ratio.toFixed(2));
  console.log(`  ratio                           ${ratios.join(' / ')}`);
  console.log(
    `  cold index                      ${total.toFixed(0)} ms (registry ${opened.registerMs.toFixed(0)}, index ${opened.indexMs.toFixed(0)}); plain MiniSearch ${plainMs.toFixed(0)} ms`,
  );
  console.log(`  one changed action              ${show(indexed)}; with the search after it ${show(searched)}`);
}

/** What a registry and its index hold on to. Comes first, while the process is still empty. */
async function benchMemory(): Promise<void> {
  const collect = globalThis.gc;
  if (!collect) {
    console.log('Memory is not measured: start node with --expose-gc.');
    return;
  }
  const held = (): { readonly heap: number; readonly resident: number } => {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heap: (heapUsed + external) / megabyte, resident: rss / megabyte };
  };
  const before = held();
  const opened = await open(makeTools(memoryCount));
  await opened.search.trace({ query: 'list the overdue invoice' });
  const after = held();
  console.log(
    `memory of ${memoryCount.toLocaleString('en')} tools over the empty process: ${(after.heap - before.heap).toFixed(0)} MB held, ${(after.resident - before.resident).toFixed(0)} MB resident (${opened.registry.all().length} resources)`,
  );
}

async function main(): Promise<void> {
  const given = process.argv.slice(2).map(Number).filter(Number.isInteger);
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, Node ${process.version}`);
  await benchMemory();
  for (const count of given.length > 0 ? given : [1000, 10_000, 50_000]) await benchCount(count);
}

await main();

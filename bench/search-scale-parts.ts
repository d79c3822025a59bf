/** What is measured in a process of its own, where nothing is warm yet and the memory is empty. */
import { readFileSync, writeFileSync } from 'node:fs';
import { MeasuredSearch } from '../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions, type MemoryDefinition } from '../capabilities/memory-registry';
import type { ActionDefinition } from '../capabilities/models';
import { NodeClock } from '../capabilities/node/node-clock';
import { NodeDigest } from '../capabilities/node/node-digest';
import { isForbiddenVariable } from '../capabilities/execution/forbidden-environment';
import { parseDefinitionFile } from '../capabilities/registry/parse-definition-file';
import type { Registry } from '../capabilities/registry/registry';
import { SchemaCompiler } from '../capabilities/registry/schema-compiler';
import { readSnapshot, writeSnapshot } from '../capabilities/search/index/index-snapshot';
import { Glossary } from '../capabilities/search/lexicon/glossary';
import { makeTools } from './search-scale-tools';
import { time } from './statistics';

/** Figures by name: milliseconds or megabytes. */
export type Figures = Readonly<Record<string, number>>;

/** A registry with a search over it. */
export interface Opened {
  readonly search: MeasuredSearch;
  readonly registry: Registry;
}

const ports = { clock: new NodeClock(), digest: new NodeDigest(), logger: { log: () => undefined } };
const goal = 'list the overdue invoice';
const megabyte = 1024 * 1024;

/** A parsed definition, as a registry takes it. */
export function asDefinition(definition: ActionDefinition): MemoryDefinition {
  return { id: definition.action_id, typed: { type: 'action', definition } };
}

/** A registry of parsed definitions, with their resources made; nothing is indexed yet. */
export function register(tools: readonly ActionDefinition[]): Opened {
  const registry = createMemoryRegistry(ports.digest);
  setDefinitions(registry, tools.map(asDefinition));
  registry.all();
  return { registry, search: new MeasuredSearch(registry, ports) };
}

/** Indexes from the definitions alone, and stores the index. */
async function measureCold(count: number, file: string): Promise<Figures> {
  const tools = makeTools(count);
  let opened: Opened | undefined;
  const registry = await time(() => (opened = register(tools)));
  const index = await time(() => opened?.search.prepare());
  const first = await time(() => opened?.search.trace({ query: goal }));
  let text = '';
  const write = await time(async () => {
    const content = opened?.search.index.content();
    if (content) text = await writeSnapshot(content, ports.digest, () => Promise.resolve());
  });
  writeFileSync(file, text);
  return { registry, index, first, write, size: text.length / megabyte };
}

/** Indexes with what {@link measureCold} has stored. */
async function measureWarm(count: number, file: string): Promise<Figures> {
  const tools = makeTools(count);
  let opened: Opened | undefined;
  const registry = await time(() => (opened = register(tools)));
  const index = await time(async () => {
    const read = readSnapshot(readFileSync(file, 'utf8'), ports.digest);
    if (read.ok) opened?.search.index.offer(read.value);
    await opened?.search.prepare();
  });
  const first = await time(() => opened?.search.trace({ query: goal }));
  if (opened?.search.index.takenOver !== opened?.search.index.size) throw new Error('The stored index was not used.');
  return { registry, index, first };
}

/** What a registry and its index hold on to, over the process as it was before. */
async function measureMemory(count: number): Promise<Figures> {
  const collect = globalThis.gc;
  if (!collect) throw new Error('Start node with --expose-gc.');
  const held = (): { readonly heap: number; readonly resident: number } => {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heap: (heapUsed + external) / megabyte, resident: rss / megabyte };
  };
  const before = held();
  let opened: Opened | undefined = register(makeTools(count));
  const definitions = held();
  await opened.search.prepare();
  await opened.search.trace({ query: goal });
  const after = held();
  const resources = opened.registry.all().length;
  opened = undefined;
  return {
    held: after.heap - before.heap,
    index: after.heap - definitions.heap,
    resident: after.resident - before.resident,
    resources,
  };
}

/** From nothing to the first look-up in the built-in glossary. */
async function measureGlossary(): Promise<Figures> {
  return { load: await time(() => new Glossary().translations('restart')) };
}

/** From YAML to definitions, one file for each. */
async function measureParse(count: number): Promise<Figures> {
  const texts = makeTools(count).map((tool) => JSON.stringify({ resource_type: 'action', ...tool }));
  const rules = { schemas: new SchemaCompiler(), isForbiddenVariable };
  let broken = 0;
  const parse = await time(() => {
    for (const text of texts) if (!parseDefinitionFile(text, rules).definitions[0]?.typed) broken += 1;
  });
  if (broken > 0) throw new Error(`${broken} of the generated definitions have errors.`);
  return { parse };
}

/** Runs one part by its name. */
export function measurePart(part: string, count: number, file: string): Promise<Figures> {
  switch (part) {
    case 'cold':
      return measureCold(count, file);
    case 'warm':
      return measureWarm(count, file);
    case 'memory':
      return measureMemory(count);
    case 'glossary':
      return measureGlossary();
    case 'parse':
      return measureParse(count);
    default:
      throw new Error(`There is no part "${part}".`);
  }
}

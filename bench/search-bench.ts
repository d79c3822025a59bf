import MiniSearch from 'minisearch';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine } from '../capabilities/engine';
import { localizeInEnglish } from '../capabilities/execution/confirmation-messages';
import type { RuntimeContext } from '../capabilities/models';
import { nodePaths } from '../capabilities/node/node-paths';
import { createNodePorts } from '../capabilities/node/node-ports';
import { makeScopes } from '../capabilities/scopes';
import { generateActions, generateQueries } from './generated-actions';
import { showSummary, summarize, time } from './statistics';
import { NobodyThere } from '../test/unit/nobody-there';

const context: RuntimeContext = {
  host: 'cli',
  sessionId: 'bench',
  principals: ['user'],
  os: 'linux',
  workspaceTrusted: true,
  featureFlags: new Set(),
};
const options = { signal: new AbortController().signal };
const queryCount = 400;

/** Cold index and search over `count` generated actions, beside plain MiniSearch over the same texts. */
export async function benchSearch(count: number): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'capability-bench-'));
  try {
    const folder = path.join(root, '.capabilities');
    await mkdir(folder);
    for (const file of generateActions(count)) await writeFile(path.join(folder, file.name), file.text);
    const logger = { log: () => undefined };
    const confirmer = new NobodyThere();
    const engine = new Engine({ ...createNodePorts(), logger, confirmer, localize: localizeInEnglish });
    const scopes = makeScopes([{ name: 'bench', path: root }], [], nodePaths);
    const cold = await time(() => engine.load(scopes));
    console.log(`cold index of ${count} actions (read, parse, check, index): ${cold.toFixed(0)} ms`);
    const ours = await measure((query) => engine.search({ query }, context, options));
    console.log(`search over ${count} actions: ${showSummary(ours)}`);
    const plain = plainMiniSearch(engine);
    const theirs = await measure((query) => plain.search(query));
    console.log(`plain MiniSearch, same texts and queries: ${showSummary(theirs)}`);
    console.log(
      `ratio (ours / plain): P50 ${(ours.p50 / theirs.p50).toFixed(1)}, P95 ${(ours.p95 / theirs.p95).toFixed(1)}`,
    );
    const changed = path.join(folder, 'generated-00000.yaml');
    const changes: number[] = [];
    for (let round = 1; round <= 30; round += 1) {
      await writeFile(changed, generateActions(20)[0]?.text.replaceAll('version: 1', `version: ${round + 1}`) ?? '');
      changes.push(
        await time(async () => {
          await engine.refresh(changed);
          await engine.search({ query: 'list invoice billing' }, context, options);
        }),
      );
    }
    console.log(`one changed file of 20 actions, re-indexed and searched: ${showSummary(summarize(changes))}`);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** One warm-up round, then each query once. */
async function measure(search: (query: string) => unknown): Promise<ReturnType<typeof summarize>> {
  const queries = generateQueries(queryCount);
  for (const query of queries.slice(0, 100)) await search(query);
  const durations: number[] = [];
  for (const query of queries) durations.push(await time(() => search(query)));
  return summarize(durations);
}

function plainMiniSearch(engine: Engine): MiniSearch {
  const plain = new MiniSearch({ fields: ['id', 'title', 'summary', 'aliases', 'when'], idField: 'key' });
  plain.addAll(
    engine.registry.all().map(({ key, id, definition }) => ({
      key,
      id,
      title: definition.title,
      summary: definition.summary,
      aliases: (definition.aliases ?? []).join(' '),
      when: (definition.when_to_use ?? []).join(' '),
    })),
  );
  return plain;
}

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../capabilities/engine';
import { localizeInEnglish } from '../../capabilities/execution/confirmation-messages';
import type { ErrorReply, RuntimeContext, SearchReply } from '../../capabilities/models';
import { NodeDataStore } from '../../capabilities/node/node-data-store';
import { nodePaths } from '../../capabilities/node/node-paths';
import { createNodePorts } from '../../capabilities/node/node-ports';
import { makeScopes } from '../../capabilities/scopes';
import { EncoderEmbedder } from '../../capabilities/search/semantic/encoder-embedder';
import { createTools, type Tools } from '../../capabilities/tools/all-tools';
import { NobodyThere } from './nobody-there';

// The whole engine over the example workspace: the searches the product is measured by.
let folder: string;
let tools: Tools;
let sessions = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capability-engine-'));
  const engine = new Engine({
    ...createNodePorts(),
    store: new NodeDataStore(folder),
    logger: { log: () => undefined },
    confirmer: new NobodyThere(),
    localize: localizeInEnglish,
  });
  await engine.load(makeScopes([{ name: 'workspace', path: path.resolve('examples/workspace') }], [], nodePaths));
  const embedder = new EncoderEmbedder(readFileSync('assets/sentence-encoder.bin'));
  engine.useEmbedder({ embedder, reads: 'english' });
  await engine.prepareMeaning(60_000);
  tools = createTools(engine);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A fresh session each time, so that no search is shaped by the one before. */
function newContext(): RuntimeContext {
  sessions += 1;
  return {
    host: 'cli',
    sessionId: `session-${sessions}`,
    principals: ['agent'],
    os: 'linux',
    workspaceTrusted: true,
    featureFlags: new Set(),
  };
}

const options = { signal: new AbortController().signal };

async function search(input: object): Promise<SearchReply> {
  const reply: SearchReply | ErrorReply = await tools.search.execute(input, newContext(), options);
  if ('code' in reply) throw new Error(reply.message);
  return reply;
}

const idsOf = (reply: SearchReply): readonly string[] => reply.matches.map((match) => match.resource_id);

const schemas = ['common.schema.json', 'tools/search-reply.schema.json'].map(
  (name) => JSON.parse(readFileSync(path.join('schemas', name), 'utf8')) as object,
);
const ajv = new Ajv({ schemas, allowUnionTypes: true, strictTypes: false });

describe('the symptom of the architecture document', () => {
  test.each([
    '刚更新了 Codex，但 codex --version 还是旧版本，先检查原因，不要直接重装',
    "I just updated Codex but codex --version still shows the old version; find the cause first, don't reinstall",
  ])('%s: confident, diagnose first, nothing forbidden above the repair', async (query) => {
    const reply = await search({ query, limit: 10 });
    expect(reply.resolution).toBe('confident');
    expect(idsOf(reply)[0]).toBe('maintenance.codex.diagnose');
    const narrow = idsOf(await search({ query, within: 'maintenance.codex', limit: 10 }));
    expect(narrow[0]).toBe('maintenance.codex.diagnose');
    const [repair, update] = [
      narrow.indexOf('maintenance.codex.path_repair'),
      narrow.indexOf('maintenance.codex.update'),
    ];
    expect(repair).toBeGreaterThan(0);
    expect(update === -1 || update > repair).toBe(true);
    expect(idsOf(reply)).not.toContain('maintenance.codex.update');
  });
});

test.each(['帮我处理一下开发环境', 'help me with my dev environment'])(
  '%s: ambiguous, with packs and advice',
  async (query) => {
    const reply = await search({ query });
    expect(reply.resolution).toBe('ambiguous');
    expect(reply.matches.filter((match) => match.resource_type === 'pack').length).toBeGreaterThanOrEqual(3);
    expect(reply.advice).toMatch(/ask the user/);
  },
);

test.each([
  'Codex 维护相关能力有哪些？',
  'Which Codex maintenance capabilities are there?',
  'What can you do about Codex maintenance?',
])("%s: the pack's children", async (query) => {
  const reply = await search({ query });
  expect(reply).toMatchObject({ resolution: 'confident', scope: 'maintenance.codex' });
  expect(reply.matches).toHaveLength(5);
  expect(idsOf(reply).every((id) => id.startsWith('maintenance.codex.'))).toBe(true);
});

test.each(['maintenance.codex.diagnose', 'please run maintenance.codex.diagnose', '运行 maintenance.codex.diagnose'])(
  '%s: the named action first',
  async (query) => {
    const reply = await search({ query });
    expect(reply.resolution).toBe('confident');
    expect(idsOf(reply)[0]).toBe('maintenance.codex.diagnose');
  },
);

test('every resource is first when its id is the query, whatever it advises against', async () => {
  const listed = await tools.list.execute({ depth: 3, limit: 50 }, newContext(), options);
  if ('code' in listed) throw new Error(listed.message);
  const next = { depth: 3, limit: 50, cursor: listed.next_cursor };
  const second = await tools.list.execute(next, newContext(), options);
  if ('code' in second) throw new Error(second.message);
  const ids = [...listed.children, ...second.children].map((child) => child.resource_id);
  expect(ids.length).toBe(listed.total_count);
  const firsts = await Promise.all(ids.map(async (id) => idsOf(await search({ query: id }))[0]));
  expect(firsts).toEqual(ids);
});

test.each(['what capabilities are registered here?', '你都能做些什么', 'what can you do?'])(
  '%s: the packs at the top',
  async (query) => {
    const reply = await search({ query });
    expect(reply.resolution).toBe('confident');
    expect(idsOf(reply)).toEqual(['git', 'maintenance', 'myapp', 'workspace']);
  },
);

test.each(['book a flight to Mars', '预订去火星的机票', 'compose a symphony for strings', '给我讲个笑话'])(
  '%s: no confident match, and advice not to rephrase',
  async (query) => {
    const reply = await search({ query });
    expect(reply.resolution, JSON.stringify(reply)).toBe('no_confident_match');
    expect(reply.advice).toMatch(/do not rephrase/);
  },
);

test.each([
  'покажи мой портфель',
  '私のポートフォリオを見せて',
  '👍👍👍',
  'x',
  'the of and',
  '的 了 吗',
  'a'.repeat(10_000),
])('%j is never answered by silence', async (query) => {
  const reply = await search({ query });
  expect(reply.matches.length > 0 || (reply.advice ?? '') !== '').toBe(true);
});

test('no reply holds a schema, each fits its contract, and five matches cost at most 700 tokens', async () => {
  for (const query of [
    'Codex 更新后还是旧版本',
    'list meetings of this week',
    'which files are large',
    'clean untracked files',
    '创建一个会议',
    'docker disk usage',
    'virtual environment broken',
  ]) {
    const reply = await search({ query, limit: 5 });
    const text = JSON.stringify(reply);
    expect(text).not.toMatch(/arguments_schema|"properties"/);
    expect(encode(text).length).toBeLessThanOrEqual(700);
    expect(ajv.validate('search-reply.schema.json', reply), JSON.stringify(ajv.errors)).toBe(true);
  }
});

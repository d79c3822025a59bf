import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Engine } from '../../capabilities/engine';
import { localizeInEnglish } from '../../capabilities/execution/confirmation-messages';
import type { RuntimeContext } from '../../capabilities/models';
import { NodeDataStore } from '../../capabilities/node/node-data-store';
import { nodePaths } from '../../capabilities/node/node-paths';
import { createNodePorts } from '../../capabilities/node/node-ports';
import { makeScopes } from '../../capabilities/scopes';

// The whole engine over the example workspace: what is put on record comes back as history.
const root = path.resolve('examples/workspace');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capability-history-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(): Promise<Engine> {
  const engine = new Engine({
    ...createNodePorts(),
    store: new NodeDataStore(folder),
    logger: { log: () => undefined },
    confirmer: {
      confirm: () => Promise.resolve('declined'),
      approvePack: () => Promise.resolve('approved'),
    },
    localize: localizeInEnglish,
  });
  await engine.load(makeScopes([{ name: 'workspace', path: root }], [], nodePaths));
  return engine;
}

const context: RuntimeContext = {
  host: 'cli',
  sessionId: 'session',
  principals: ['agent'],
  os: 'linux',
  workspaceTrusted: true,
  featureFlags: new Set(),
};
const options = { signal: new AbortController().signal };
const secret = 'hunter2-Zq81-correct-horse';

async function useIt(engine: Engine): Promise<void> {
  await engine.search(
    { query: `codex --version still shows the old version, my password is ${secret}` },
    context,
    options,
  );
  await engine.describe({ resource_id: 'maintenance.codex.diagnose' }, context);
  await engine.run({ action_id: 'maintenance.codex.diagnose', arguments: {} }, context, options);
  await engine.run({ action_id: 'maintenance.codex.path_repair', arguments: { shells: ['bash'] } }, context, options);
}

test('uses are kept with the known words of the goal and nothing else of it', async () => {
  const engine = await open();
  await useIt(engine);
  const uses = await engine.history.usesOf(root);
  expect(uses.map(({ id, outcome }) => [id.split('.').at(-1), outcome])).toEqual([
    ['diagnose', 'described'],
    ['diagnose', 'succeeded'],
    ['path_repair', 'declined'],
  ]);
  expect(uses[0]?.goal).toContain('codex');
  const [file] = await readdir(path.join(folder, 'history'));
  const text = await readFile(path.join(folder, 'history', file ?? ''), 'utf8');
  expect(text).not.toMatch(/hunter2|zq81|bash/i);
});

test('lost, it is made from the audit log again; cleared, it is not', async () => {
  await useIt(await open());
  await rm(path.join(folder, 'history'), { recursive: true });
  const later = await open();
  const outcomes = (await later.history.usesOf(root)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['described', 'succeeded', 'declined']);
  await later.history.clear([root]);
  expect(await (await open()).history.usesOf(root)).toEqual([]);
  expect((await later.verifyAudit()).isIntact).toBe(true);
});

test('a corrupt history makes no search fail', async () => {
  const engine = await open();
  await useIt(engine);
  const [file] = await readdir(path.join(folder, 'history'));
  await rm(path.join(folder, 'history', file ?? ''));
  await new NodeDataStore(folder).write(`history/${file ?? ''}`, '\u0000{"history":1}\n\n[]');
  const reply = await (await open()).search({ query: 'fix the PATH of codex' }, context, options);
  expect(reply.search_meta.partial).toBe(false);
  expect(reply.matches.length).toBeGreaterThan(0);
});

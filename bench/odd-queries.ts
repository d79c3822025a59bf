/**
 * How long odd queries take over the example workspace, warm, with the offline search by meaning: very long ones, emoji, one letter, only
 * stop words, other scripts, a list of names. Each is asked `ROUNDS` times.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine } from '../capabilities/engine';
import { localizeInEnglish } from '../capabilities/execution/confirmation-messages';
import type { RuntimeContext } from '../capabilities/models';
import { NodeDataStore } from '../capabilities/node/node-data-store';
import { nodePaths } from '../capabilities/node/node-paths';
import { createNodePorts } from '../capabilities/node/node-ports';
import { makeScopes } from '../capabilities/scopes';
import { EncoderEmbedder } from '../capabilities/search/semantic/encoder-embedder';
import { showSummary, summarize, time } from './statistics';
import { NobodyThere } from '../test/unit/nobody-there';

const ROUNDS = 40;
const LONGEST = 10_000;
const root = path.resolve(process.argv[2] ?? 'examples/workspace');
const context: RuntimeContext = {
  ...{ host: 'cli', sessionId: 'bench', principals: ['user'], os: 'linux', workspaceTrusted: true },
  featureFlags: new Set(),
};
const english = 'the build fails with a strange message after I upgraded node and now npm install hangs for minutes; ';
const chinese = '升级以后构建失败，终端里提示找不到命令，我想先检查一下环境再决定要不要重装，谢谢；';
const repeated = (text: string): string => text.repeat(Math.ceil(LONGEST / text.length)).slice(0, LONGEST);
const queries: Readonly<Record<string, string>> = {
  '10,000 characters, English': repeated(english),
  '10,000 characters, Chinese': repeated(chinese),
  '10,000 characters, one word': 'x'.repeat(LONGEST),
  '10,000 characters, ids': repeated('maintenance.npm.cache_verify git.status unknown.thing_here '),
  '10,000 characters, emoji': repeated('🎉🚀'),
  emoji: '🎉🎉🎉',
  'one letter': 'a',
  'stop words': 'the of and to a in is it',
  'stop words, Chinese': '的 了 吗 呢 吧',
  Russian: 'покажи мой портфель',
  Arabic: 'أظهر حالة المستودع',
  Thai: 'แสดงสถานะของโปรเจกต์',
  names: 'git_status container_logs list_global cache_verify find_conflicts',
};

const folder = await mkdtemp(path.join(tmpdir(), 'capability-bench-'));
const engine = new Engine({
  ...createNodePorts(),
  store: new NodeDataStore(folder),
  logger: { log: () => undefined },
  confirmer: new NobodyThere(),
  localize: localizeInEnglish,
});
await engine.load(makeScopes([{ name: 'bench', path: root }], [], nodePaths));
const embedder = new EncoderEmbedder(await readFile(path.resolve('assets/sentence-encoder.bin')));
engine.useEmbedder({ embedder, reads: 'english' });
await engine.prepareMeaning(60_000);
let sessions = 0;
const search = (query: string) => {
  sessions += 1;
  const session = { ...context, sessionId: `bench-${sessions}` };
  return engine.search({ query }, session, { signal: new AbortController().signal });
};
for (let round = 0; round < 60; round += 1) await search(`warm up ${round}: ${round % 2 ? english : chinese}`);
for (const [name, query] of Object.entries(queries)) {
  const durations: number[] = [];
  let last = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    durations.push(
      await time(async () => {
        const reply = await search(query);
        last = `${reply.resolution}, ${reply.matches.length} matches`;
      }),
    );
  }
  console.log(`${name.padEnd(30)} ${showSummary(summarize(durations))}  ${last}`);
}
await rm(folder, { recursive: true, force: true });

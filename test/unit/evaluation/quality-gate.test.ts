import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import floors from '../../../capabilities/evaluation/quality-floors.json';
import type { LoadedSample, SampleProblem } from '../../../capabilities/evaluation/sample-loader';
import type { SampleScores } from '../../../capabilities/evaluation/sample-scores';
import { isForbiddenVariable } from '../../../capabilities/execution/forbidden-environment';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { nodePaths } from '../../../capabilities/node/node-paths';
import { Indexer } from '../../../capabilities/registry/indexer';
import { Registry } from '../../../capabilities/registry/registry';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';
import { makeScopes } from '../../../capabilities/scopes';
import { EncoderEmbedder } from '../../../capabilities/search/semantic/encoder-embedder';
import { evaluateSamples, openSamples } from '../../../cli/evaluation/sample-evaluation';

// The own samples over the example workspace. The floors stand in capabilities/evaluation/quality-floors.json.
const root = path.resolve('examples/workspace');
const logger = { log: () => undefined };
let registry: Registry;
let samples: readonly LoadedSample[];
let problems: readonly SampleProblem[];
let scores: SampleScores;

beforeAll(async () => {
  registry = new Registry(new NodeDigest());
  const rules = { schemas: new SchemaCompiler(), isForbiddenVariable };
  const indexer = new Indexer({ registry, fileSystem: new NodeFileSystem(), logger, rules });
  await indexer.load(makeScopes([{ name: 'workspace', path: root }], [], nodePaths));
  ({ samples, problems } = openSamples(root, registry));
  const embedder = new EncoderEmbedder(await readFile('assets/sentence-encoder.bin'));
  const store = { load: () => Promise.resolve(new Map()), save: () => Promise.resolve() };
  const meaning = { choice: { embedder, reads: 'english' as const }, store };
  const ports = { clock: new NodeClock(), digest: new NodeDigest(), logger, meaning };
  ({ scores } = await evaluateSamples(samples, registry, { ports }));
}, 120_000);

test('every sample file is sound and names what is there', () => {
  expect(problems).toEqual([]);
});

test('there are enough samples, in both languages, of every kind, and of goals that nothing serves', () => {
  const count = (fits: (query: string, sample: LoadedSample['sample']) => boolean): number =>
    samples.filter(({ sample }) => fits(sample.query, sample)).length;
  expect(samples.length).toBeGreaterThanOrEqual(150);
  expect(count((query) => /\p{Script=Han}/u.test(query))).toBeGreaterThanOrEqual(70);
  expect(count((query) => !/\p{Script=Han}/u.test(query))).toBeGreaterThanOrEqual(70);
  expect(count((_, sample) => sample.expected_resolution === 'no_confident_match')).toBeGreaterThanOrEqual(30);
  const kinds = ['symptom', 'goal', 'constraint', 'prohibition', 'ambiguous', 'browse', 'id', 'workflow', 'nothing'];
  for (const kind of kinds)
    expect(
      count((_, sample) => sample.kind === kind),
      kind,
    ).toBeGreaterThanOrEqual(5);
});

test('no sample asks in the very words of a definition, except those that name an id', () => {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const authored = registry.all().flatMap((resource) => {
    const { title, aliases = [], when_to_use: use = [], symptoms = [] } = resource.definition;
    const examples = resource.type === 'action' ? (resource.definition.examples ?? []) : [];
    return [title, ...aliases, ...use, ...symptoms, ...examples.map(({ goal }) => goal ?? '')];
  });
  const words = new Set(authored.map(plain));
  const copied = samples.filter(({ sample }) => sample.kind !== 'id' && words.has(plain(sample.query)));
  expect(copied.map(({ sample }) => sample.query)).toEqual([]);
});

describe('the search is at least as good as the floors say', () => {
  test.each(Object.entries(floors.at_least))('%s ≥ %d', (measure, floor) => {
    expect(scores[measure as keyof SampleScores]).toBeGreaterThanOrEqual(floor);
  });

  test.each(Object.entries(floors.at_most))('%s ≤ %d', (measure, ceiling) => {
    expect(scores[measure as keyof SampleScores]).toBeLessThanOrEqual(ceiling);
  });
});

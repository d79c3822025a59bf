/**
 * Measures the semantic retriever: quality with and without it on plain datasets, fused by score as the search does, and its costs.
 * Usage: node bundle FOLDER_OF_SETS [--queries N] [--cache FOLDER]. Nothing is tuned here.
 */
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toPlainActions } from '../capabilities/evaluation/plain-actions';
import { parsePlainDataset, sampleQueries } from '../capabilities/evaluation/plain-dataset';
import { percentile, rateRanking } from '../capabilities/evaluation/ranking-metrics';
import { NodeClock } from '../capabilities/node/node-clock';
import { NodeDataStore } from '../capabilities/node/node-data-store';
import { Lexicon } from '../capabilities/search/lexicon/lexicon';
import { QueryNormalizer } from '../capabilities/search/query-normalizer';
import { SemanticRetriever } from '../capabilities/search/retrievers/semantic';
import { SearchIndex } from '../capabilities/search/search-index';
import { DEFAULT_SEARCH_WEIGHTS } from '../capabilities/search/search-weights';
import { EncoderEmbedder } from '../capabilities/search/semantic/encoder-embedder';
import { MeaningText } from '../capabilities/search/semantic/meaning-text';
import { SemanticIndex } from '../capabilities/search/semantic/semantic-index';
import { VectorArchive } from '../capabilities/search/semantic/vector-archive';
import { DIGEST, LOGGER, MemoryRegistry } from '../test/unit/search/memory-registry';

const LAMBDAS = [0, 0.2, 0.35, 0.5];
const HITS = 100;
const clock = new NodeClock();
const lexicon = new Lexicon();
const texts = new MeaningText(lexicon);
const { signal } = new AbortController();

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function readSet(folder: string) {
  const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');
  const parsed = parsePlainDataset(path.basename(folder), {
    tools: await read('tools.jsonl'),
    queries: await read('queries.jsonl'),
  });
  if (!parsed.ok) throw new Error(parsed.problem.join('\n'));
  return parsed.value;
}

async function measure(folder: string, embedder: EncoderEmbedder, store: VectorArchive): Promise<readonly number[]> {
  const set = await readSet(folder);
  const actions = toPlainActions(set.tools);
  const registry = new MemoryRegistry(actions.map(({ definition }) => definition));
  const keys = new Map(actions.map(({ toolId, actionId }) => [toolId, `demo:${actionId}`]));
  const lexical = new SearchIndex(registry, lexicon, DEFAULT_SEARCH_WEIGHTS);
  const normalizer = new QueryNormalizer(registry, lexical, lexicon);
  const index = new SemanticIndex({ registry, embedder, store, texts, clock, digest: DIGEST, logger: LOGGER });
  const retriever = new SemanticRetriever({ registry, index, embedder, texts });
  lexical.refresh();
  const before = process.cpuUsage();
  index.refresh();
  await index.settled();
  const perText = process.cpuUsage(before).user / 1000 / index.status.total;
  const ratings = LAMBDAS.map(() => ({ ndcg: 0, r5: 0 }));
  const durations: number[] = [];
  const queries = sampleQueries(set.queries, Number(option('--queries') ?? set.queries.length));
  for (const { query: text, relevant } of queries) {
    const query = normalizer.normalize({ query: text, within: undefined, isVisible: () => true });
    const isAction = (key: string): boolean => registry.get(key)?.type === 'action';
    const terms = { text: query.terms.join(' '), terms: query.terms, expansions: query.expansions };
    const words = lexical.search(terms, isAction, HITS);
    const started = process.cpuUsage();
    const admits = ({ type }: { readonly type: string }): boolean => type === 'action';
    const meanings = await retriever.retrieve({ query, admits, limit: HITS, signal });
    durations.push(process.cpuUsage(started).user / 1000);
    const wanted = relevant.map((id) => keys.get(id) ?? '');
    for (const [at, lambda] of LAMBDAS.entries()) {
      const fused = new Map(words.map(({ key, score }) => [key, score / (words[0]?.score ?? 1)]));
      if (lambda > 0)
        for (const { key, score } of meanings) fused.set(key, (fused.get(key) ?? 0) + lambda * (score ?? 0));
      const ranking = [...fused].sort(([, left], [, right]) => right - left).map(([key]) => key);
      const { ndcg10, r5 } = rateRanking(ranking, wanted);
      ratings[at]!.ndcg += (100 * ndcg10) / queries.length;
      ratings[at]!.r5 += (100 * r5) / queries.length;
    }
  }
  const shown = ratings.map(({ ndcg, r5 }) => `${ndcg.toFixed(1)} (${r5.toFixed(1)})`.padEnd(13)).join(' ');
  const costs = `query P50 ${percentile(durations, 0.5).toFixed(1)} P95 ${percentile(durations, 0.95).toFixed(1)} ms CPU, ${perText.toFixed(1)} ms CPU a text to index`;
  console.log(`${set.name.padEnd(18)} ${shown} ${costs}`);
  return ratings.map(({ ndcg }) => ndcg);
}

const root = process.argv[2] ?? '../shared/retrieval-eval';
const cache = option('--cache') ?? (await mkdtemp(path.join(tmpdir(), 'capability-vectors-')));
const archive = new VectorArchive(new NodeDataStore(cache), { digest: DIGEST, clock });
const encoder = new EncoderEmbedder(await readFile(path.resolve('assets/sentence-encoder.bin')));
console.log(`NDCG@10 (R@5) at lambda ${LAMBDAS.join(', ')}`);
const rows: (readonly [string, readonly number[]])[] = [];
for (const entry of (await readdir(root, { withFileTypes: true })).filter((each) => each.isDirectory())) {
  const files = await readdir(path.join(root, entry.name));
  if (files.includes('queries.jsonl'))
    rows.push([entry.name, await measure(path.join(root, entry.name), encoder, archive)]);
}
const groups: Readonly<Record<string, RegExp>> = { english: /^(?!.*zh)/u, chinese: /-zh$/u, zh2en: /zh2en$/u };
for (const [group, pattern] of Object.entries(groups)) {
  const members = rows.filter(([name]) => pattern.test(name)).map(([, values]) => values);
  const means = LAMBDAS.map((_, at) => members.reduce((sum, values) => sum + values[at]!, 0) / members.length);
  console.log(`${group.padEnd(18)} ${means.map((mean) => mean.toFixed(1)).join('  ')}`);
}

import { randomUUID, createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MeasuredSearch } from '../../../capabilities/measured-search';
import { createMemoryRegistry, setDefinitions } from '../../../capabilities/memory-registry';
import type { ActionDefinition, SearchTrace } from '../../../capabilities/models';
import { withOverrides } from '../../../capabilities/evaluation/tuning/tunable-weights';
import { ALL_ON, SEARCH_PARTS, type SearchPart } from '../../../capabilities/search/search-switches';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';
import { LOGGER, ManualClock } from '../search/memory-registry';

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  randomId: () => randomUUID().replaceAll('-', ''),
};
const ports = { clock: new ManualClock(), digest, logger: LOGGER };

function action(id: string, given: Partial<ActionDefinition> = {}): ActionDefinition {
  return {
    ...{ action_id: id, version: 1, title: id, summary: id, arguments_schema: { type: 'object' } },
    ...{ handler: { type: 'command', argv: ['true'] }, side_effect: 'R', risk_level: 'low' },
    ...given,
  };
}

const definitions = [
  action('disk.measure', {
    title: 'Measure the disk',
    summary: 'Measures how much space is used.',
    arguments_schema: { type: 'object', properties: { mountpoint: { description: 'Where the volume is mounted.' } } },
  }),
  action('disk.clean', {
    title: 'Clean the disk',
    summary: 'Deletes what is not needed on the disk.',
    intents: ['clean', 'delete'],
    side_effect: 'I',
    risk_level: 'high',
  }),
  action('disk.report', {
    title: 'Report on the disk',
    summary: 'Writes a report about the disk.',
    intents: ['inspect'],
  }),
  action('mail.send', { title: 'Send a message', summary: 'Sends mail.', required_executors: ['sendmail'] }),
];

async function open(...off: readonly SearchPart[]): Promise<MeasuredSearch> {
  const registry = createMemoryRegistry(digest);
  setDefinitions(
    registry,
    definitions.map((definition) => ({ id: definition.action_id, typed: { type: 'action', definition } })),
  );
  const search = new MeasuredSearch(registry, ports, { off: new Set(off) });
  await search.prepare();
  return search;
}

const idsOf = ({ ranking }: SearchTrace): readonly string[] => ranking.map(({ resource }) => resource.id);

test('the order goes on below the page, each resource once, the reply’s first', async () => {
  const search = await open();
  const trace = await search.trace({ query: 'how much space is used on the disk', limit: 1 });
  expect(trace.reply.matches).toHaveLength(1);
  expect(trace.ranking.length).toBeGreaterThan(1);
  expect(idsOf(trace)[0]).toBe(trace.reply.matches[0]?.resource_id);
  expect(new Set(idsOf(trace)).size).toBe(trace.ranking.length);
});

describe('parts that are switched off', () => {
  test.each(SEARCH_PARTS)('without %s a search still answers', async (part) => {
    const search = await open(part);
    const trace = await search.trace({ query: 'clean the disk, do not touch mail.send' });
    expect(trace.reply.search_meta.planned_retrievers).not.toContain(part);
    expect(trace.reply.matches.length + (trace.reply.advice ?? '').length).toBeGreaterThan(0);
  });

  test('without arguments their descriptions find nothing', async () => {
    const query = 'mountpoint';
    expect(idsOf(await (await open()).trace({ query }))).toContain('disk.measure');
    expect(idsOf(await (await open('arguments', 'semantic')).trace({ query }))).not.toContain('disk.measure');
  });

  test('without prohibitions what is forbidden may come first', async () => {
    const query = "don't clean the disk";
    const guarded = await (await open()).trace({ query });
    expect(guarded.query.forbiddenIntents).toContain('clean');
    expect((await (await open('prohibitions')).trace({ query })).query.forbiddenIntents).toEqual([]);
  });

  test('without packs none is returned', async () => {
    const trace = await (await open('packs')).trace({ query: 'disk' });
    expect(trace.ranking.every(({ resource }) => resource.type !== 'pack')).toBe(true);
  });
});

test('circumstances hide resources and take programs away, for that search only', async () => {
  const search = await open();
  const query = 'send mail';
  const hidden = new Set(['memory:mail.send']);
  expect(idsOf(await search.trace({ query }, { hidden }))).not.toContain('mail.send');
  const without = await search.trace({ query }, { missingExecutors: new Set(['sendmail']) });
  expect(without.reply.matches[0]).toMatchObject({ resource_id: 'mail.send', availability: 'missing_executor' });
  const plain = await search.trace({ query });
  expect(plain.reply.matches[0]).toMatchObject({ resource_id: 'mail.send', availability: 'available' });
});

test('a definition that is set again takes the place of the one before', () => {
  const registry = createMemoryRegistry(digest);
  const set = (title: string): void => {
    const definition = action('one.thing', { title });
    setDefinitions(registry, [{ id: 'one.thing', typed: { type: 'action', definition } }]);
  };
  set('Old');
  set('New');
  expect(registry.all().map(({ definition }) => definition.title)).toContain('New');
  expect(registry.all().map(({ definition }) => definition.title)).not.toContain('Old');
});

test('searches with other weights take over what was worked out, and rank as if they had not', async () => {
  const registry = createMemoryRegistry(digest);
  setDefinitions(
    registry,
    definitions.map((definition) => ({ id: definition.action_id, typed: { type: 'action', definition } })),
  );
  const weights = withOverrides(DEFAULT_SEARCH_WEIGHTS, { 'lexical.fields.summary.weight': 6, 'rerank.text': 1 });
  const base = new MeasuredSearch(registry, ports);
  await base.prepare();
  await base.share();
  for (let trial = 0; trial < 2; trial += 1) {
    const shared = new MeasuredSearch(registry, ports, ALL_ON, { weights, from: base });
    const fresh = new MeasuredSearch(registry, ports, ALL_ON, { weights });
    await shared.prepare();
    await fresh.prepare();
    expect(shared.index.takenOver).toBe(base.index.size);
    for (const query of ['how much space is used on the disk', 'clean', 'report']) {
      const scores = ({ ranking }: SearchTrace) => ranking.map(({ resource, score }) => [resource.id, score]);
      expect(scores(await shared.trace({ query }))).toEqual(scores(await fresh.trace({ query })));
    }
  }
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../../../capabilities/models';
import { NameTable } from '../../../../capabilities/search/index/name-table';
import { PhraseTrie } from '../../../../capabilities/search/language/phrase-trie';
import { unitSurfaces } from '../../../../capabilities/search/language/text-units';
import { MemoryRegistry } from '../memory-registry';

const segment = fc.constantFrom('log', 'logs', 'show_log', 'a-b', 'x2');
const title = fc.constantFrom('Show log', 'log', '查看 日志', 'a b', '');
const sketches = fc.uniqueArray(
  fc.record({
    action_id: fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('.')),
    title,
    aliases: fc.array(title, { maxLength: 2 }),
  }),
  { selector: ({ action_id: id }) => id, maxLength: 8 },
);
const text = fc
  .array(fc.constantFrom('demo', 'log', 'logs', 'show', 'a', 'b', 'x2', '查', '看', '日', '志'))
  .map((units) => units);

/** The same by a trie of everything that each resource is called by. */
function naively(resources: readonly Resource[], units: readonly string[]): unknown {
  const trie = new PhraseTrie<string>();
  for (const { id, key, definition } of resources) {
    const segments = id.split('.');
    trie.add(unitSurfaces(id), `${key} id`);
    trie.add(unitSurfaces(key), `${key} id`);
    if (segments.length > 1) trie.add(unitSurfaces(segments.at(-1) ?? ''), `${key} tail`);
    if (segments.length > 2) trie.add(unitSurfaces(segments.slice(-2).join('.')), `${key} tail`);
    for (const phrase of [definition.title, ...(definition.aliases ?? [])])
      trie.add(unitSurfaces(phrase), `${key} phrase`);
  }
  return trie.longestMatches(units).map(({ start, end, values }) => [start, end, [...values].sort()]);
}

function matches(table: NameTable, units: readonly string[]): unknown {
  return table
    .longestMatches(units, () => true)
    .map(({ start, end, names }) => [start, end, names.map(({ resource, kind }) => `${resource.key} ${kind}`).sort()]);
}

test('finds what a trie of all names finds, after any removals', () => {
  fc.assert(
    fc.property(sketches, fc.nat(), text, (actions, removed, units) => {
      const resources = new MemoryRegistry(actions).all();
      const table = new NameTable();
      for (const resource of resources) table.add(resource);
      expect(matches(table, units)).toEqual(naively(resources, units));
      const [gone] = resources.slice(removed % (resources.length + 1));
      if (gone) table.remove(gone);
      expect(matches(table, units)).toEqual(
        naively(
          resources.filter((resource) => resource !== gone),
          units,
        ),
      );
    }),
  );
});

test('names of resources that may not be seen do not hide shorter ones', () => {
  const table = new NameTable();
  const resources = new MemoryRegistry([
    { action_id: 'log', title: 'x' },
    { action_id: 'hidden', title: 'log show' },
  ]).all();
  for (const resource of resources) table.add(resource);
  const [match] = table.longestMatches(['log', 'show'], ({ id }) => id !== 'hidden');
  expect([match?.end, match?.names.map(({ resource }) => resource.id)]).toEqual([1, ['log']]);
});

test('thousands of names are found, each by itself', () => {
  const table = new NameTable();
  const resources = new MemoryRegistry(
    Array.from({ length: 3000 }, (_, index) => ({ action_id: `tool_${index}`, title: `Tool number ${index}` })),
  ).all();
  for (const resource of resources) table.add(resource);
  for (const resource of resources) {
    const found = table.longestMatches(unitSurfaces(resource.id), () => true);
    expect(found.flatMap(({ names }) => names.map((name) => name.resource.key))).toEqual([resource.key]);
  }
});

import { describe, expect, it } from 'vitest';
import { aliasKey, checkDiscoverability, sharedAliases } from '../../../capabilities/evaluation/discoverability';
import { placeFindings } from '../../../server/features/discoverability-diagnostics';
import { MemoryRegistry } from '../search/memory-registry';

const registry = new MemoryRegistry([
  { action_id: 'a.start', aliases: ['start web', 'bring it up'], when_to_use: ['The site is down.'] },
  { action_id: 'a.stop', aliases: ['Bring  it up'] },
  { action_id: 'a.off', aliases: ['start web'], enabled: false },
  { pack_id: 'a', aliases: ['start web'] },
]);
const get = (id: string) => registry.get(`demo:${id}`)!;
const none = new Map<string, never>();

describe('checkDiscoverability', () => {
  it('accepts a line that brings its own resource into the first three', async () => {
    const search = () => Promise.resolve([get('a.stop'), get('a'), get('a.start')]);
    expect(await checkDiscoverability(get('a.start'), none, search)).toEqual([]);
  });

  it('names what outranks a line that does not', async () => {
    const search = (query: string) =>
      Promise.resolve(
        query === 'The site is down.' ? [get('a.stop'), get('a'), get('a.off'), get('a.start')] : [get('a.start')],
      );
    const findings = await checkDiscoverability(get('a.start'), none, search);
    expect(findings).toMatchObject([
      { code: 'hard-to-find', line: { field: 'when_to_use', index: 0, text: 'The site is down.' } },
    ]);
    expect(findings[0]?.rivals.map(({ id }) => id)).toEqual(['a.stop', 'a', 'a.off']);
  });

  it('gives each of two actions with one alias a finding, whatever the search finds', async () => {
    const shared = sharedAliases(registry.all());
    const search = () => Promise.resolve([get('a.start'), get('a.stop')]);
    const [own] = await checkDiscoverability(get('a.start'), shared, search);
    const [other] = await checkDiscoverability(get('a.stop'), shared, search);
    expect(own).toMatchObject({ code: 'shared-alias', line: { text: 'bring it up' }, rivals: [{ id: 'a.stop' }] });
    expect(other).toMatchObject({ code: 'shared-alias', line: { text: 'Bring  it up' }, rivals: [{ id: 'a.start' }] });
  });

  it('asks nothing of packs and of what is switched off', async () => {
    const search = () => Promise.resolve([]);
    expect(await checkDiscoverability(get('a'), none, search)).toEqual([]);
    expect(await checkDiscoverability(get('a.off'), none, search)).toEqual([]);
    expect([...sharedAliases(registry.all()).keys()]).toEqual(['bring it up']);
  });
});

it.each([
  ['Start Web', 'start web'],
  ['  ＳＴＡＲＴ\tweb ', 'start web'],
  ['重启', '重启'],
])('%s reads as %s', (text, key) => {
  expect(aliasKey(text)).toBe(key);
});

describe('placeFindings', () => {
  const line = { field: 'aliases' as const, index: 1, text: '启动 🚀' };
  const finding = { code: 'hard-to-find' as const, line, rivals: [get('a.stop')] };
  const resource = get('a.start');

  it('stands at the line itself, in the document of its resource', () => {
    const text = 'action_id: a.stop\naliases: [one, two]\n---\naction_id: a.start\naliases:\n  - one\n  - 启动 🚀\n';
    const [diagnostic] = placeFindings(text, [{ resource, findings: [finding] }]);
    expect(text.slice(diagnostic?.span.start, diagnostic?.span.end)).toBe('启动 🚀');
    expect(diagnostic?.message).toBe(
      'A search for this alias does not bring this into the first three: `a.stop` comes before it. Make the line say what only this does, add the intent and the entities it is about, or rule it out in the others with `when_not_to_use`.',
    );
  });

  it.each(['', 'action_id: a.other\n', 'action_id: a.start\naliases: [one, changed]\n', '- [', 'action_id: a.start'])(
    'says nothing about a text that no longer holds the line: %j',
    (text) => {
      expect(placeFindings(text, [{ resource, findings: [finding] }])).toEqual([]);
    },
  );
});

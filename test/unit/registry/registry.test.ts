import { describe, expect, test } from 'vitest';
import type { ActionResource, Resource } from '../../../capabilities/models';
import type { RegistryChange } from '../../../capabilities/registry/change-tracker';
import type { Registry } from '../../../capabilities/registry/registry';
import { parseDefinitionFile } from '../../../capabilities/registry/parse-definition-file';
import {
  actionText,
  makeRegistry,
  packText,
  put,
  recipeText,
  rules,
  show,
  user,
  workspace,
} from './definition-fixtures';

const keys = (resources: readonly Resource[]): string[] => resources.map(({ key }) => key);
const codes = (registry: Registry, path: string): string[] => registry.diagnostics(path).map(({ code }) => code);

function action(registry: Registry, key: string): ActionResource {
  const resource = registry.get(key);
  if (resource?.type !== 'action') throw new Error(`${key} is no action`);
  return resource;
}

/** Runs a change and returns what the listeners heard. */
function listen(registry: Registry, change: () => void): RegistryChange[] {
  const heard: RegistryChange[] = [];
  const stop = registry.onDidChange((event) => heard.push(event));
  change();
  stop();
  return heard;
}

describe('the tree', () => {
  test('implies the packs that no file defines, and forgets them with their last child', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('ops.db.backup'), '/app/p.yaml': packText('ops') });
    expect(keys(registry.all())).toEqual(['app:ops', 'app:ops.db', 'app:ops.db.backup']);
    expect(registry.get('app:ops.db')).toMatchObject({
      type: 'pack',
      source: undefined,
      parentId: 'ops',
      definition: { title: 'Db' },
    });
    registry.remove('/app/a.yaml');
    expect(keys(registry.all())).toEqual(['app:ops']);
    registry.remove('/app/p.yaml');
    expect(registry.all()).toEqual([]);
    expect(registry.lookup('ops')).toEqual({ kind: 'unknown' });
  });

  test('lists children and ancestors', () => {
    const registry = makeRegistry({
      '/app/a.yaml': [
        packText('ops'),
        actionText('ops.z'),
        actionText('ops.a.b'),
        recipeText('ops.a.r'),
        actionText('top'),
      ].join('---\n'),
      '/home/u.yaml': actionText('ops.mine'),
    });
    expect(keys(registry.children(undefined))).toEqual(['app:ops', 'app:top', 'user:ops']);
    expect(keys(registry.children('ops'))).toEqual(['app:ops.a', 'app:ops.z', 'user:ops.mine']);
    expect(keys(registry.children('app:ops'))).toEqual(['app:ops.a', 'app:ops.z']);
    expect(keys(registry.children('nothing'))).toEqual([]);
    expect(keys(registry.ancestors(action(registry, 'app:ops.a.b')))).toEqual(['app:ops', 'app:ops.a']);
    expect(registry.ancestors({ ...action(registry, 'app:top'), scope: { ...workspace, name: 'gone' } })).toEqual([]);
  });

  test('gives the place of a definition, and follows it when it moves', () => {
    const text = actionText('ops.a');
    const registry = makeRegistry({ '/app/a.yaml': text });
    const before = action(registry, 'app:ops.a');
    expect(text.slice(before.source!.idSpan.start, before.source!.idSpan.end)).toBe('ops.a');
    const heard = listen(registry, () => {
      put(registry, '/app/a.yaml', `# moved\n${text}`);
    });
    expect(action(registry, 'app:ops.a').source!.idSpan.start).toBe(before.source!.idSpan.start + 8);
    expect(heard).toEqual([{ paths: ['/app/a.yaml'], changed: [], removed: [] }]);
  });
});

describe('inheritance', () => {
  const pack = (id: string, defaults: string, more = ''): string => packText(id, `defaults: ${defaults}${more}`);

  test('takes the risk from a pack, and without any assumes the worst and says so', () => {
    const bare = actionText('ops.a').replace(/^risk_level: .*\n/m, '');
    const registry = makeRegistry({ '/app/a.yaml': bare });
    expect(action(registry, 'app:ops.a').definition.risk_level).toBe('critical');
    expect(registry.diagnostics('/app/a.yaml')).toMatchObject([
      { code: 'missing-key', severity: 'error', fix: { kind: 'insert-key', key: 'risk_level' } },
    ]);
    put(registry, '/app/p.yaml', pack('ops', '{risk_level: low}'));
    expect(action(registry, 'app:ops.a').definition.risk_level).toBe('low');
    expect(registry.diagnostics('/app/a.yaml')).toEqual([]);
  });

  test('passes defaults through all levels, the nearest first', () => {
    const registry = makeRegistry({
      '/app/p.yaml': `${pack('a', '{timeout: 10, acl: {execute: [user]}, supported_os: [linux]}')}---\n${pack('a.b', '{timeout: 20}')}`,
      '/app/x.yaml': `${actionText('a.b.c.x')}---\n${actionText('a.b.c.y', 'timeout: 5')}---\n${actionText('a.z')}---\n${recipeText('a.r')}`,
    });
    expect(action(registry, 'app:a.b.c.x').definition).toMatchObject({
      timeout: 20,
      acl: { execute: ['user'] },
      supported_os: ['linux'],
    });
    expect(action(registry, 'app:a.b.c.y').definition.timeout).toBe(5);
    expect(action(registry, 'app:a.z').definition.timeout).toBe(10);
    const recipe = registry.get('app:a.r');
    expect(recipe?.definition).toMatchObject({ acl: { execute: ['user'] } });
    expect(recipe?.definition).not.toHaveProperty('timeout');
    expect(registry.get('app:a.b.c')?.definition.acl).toEqual({ execute: ['user'] });
  });

  test.each([
    ['R', undefined, false],
    ['W-local', undefined, false],
    ['W-shared', undefined, true],
    ['W-shared', 'false', false],
    ['R', 'true', true],
    ['I', undefined, true],
  ])('asks for a confirmation of %s with %s: %s', (effect, written, expected) => {
    const extra = `side_effect: ${effect}${written === undefined ? '' : `\nrequires_confirmation: ${written}`}`;
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x', extra) });
    expect(action(registry, 'app:a.x').definition.requires_confirmation).toBe(expected);
  });

  test('does not let a pack take the confirmation of what can not be undone away', () => {
    const registry = makeRegistry({
      '/app/a.yaml': `${pack('a', '{requires_confirmation: false}')}---\n${actionText('a.x', 'side_effect: I')}`,
    });
    expect(action(registry, 'app:a.x').definition.requires_confirmation).toBe(true);
  });

  test('switches off what stands below a pack that is off', () => {
    const registry = makeRegistry({
      '/app/a.yaml': [
        packText('a'),
        packText('a.b', 'enabled: false'),
        actionText('a.b.c.x', 'enabled: true'),
        actionText('a.y'),
      ].join('---\n'),
    });
    expect(
      registry
        .all()
        .filter(({ enabled }) => !enabled)
        .map(({ key }) => key),
    ).toEqual(['app:a.b', 'app:a.b.c', 'app:a.b.c.x']);
    const off = makeRegistry({
      '/app/a.yaml': `${pack('a', '{enabled: false}')}---\n${actionText('a.x')}---\n${actionText('a.y', 'enabled: true')}---\n${packText('a.p')}---\n${actionText('a.p.z', 'enabled: true')}`,
    });
    expect(
      off
        .all()
        .filter(({ enabled }) => enabled)
        .map(({ key }) => key),
    ).toEqual(['app:a', 'app:a.y']);
  });

  test('switches off what stands below a broken or duplicated pack: it may have said so', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.b.x'), '/app/p.yaml': packText('a') });
    expect(action(registry, 'app:a.b.x').enabled).toBe(true);
    const heard = listen(registry, () => {
      put(registry, '/app/p.yaml', packText('a', 'defualts: {enabled: false}'));
    });
    expect(action(registry, 'app:a.b.x').enabled).toBe(false);
    expect(registry.get('app:a')).toMatchObject({ source: undefined, enabled: false });
    expect(heard[0]!.changed).toEqual(['app:a', 'app:a.b', 'app:a.b.x']);
    put(registry, '/app/p.yaml', packText('a'));
    put(registry, '/app/q.yaml', packText('a'));
    expect(action(registry, 'app:a.b.x').enabled).toBe(false);
    registry.remove('/app/q.yaml');
    expect(action(registry, 'app:a.b.x').enabled).toBe(true);
  });

  test('a broken copy of an action does not take the good one away', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x'), '/app/b.yaml': actionText('a.x', 'titel: y') });
    expect(action(registry, 'app:a.x').enabled).toBe(true);
    expect(codes(registry, '/app/a.yaml')).toEqual([]);
  });

  test('changes the hash with the effective contract, and with nothing else', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x') });
    const before = action(registry, 'app:a.x').hash;
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    put(registry, '/app/a.yaml', `# comment\n${actionText('a.x')}`);
    expect(action(registry, 'app:a.x').hash).toBe(before);
    put(registry, '/app/p.yaml', pack('a', '{timeout: 9}'));
    expect(action(registry, 'app:a.x').hash).not.toBe(before);
  });
});

describe('duplicates and scopes', () => {
  test('neither of two definitions with one id can be used, and both are diagnosed', () => {
    const texts = {
      '/app/a.yaml': actionText('a.x'),
      '/app/b.yaml': `# second\n${actionText('a.x')}---\n${actionText('a.y')}`,
    };
    const registry = makeRegistry(texts);
    expect(keys(registry.all())).toEqual(['app:a', 'app:a.y']);
    expect(registry.lookup('a.x')).toEqual({ kind: 'duplicate', places: ['/app/a.yaml', '/app/b.yaml'] });
    expect(registry.claimants('a.x')).toHaveLength(2);
    const [finding] = registry.diagnostics('/app/a.yaml');
    expect(finding).toMatchObject({ code: 'duplicate-id', severity: 'error', related: [{ path: '/app/b.yaml' }] });
    const { span } = finding!.related![0]!;
    expect(texts['/app/b.yaml'].slice(span.start, span.end)).toBe('a.x');
    expect(show(registry.diagnostics('/app/b.yaml'), texts['/app/b.yaml'])).toEqual(['duplicate-id "a.x"']);
    const heard = listen(registry, () => {
      registry.remove('/app/b.yaml');
    });
    expect(heard).toEqual([{ paths: ['/app/a.yaml', '/app/b.yaml'], changed: ['app:a.x'], removed: ['app:a.y'] }]);
    expect(codes(registry, '/app/a.yaml')).toEqual([]);
  });

  test('an id in two scopes is reached by its scope, and the bare id is ambiguous', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x'), '/home/a.yaml': actionText('a.x') });
    expect(registry.lookup('a.x')).toEqual({ kind: 'ambiguous', keys: ['app:a.x', 'user:a.x'] });
    expect(registry.lookup('user:a.x')).toMatchObject({ kind: 'found', resource: { key: 'user:a.x' } });
    expect(registry.lookup('other:a.x')).toEqual({ kind: 'unknown' });
    expect(registry.diagnostics('/app/a.yaml')).toMatchObject([
      { code: 'id-in-several-scopes', severity: 'information' },
    ]);
    registry.remove('/home/a.yaml');
    expect(registry.lookup('a.x')).toMatchObject({ kind: 'found' });
    expect(codes(registry, '/app/a.yaml')).toEqual([]);
  });

  test('forgets the files of a scope that is gone or has moved', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x'), '/home/a.yaml': actionText('b.x') });
    const heard = listen(registry, () => {
      registry.setScopes([workspace]);
    });
    expect(heard[0]).toMatchObject({ removed: ['user:b', 'user:b.x'] });
    expect(registry.paths).toEqual(['/app/a.yaml']);
    registry.setScopes([{ ...workspace, root: '/elsewhere' }]);
    expect(registry.all()).toEqual([]);
  });

  test('takes a file of a scope that was not declared', () => {
    const registry = makeRegistry();
    registry.setScopes([]);
    put(registry, '/home/a.yaml', actionText('b.x'));
    expect(keys(registry.all())).toEqual(['user:b', 'user:b.x']);
    expect(registry.get('b.x')).toBeUndefined();
  });
});

describe('cross-file diagnostics', () => {
  const referring = actionText('a.x', 'undo: a.y\nverify: [a.y, b.none]\nnext_actions: [a, {action: "user:c.z"}]');

  test('follow when another file changes or vanishes', () => {
    const registry = makeRegistry({
      '/app/x.yaml': referring,
      '/app/y.yaml': actionText('a.y'),
      '/home/z.yaml': actionText('c.z'),
    });
    const seen = (): string[] => show(registry.diagnostics('/app/x.yaml'), referring);
    expect(seen()).toEqual(['unknown-reference "b.none"', 'wrong-reference-type "a"']);
    const renamed = listen(registry, () => {
      put(registry, '/app/y.yaml', actionText('a.yy'));
    });
    expect(renamed[0]!.paths).toEqual(['/app/x.yaml', '/app/y.yaml']);
    expect(seen()).toEqual([
      'unknown-reference "a.y"',
      'unknown-reference "a.y"',
      'unknown-reference "b.none"',
      'wrong-reference-type "a"',
    ]);
    expect(registry.diagnostics('/app/x.yaml')[0]!.message).toMatch(/^There is no `a.y`. Did you mean `/);
    put(registry, '/app/y.yaml', recipeText('a.y'));
    expect(seen().slice(0, 2)).toEqual(['wrong-reference-type "a.y"', 'wrong-reference-type "a.y"']);
    const removed = listen(registry, () => {
      registry.remove('/home/z.yaml');
    });
    expect(removed[0]!.paths).toEqual(['/app/x.yaml', '/home/z.yaml']);
    expect(seen()).toContain('unknown-reference "\\"user:c.z\\""');
  });

  test('say nothing about a reference to a definition that has errors of its own', () => {
    const registry = makeRegistry({
      '/app/x.yaml': actionText('a.x', 'undo: a.y'),
      '/app/y.yaml': 'action_id: a.y\ntitle: [\n',
    });
    expect(codes(registry, '/app/x.yaml')).toEqual([]);
  });

  test('prefer the own scope, and ask for a scope when only others have the id', () => {
    const registry = makeRegistry({ '/app/x.yaml': actionText('a.x', 'undo: c.z'), '/home/z.yaml': actionText('c.z') });
    expect(codes(registry, '/app/x.yaml')).toEqual([]);
    const third = { name: 'third', kind: 'workspace', root: '/third', definitions: '/third/.capabilities' } as const;
    registry.setScopes([workspace, user, third]);
    registry.update('/third/z.yaml', third, parseDefinitionFile(actionText('c.z'), rules));
    expect(registry.diagnostics('/app/x.yaml')).toMatchObject([{ code: 'id-in-several-scopes', severity: 'warning' }]);
    put(registry, '/app/z.yaml', actionText('c.z'));
    expect(codes(registry, '/app/x.yaml')).toEqual([]);
  });

  test('know the secrets that the packs above declare', () => {
    const text = actionText('a.x', 'handler: {type: command, argv: [git, "${secret.KEY}"]}');
    const registry = makeRegistry({ '/app/x.yaml': text });
    expect(show(registry.diagnostics('/app/x.yaml'), text)).toEqual(['undeclared-secret "${secret.KEY}"']);
    const heard = listen(registry, () => {
      put(registry, '/app/p.yaml', packText('a', 'defaults: {required_credentials: [KEY]}'));
    });
    expect(heard[0]!.paths).toEqual(['/app/p.yaml', '/app/x.yaml']);
    expect(codes(registry, '/app/x.yaml')).toEqual([]);
  });

  test.each([
    ['missing', 'file-unreadable'],
    ['not-a-file', 'file-unreadable'],
    ['unreadable', 'file-unreadable'],
    ['too-large', 'file-too-large'],
    ['not-utf8', 'file-not-utf8'],
    ['too-many-files', 'too-many-files'],
  ] as const)('a file that is %s has one diagnostic and takes its definitions away', (reason, code) => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x'), '/app/b.yaml': actionText('b.x') });
    registry.updateUnreadable('/app/a.yaml', workspace, reason);
    expect(registry.diagnostics('/app/a.yaml')).toMatchObject([
      { code, severity: 'error', span: { start: 0, end: 0 } },
    ]);
    expect(keys(registry.all())).toEqual(['app:b', 'app:b.x']);
    registry.remove('/app/a.yaml');
    expect(registry.diagnostics('/app/a.yaml')).toEqual([]);
  });
});

describe('changes', () => {
  test('raise the revision, tell what is new, and leave the rest alone', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x'), '/app/b.yaml': actionText('a.y') });
    const kept = registry.get('app:a.y');
    const { revision } = registry;
    const heard = listen(registry, () => {
      put(registry, '/app/a.yaml', `${actionText('a.x', 'title: New')}---\n${actionText('n.w')}`);
      registry.remove('/app/none.yaml');
    });
    expect(registry.revision).toBe(revision + 1);
    expect(heard).toEqual([{ paths: ['/app/a.yaml'], changed: ['app:a.x', 'app:n', 'app:n.w'], removed: [] }]);
    expect(registry.get('app:a.y')).toBe(kept);
    expect(registry.all()).toBe(registry.all());
  });

  test.each([1000, 10_000])('of one file among %i cost little', (count) => {
    const registry = makeRegistry({ '/app/p.yaml': packText('big', 'defaults: {timeout: 5}') });
    for (let index = 0; index < count; index += 1) {
      const id = `big.g${index % 50}.a${index}`;
      const span = { start: 0, end: 5 };
      const typed = {
        type: 'action',
        definition: { ...action(makeSmall(), 'app:s.x').definition, action_id: id },
      } as const;
      const definition = { id, type: 'action', span, idSpan: span, typed, references: [], secrets: [] } as const;
      registry.update(`/app/${index}.yaml`, workspace, { text: '', diagnostics: [], definitions: [definition] });
    }
    expect(registry.all()).toHaveLength(count + 51);
    const rounds = 50;
    const start = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1)
      put(registry, '/app/0.yaml', actionText('big.g0.a0', `title: Round ${round}`));
    const { user: spent, system } = process.cpuUsage(start);
    expect((spent + system) / 1000 / rounds).toBeLessThan(12);
    expect(action(registry, 'app:big.g0.a0').definition.timeout).toBe(5);
  });
});

let small: Registry | undefined;
function makeSmall(): Registry {
  return (small ??= makeRegistry({ '/app/s.yaml': actionText('s.x') }));
}

describe('files', () => {
  test('are known with their scope and what they hold', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x') });
    registry.updateUnreadable('/home/b.yaml', user, 'not-utf8');
    expect(registry.file('/app/a.yaml')).toMatchObject({
      scope: workspace,
      content: { kind: 'parsed', parsed: { text: actionText('a.x') } },
    });
    expect(registry.file('/home/b.yaml')).toMatchObject({
      scope: user,
      content: { kind: 'skipped', reason: 'not-utf8' },
    });
    expect(registry.file('/app/none.yaml')).toBeUndefined();
    expect(registry.paths).toEqual(['/app/a.yaml', '/home/b.yaml']);
  });

  test('that stop referring to an id do not hear of it any more', () => {
    const registry = makeRegistry({ '/app/a.yaml': actionText('a.x', 'undo: b.y'), '/app/b.yaml': actionText('b.y') });
    put(registry, '/app/a.yaml', actionText('a.x'));
    const heard = listen(registry, () => {
      registry.remove('/app/b.yaml');
    });
    expect(heard[0]!.paths).toEqual(['/app/b.yaml']);
  });
});

import { describe, expect, test } from 'vitest';
import type { PolicyService, RuntimeContext } from '../../../capabilities/models';
import { ResourceResolver } from '../../../capabilities/registry/resource-resolver';
import { actionText, makeRegistry, packText } from './definition-fixtures';

const context: RuntimeContext = {
  host: 'cli',
  sessionId: 's',
  principals: ['user'],
  os: 'linux',
  workspaceTrusted: true,
  featureFlags: new Set(),
};

/** Hides what may be discovered by nobody. */
const policy: PolicyService = {
  may: (_, resource) => resource.definition.acl?.discover?.length !== 0,
  availability: () => ({ availability: 'available', reasons: [] }),
};

const hidden = 'acl: {discover: []}';

function resolver(
  files: Readonly<Record<string, string>>,
): (reference: string) => ReturnType<ResourceResolver['resolve']> {
  const resolve = new ResourceResolver(makeRegistry(files), policy);
  return (reference) => resolve.resolve(reference, context);
}

describe('ResourceResolver', () => {
  const resolve = resolver({
    '/app/a.yaml': [
      packText('maintenance'),
      actionText('maintenance.codex.diagnose'),
      actionText('maintenance.codex.path_repair'),
      actionText('maintenance.npm.secret', hidden),
      actionText('both.x'),
      actionText('half.x'),
      actionText('twice.x'),
      actionText('mixed.x'),
      actionText('mixed.x', hidden),
    ].join('---\n'),
    '/app/b.yaml': actionText('twice.x'),
    '/home/a.yaml': `${actionText('both.x')}---\n${actionText('half.x', hidden)}`,
  });

  test.each([
    'maintenance.codex.diagnose',
    ' maintenance.codex.diagnose ',
    'app:maintenance.codex.diagnose',
    'maintenance',
  ])('finds %j', (reference) => {
    expect(resolve(reference)).toMatchObject({ ok: true, value: { scope: { name: 'app' } } });
  });

  test.each([
    ['maintenance_codex_diagnose', 'maintenance.codex.diagnose'],
    ['maintenance/codex/diagnose', 'maintenance.codex.diagnose'],
    ['Maintenance.Codex.Diagnose', 'maintenance.codex.diagnose'],
    ['MaintenanceCodexDiagnose', 'maintenance.codex.diagnose'],
    ['maintenance.codex.diagnos', 'maintenance.codex.diagnose'],
    ['maintenance.codex.path-repair', 'maintenance.codex.path_repair'],
    ['diagnose', 'maintenance.codex.diagnose'],
    ['app.maintenance.codex.diagnose', 'maintenance.codex.diagnose'],
  ])('suggests for %j what was probably meant', (reference, suggestion) => {
    const result = resolve(reference);
    expect(result).toMatchObject({ ok: false, problem: { code: 'unknown_resource', retryable: false } });
    expect(!result.ok && result.problem.did_you_mean?.[0]).toBe(suggestion);
  });

  test('suggests at most three, and none when nothing is close', () => {
    const result = resolve('maintenance.codex');
    expect(result.ok).toBe(true);
    const many = resolver({
      '/app/a.yaml': Array.from({ length: 9 }, (_, index) => actionText(`p.item${index}`)).join('---\n'),
    });
    const unknown = many('p.item');
    expect(!unknown.ok && unknown.problem.did_you_mean).toEqual(['p.item0', 'p.item1', 'p.item2']);
    const far = many('zebra');
    expect(!far.ok && far.problem).toEqual({
      code: 'unknown_resource',
      message: 'There is no resource "zebra". Find the right id with capability_search.',
      retryable: false,
    });
  });

  test.each(['', '   ', 'x'.repeat(301)])('asks for an id instead of repeating %j', (reference) => {
    const result = resolve(reference);
    expect(!result.ok && result.problem.message).toContain('A resource id is needed');
  });

  test('answers for what is hidden exactly as for what does not exist', () => {
    const present = resolve('maintenance.npm.secret');
    const absent = resolver({
      '/app/a.yaml': [
        packText('maintenance'),
        packText('maintenance.npm'),
        actionText('maintenance.codex.diagnose'),
      ].join('---\n'),
    })('maintenance.npm.secret');
    expect(present).toEqual(absent);
    expect(JSON.stringify(resolve('maintenance.npm.secre'))).not.toContain('npm.secret"');
  });

  test('lists both keys of an id that stands in two scopes', () => {
    expect(resolve('both.x')).toMatchObject({
      ok: false,
      problem: { code: 'invalid_request', did_you_mean: ['app:both.x', 'user:both.x'] },
    });
    expect(resolve('user:both.x')).toMatchObject({ ok: true, value: { key: 'user:both.x' } });
  });

  test('does not give a hidden definition away by an ambiguity or a clash', () => {
    expect(resolve('half.x')).toMatchObject({ ok: true, value: { key: 'app:half.x' } });
    expect(resolve('mixed.x')).toMatchObject({ ok: false, problem: { code: 'unknown_resource' } });
  });

  test('names the files of a duplicate', () => {
    const result = resolve('twice.x');
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid_request' } });
    expect(!result.ok && result.problem.message).toContain('(/app/a.yaml, /app/b.yaml)');
  });
});

import { describe, expect, it } from 'vitest';
import { Policy } from '../../../capabilities/execution/policy';
import type { ActionDefinition, EnvironmentFacts } from '../../../capabilities/models';
import { sampleAction, sampleContext, samplePack, sampleScope } from './sample-resources';

const everything: EnvironmentFacts = { hasExecutor: () => true, hasCredential: () => true, hasContext: () => true };
const nothing: EnvironmentFacts = { hasExecutor: () => false, hasCredential: () => false, hasContext: () => false };

describe('permissions', () => {
  it.each([
    ['no list is open', undefined, ['agent'], true],
    ['an empty list admits nobody', [], ['agent'], false],
    ['a star admits everybody', ['*'], [], true],
    ['a principal that is named', ['role:ops', 'user'], ['user'], true],
    ['a principal that is not named', ['role:ops'], ['user', 'agent'], false],
    ['principals are compared whole', ['role:ops'], ['role:op', 'ops'], false],
  ])('%s', (_name, list, principals, expected) => {
    for (const permission of ['discover', 'describe', 'execute'] as const) {
      const action = sampleAction(list === undefined ? {} : { acl: { [permission]: list } });
      expect(new Policy(everything).may(permission, action, sampleContext({ principals }))).toBe(expected);
    }
  });

  it('are independent of each other', () => {
    const action = sampleAction({ acl: { describe: [] } });
    const policy = new Policy(everything);
    const granted = (['discover', 'describe', 'execute'] as const).filter((name) =>
      policy.may(name, action, sampleContext()),
    );
    expect(granted).toEqual(['discover', 'execute']);
  });

  it('are all missing while the feature flag is off', () => {
    const action = sampleAction({ feature_flag: 'beta' });
    const policy = new Policy(everything);
    expect(policy.may('discover', action, sampleContext())).toBe(false);
    expect(policy.may('execute', action, sampleContext({ featureFlags: new Set(['beta']) }))).toBe(true);
  });
});

describe('availability', () => {
  const cases: readonly [string, Partial<ActionDefinition>, string, string][] = [
    ['denied', { acl: { execute: [] } }, 'execute_denied', 'acl.execute'],
    [
      'the wrong system',
      { supported_os: ['macos', 'windows'] },
      'unsupported_os',
      'works on macOS, Windows only; this machine runs Linux',
    ],
    ['a program missing', { required_executors: ['docker'] }, 'missing_executor', '"docker" is not on PATH; install'],
    ['a credential missing', { required_credentials: ['TOKEN'] }, 'missing_credential', 'the credential "TOKEN"'],
    ['no repository', { required_context: ['git_repository'] }, 'missing_context', 'not in a Git repository'],
    ['a file missing', { required_context: ['file:package.json'] }, 'missing_context', '"package.json" does not exist'],
    ['not describable', { acl: { describe: [] } }, 'describe_denied', 'acl.describe'],
  ];

  it.each(cases)('with %s names the reason and the way out', (_name, change, availability, reason) => {
    const report = new Policy(nothing).availability(sampleAction(change), sampleContext());
    expect(report.availability).toBe(availability);
    expect(report.reasons).toHaveLength(1);
    expect(report.reasons[0]).toContain(reason);
  });

  it('is given when nothing speaks against it', () => {
    const action = sampleAction({
      supported_os: ['linux'],
      required_executors: ['git'],
      required_context: ['git_repository'],
    });
    expect(new Policy(everything).availability(action, sampleContext())).toEqual({
      availability: 'available',
      reasons: [],
    });
  });

  it('names the first failing check and lists all', () => {
    const change = Object.assign({}, ...cases.map(([, part]) => part)) as Partial<ActionDefinition>;
    const action = sampleAction({ ...change, acl: { execute: [], describe: [] } }, sampleScope(), false);
    const report = new Policy(nothing).availability(action, sampleContext({ workspaceTrusted: false }));
    expect(report.availability).toBe('disabled');
    expect(report.reasons.map((reason) => reason.slice(0, 14))).toMatchInlineSnapshot(`
      [
        "It, or a pack ",
        "You do not hav",
        "It works on ma",
        "The program "d",
        "It needs the c",
        "The file "pack",
        "The workspace ",
        "You do not hav",
      ]
    `);
  });

  it('needs a trusted workspace for actions of the workspace, not for those of the user and not for reading', () => {
    const context = sampleContext({ workspaceTrusted: false });
    const policy = new Policy(everything);
    expect(policy.availability(sampleAction(), context).availability).toBe('workspace_untrusted');
    expect(policy.availability(sampleAction({}, sampleScope('/home/me', 'user')), context).availability).toBe(
      'available',
    );
    expect(policy.availability(samplePack(), context).availability).toBe('available');
  });

  it('of a pack does not depend on execute', () => {
    expect(
      new Policy(everything).availability(samplePack({ acl: { execute: [] } }), sampleContext()).availability,
    ).toBe('available');
  });
});

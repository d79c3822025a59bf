import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { PolicyFile, PolicyRule } from '../../../../capabilities/models';
import { fitsIdPattern } from '../../../../capabilities/execution/policy-rules/id-pattern';
import { decideByRules, PolicyTier } from '../../../../capabilities/execution/policy-rules/policy-tiers';
import { sampleAction, sampleContext, samplePack } from '../sample-resources';

describe('a pattern of ids', () => {
  test.each([
    ['a.b', 'a.b', true],
    ['a.b', 'a.*', true],
    ['a.b.c', 'a.*', false],
    ['a', 'a.**', true],
    ['a.b.c', 'a.**', true],
    ['ab.c', 'a.**', false],
    ['a.b.c', '**.c', true],
    ['a.b.c', 'a.**.c', true],
    ['a.c', 'a.**.c', true],
    ['a.bcd', 'a.b*d', true],
    ['a.bd', 'a.b*d', true],
    ['a.bc', 'a.b*d', false],
    ['anything.at.all', '**', true],
    ['a.b', '*', false],
  ])('%s and %s: %s', (id, pattern, expected) => {
    expect(fitsIdPattern(id, pattern)).toBe(expected);
  });

  it('fits what the definition of the wildcards says', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba'), { minLength: 1, maxLength: 5 });
    const parts = fc.array(fc.constantFrom('a', 'b', 'ab', '*', '**', 'a*', '*b', 'a*b'), {
      minLength: 1,
      maxLength: 5,
    });
    const defined = (segments: readonly string[], [part, ...rest]: readonly string[]): boolean => {
      if (part === undefined) return segments.length === 0;
      if (part === '**')
        return defined(segments, rest) || (segments.length > 0 && defined(segments.slice(1), [part, ...rest]));
      const [segment, ...others] = segments;
      const form = new RegExp(`^${part.replaceAll('*', '.*')}$`, 'u');
      return segment !== undefined && form.test(segment) && defined(others, rest);
    };
    fc.assert(
      fc.property(ids, parts, (segments, pattern) => {
        expect(fitsIdPattern(segments.join('.'), pattern.join('.'))).toBe(defined(segments, pattern));
      }),
      { numRuns: 5_000 },
    );
  });

  it('answers in time that grows with the lengths alone', () => {
    const id = Array.from({ length: 100 }, () => 'aaaa').join('.');
    expect(fitsIdPattern(id, `${'**.'.repeat(60)}b`)).toBe(false);
    expect(fitsIdPattern('a'.repeat(290), `${'*a'.repeat(140)}b`)).toBe(false);
  });
});

const tier = (rules: PolicyRule[], more: Partial<PolicyFile> = {}): PolicyTier =>
  new PolicyTier('user', { rules, ...more });
const execute = { permission: 'execute', context: sampleContext() } as const;
const action = sampleAction({ side_effect: 'W-shared', risk_level: 'high' });

describe('the rules', () => {
  it('leave everything as it is where there are none', () => {
    expect(decideByRules([], { ...execute, resource: action })).toMatchObject({ effect: 'allow', by: undefined });
  });

  it('name the rule that decided, with its reason', () => {
    const rules: PolicyRule[] = [{ effect: 'ask' }, { effect: 'deny', reason: 'not on Fridays' }, { effect: 'allow' }];
    expect(decideByRules([tier(rules)], { ...execute, resource: action })).toEqual({
      effect: 'deny',
      by: 'user rule 2',
      reason: 'not on Fridays',
    });
  });

  test.each<[string, PolicyRule, boolean]>([
    ['another permission', { effect: 'deny', permissions: ['describe'] }, false],
    ['its id', { effect: 'deny', resources: ['x', 'demo.*'] }, true],
    ['another id', { effect: 'deny', resources: ['other.**'] }, false],
    ['what goes beyond an effect', { effect: 'deny', side_effect_max: 'W-local' }, true],
    ['what stays within an effect', { effect: 'deny', side_effect_max: 'W-shared' }, false],
    ['what goes beyond a risk', { effect: 'ask', risk_max: 'medium' }, true],
    ['what stays within a risk', { effect: 'ask', risk_max: 'high' }, false],
    ['a principal of the caller', { effect: 'deny', principals: ['role:x', 'agent'] }, true],
    ['another principal', { effect: 'deny', principals: ['role:x'] }, false],
    ['the host', { effect: 'deny', hosts: ['vscode'] }, true],
    ['another host', { effect: 'deny', hosts: ['cli'] }, false],
    ['an argument', { effect: 'deny', when: { arguments: { branch: { equals: 'main' } } } }, true],
    ['one of some values', { effect: 'deny', when: { arguments: { branch: { one_of: ['x', 'main'] } } } }, true],
    ['a beginning', { effect: 'deny', when: { arguments: { branch: { starts_with: 'ma' } } } }, true],
    ['a part', { effect: 'deny', when: { arguments: { branch: { contains: 'ai' } } } }, true],
    ['an element of a list', { effect: 'deny', when: { arguments: { tags: { contains: 'b' } } } }, true],
    ['an argument that is not given', { effect: 'deny', when: { arguments: { force: { present: false } } } }, true],
    ['another value', { effect: 'deny', when: { arguments: { branch: { equals: 'dev' } } } }, false],
    [
      'a name that every object has',
      { effect: 'deny', when: { arguments: { constructor: { present: true } } } },
      false,
    ],
  ])('are about %s', (_, rule, isAbout) => {
    const args = { branch: 'main', tags: ['a', 'b'] };
    const { effect } = decideByRules([tier([rule])], { ...execute, resource: action, arguments: args });
    expect(effect).toBe(isAbout ? rule.effect : 'allow');
  });

  it('with a condition do not hold while the arguments are not known', () => {
    const rule: PolicyRule = { effect: 'deny', when: { arguments: { branch: { present: false } } } };
    expect(decideByRules([tier([rule])], { ...execute, resource: action }).effect).toBe('allow');
  });

  it('make a list of all that may run where the default is deny', () => {
    const file = [
      tier([{ effect: 'allow', resources: ['demo.act'], side_effect_max: 'W-shared' }], { default: 'deny' }),
    ];
    expect(decideByRules(file, { ...execute, resource: action }).effect).toBe('allow');
    const other = sampleAction({ action_id: 'demo.other' });
    expect(decideByRules(file, { ...execute, resource: other })).toMatchObject({ effect: 'deny', by: 'user default' });
    expect(decideByRules(file, { ...execute, permission: 'discover', resource: other }).effect).toBe('allow');
  });

  it('that can not be read let nothing run, and hide nothing', () => {
    const broken: PolicyTier[] = [new PolicyTier('workspace', 'broken')];
    expect(decideByRules(broken, { ...execute, resource: action }).effect).toBe('deny');
    expect(decideByRules(broken, { ...execute, permission: 'discover', resource: action }).effect).toBe('allow');
  });

  it('on effects never hold for packs, which have none', () => {
    const rule: PolicyRule = { effect: 'deny', permissions: ['discover'], side_effect_max: 'R' };
    expect(decideByRules([tier([rule])], { ...execute, permission: 'discover', resource: samplePack() }).effect).toBe(
      'allow',
    );
  });
});

const rules = fc.array(
  fc.record<PolicyRule>(
    {
      effect: fc.constantFrom('allow', 'ask', 'deny'),
      permissions: fc.constantFrom(['execute'], ['discover'], ['describe', 'execute']),
      resources: fc.constantFrom(['**'], ['demo.*'], ['other.**'], ['demo.act']),
      side_effect_max: fc.constantFrom('R', 'W-local', 'W-shared', 'I'),
      principals: fc.constantFrom(['agent'], ['role:x']),
    },
    { requiredKeys: ['effect'] },
  ),
  { maxLength: 6 },
);
const files = fc.record<PolicyFile>({ rules, default: fc.constantFrom('allow', 'ask', 'deny') });
const permissions = fc.constantFrom('discover', 'describe', 'execute');
const strictness = { allow: 0, ask: 1, deny: 2 };

it('another tier never makes anything more permissive', () => {
  fc.assert(
    fc.property(files, files, permissions, (user, workspace, permission) => {
      const asked = { permission, context: sampleContext(), resource: action } as const;
      const alone = decideByRules([new PolicyTier('user', user)], asked);
      const both = decideByRules([new PolicyTier('user', user), new PolicyTier('workspace', workspace)], asked);
      expect(strictness[both.effect]).toBeGreaterThanOrEqual(strictness[alone.effect]);
    }),
    { numRuns: 2_000 },
  );
});

it('the order of rules and of tiers decides nothing', () => {
  fc.assert(
    fc.property(files, files, permissions, (one, other, permission) => {
      const asked = { permission, context: sampleContext(), resource: action } as const;
      const reversed = (file: PolicyFile): PolicyFile => ({ ...file, rules: [...(file.rules ?? [])].reverse() });
      const effectOf = (...all: PolicyFile[]): string =>
        decideByRules(
          all.map((file) => new PolicyTier('user', file)),
          asked,
        ).effect;
      expect(effectOf(reversed(other), reversed(one))).toBe(effectOf(one, other));
    }),
    { numRuns: 1_000 },
  );
});

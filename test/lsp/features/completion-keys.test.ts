import { describe, expect, it, test } from 'vitest';
import { accept, complete, itemNamed, labelsOf, withCursor } from './cursor-text';
import { action, registryOf } from './registry-double';

const registry = registryOf([
  action('shop.order', {
    arguments_schema: { type: 'object', properties: { amount: { type: 'integer' }, urgent: { type: 'boolean' } } },
  }),
]);
const head = 'action_id: shop.new\n';

describe('completion of keys', () => {
  // source, label, text after the item is accepted
  test.each([
    ['a new document', '|', 'action_id', 'action_id: '],
    ['the cursor below other keys', `${head}|`, 'title', `${head}title: `],
    ['a half-typed key', `${head}tit|`, 'title', `${head}title: `],
    [
      'a half-typed key with more keys below',
      'action_id: a\nti|\narguments_schema: {}',
      'title',
      'action_id: a\ntitle: \narguments_schema: {}',
    ],
    ['a half-typed first key with more keys below', 'ki|\nargs: []', 'title', 'title: \nargs: []'],
    ['a cursor inside the word', `${head}ti|tel`, 'title', `${head}title: `],
    ['a key that has its colon', `${head}ti|: x`, 'title', `${head}title: x`],
    ['a key in quotes', `${head}"ti|": x`, 'title', `${head}"title": x`],
    ['a half-typed key in quotes', `${head}"ti|"`, 'title', `${head}"title"`],
    ['a key with one possible value', '|', 'resource_type', 'resource_type: '],
    ['a key whose document is known', 'recipe_id: a\n|', 'resource_type', 'recipe_id: a\nresource_type: recipe'],
    ['a number with a smallest value', `${head}|`, 'version', `${head}version: \${1:1}`],
    ['a mapping', `${head}|`, 'handler', `${head}handler:\n  `],
    ['a sequence', `${head}|`, 'verify', `${head}verify:\n  - `],
    ['long Markdown', 'pack_id: a\n▮', 'conventions', 'pack_id: a\nconventions: |\n  '],
    ['a value that may be a mapping or a scalar', `${head}|`, 'undo', `${head}undo: `],
    ['a nested mapping', `${head}handler:\n  |`, 'type', `${head}handler:\n  type: `],
    [
      'a nested mapping with wide indentation',
      `${head}handler:\n    type: command\n    |`,
      'argv',
      `${head}handler:\n    type: command\n    argv:\n      - `,
    ],
    [
      'a nested half-typed key above another',
      `${head}handler:\n  ar|\n  type: command`,
      'argv',
      `${head}handler:\n  argv:\n    - \n  type: command`,
    ],
    ['a half-typed key in a sequence item', 'recipe_id: a\nsteps:\n- a|', 'action', 'recipe_id: a\nsteps:\n- action: '],
    ['an item at the column of its key', 'recipe_id: a\nsteps:\n- |', 'action', 'recipe_id: a\nsteps:\n- action: '],
    [
      'an item indented by four',
      `${head}examples:\n    - |`,
      'arguments',
      `${head}examples:\n    - arguments:\n        `,
    ],
    ['an item indented by nothing', `${head}examples:\n- |`, 'arguments', `${head}examples:\n- arguments:\n    `],
    ['a wide gap behind the dash', `${head}examples:\n-   |`, 'arguments', `${head}examples:\n-   arguments:\n      `],
    ['no gap behind the dash', `${head}examples:\n  -|`, 'arguments', `${head}examples:\n  - arguments:\n      `],
    [
      'the second key of an item',
      `${head}examples:\n  - title: a\n    |`,
      'goal',
      `${head}examples:\n  - title: a\n    goal: `,
    ],
    [
      'the first key of an item with more keys below',
      'recipe_id: a\nsteps:\n  - |\n    why: b',
      'action',
      'recipe_id: a\nsteps:\n  - action: \n    why: b',
    ],
    ['a missing dash', `${head}examples:\n  |`, 'arguments', `${head}examples:\n  - arguments:\n      `],
    [
      'a missing dash of a second item',
      'recipe_id: a\nsteps:\n  - b\n  |',
      'action',
      'recipe_id: a\nsteps:\n  - b\n  - action: ',
    ],
    [
      'a missing dash before other items',
      'recipe_id: a\nsteps:\n  |\n  - b',
      'action',
      'recipe_id: a\nsteps:\n  - action: \n  - b',
    ],
    ['an empty flow mapping', `${head}handler: { | }`, 'type', `${head}handler: { type:  }`],
    [
      'a flow mapping behind a comma',
      `${head}handler: { type: command, | }`,
      'argv',
      `${head}handler: { type: command, argv: [$0] }`,
    ],
    [
      'a flow mapping in a flow mapping',
      `${head}handler: { type: command, | }`,
      'env',
      `${head}handler: { type: command, env: { $0 } }`,
    ],
    ['a half-typed key in a flow mapping', `${head}handler: { ty| }`, 'type', `${head}handler: { type:  }`],
    [
      'an unclosed flow mapping',
      `${head}handler: { |\nside_effect: R`,
      'type',
      `${head}handler: { type: \nside_effect: R`,
    ],
    [
      'a flow mapping over several lines',
      `${head}handler: {\n  type: command,\n  | }`,
      'cwd',
      `${head}handler: {\n  type: command,\n  cwd:  }`,
    ],
    [
      'keywords of JSON Schema',
      `${head}arguments_schema:\n  |`,
      'properties',
      `${head}arguments_schema:\n  properties:\n    `,
    ],
    ['the type of the arguments', `${head}arguments_schema:\n  |`, 'type', `${head}arguments_schema:\n  type: object`],
    [
      'keywords of a property',
      `${head}arguments_schema:\n  properties:\n    a:\n      |`,
      'enum',
      `${head}arguments_schema:\n  properties:\n    a:\n      enum:\n        - `,
    ],
    [
      'keywords deep in the output',
      `${head}output_schema:\n  items:\n    properties:\n      a:\n        items:\n          |`,
      'minimum',
      `${head}output_schema:\n  items:\n    properties:\n      a:\n        items:\n          minimum: `,
    ],
    [
      'arguments of an example',
      `${head}arguments_schema:\n  properties: { count: { type: integer } }\nexamples:\n  - arguments:\n      |`,
      'count',
      `${head}arguments_schema:\n  properties: { count: { type: integer } }\nexamples:\n  - arguments:\n      count: `,
    ],
    [
      'arguments for another action',
      `${head}verify:\n  - action: shop.order\n    arguments: { | }`,
      'amount',
      `${head}verify:\n  - action: shop.order\n    arguments: { amount:  }`,
    ],
    ['CRLF', 'action_id: a\r\nhandler:\r\n  |\r\n', 'argv', 'action_id: a\r\nhandler:\r\n  argv:\r\n    - \r\n'],
    ['CR', 'action_id: a\rhandler:\r  |', 'argv', 'action_id: a\rhandler:\r  argv:\r    - '],
    ['a byte order mark', '\uFEFFaction_id: a\n|', 'handler', '\uFEFFaction_id: a\nhandler:\n  '],
    ['a comment behind the cursor', `${head}examples:\n  - | # first`, 'goal', `${head}examples:\n  - goal:  # first`],
    [
      'the second document',
      'pack_id: a\n---\naction_id: b\n|',
      'handler',
      'pack_id: a\n---\naction_id: b\nhandler:\n  ',
    ],
    ['a document between others', 'pack_id: a\n---\nrecipe_id: b\n|\n---\naction_id: c\n', 'body', null],
    [
      'the line below a block scalar',
      'recipe_id: a\nbody: |\n  text\n\n▮',
      'steps',
      'recipe_id: a\nbody: |\n  text\n\nsteps:\n  - ',
    ],
    ['the line below a flow sequence', `${head}tags: [a,\n  b]\n|`, 'title', `${head}tags: [a,\n  b]\ntitle: `],
    [
      'the line below a quoted text of two lines',
      `${head}summary: "a\n  b"\n|`,
      'title',
      `${head}summary: "a\n  b"\ntitle: `,
    ],
    ['the line below an unclosed quote', `${head}summary: "a\n|`, 'title', `${head}summary: "a\ntitle: `],
    ['a line between keys', 'action_id: a\n|\nversion: 1\n', 'title', 'action_id: a\ntitle: \nversion: 1\n'],
    ['a permission', `${head}acl:\n  |`, 'execute', `${head}acl:\n  execute:\n    - `],
  ])('%s', (_, source, label, expected) => {
    const { text, list } = complete(source, { registry });
    const accepted = accept(text, itemNamed(list, label));
    if (expected !== null) expect(accepted).toBe(expected);
  });

  it('offers required keys first and leaves out keys that are there', () => {
    const { list } = complete('action_id: a\nversion: 1\nsummary: b\n|\nrisk_level: low\n');
    expect(labelsOf(list).slice(0, 5)).toEqual([
      'title',
      'arguments_schema',
      'handler',
      'side_effect',
      'resource_type',
    ]);
    for (const present of ['action_id', 'version', 'summary', 'risk_level'])
      expect(labelsOf(list)).not.toContain(present);
  });

  it('offers the very key under the cursor again', () => {
    expect(labelsOf(complete('action_id: a\nti|tle: b').list)).toContain('title');
  });

  test.each([
    ['command', ['argv', 'cwd', 'env', 'pass_env', 'stdin']],
    ['script', ['file', 'interpreter', 'cwd', 'env', 'pass_env']],
  ])('offers the keys of a %s handler only', (type, expected) => {
    expect(labelsOf(complete(`${head}handler:\n  type: ${type}\n  |`).list)).toEqual(expected);
  });

  it('offers the keys of every handler while the type is unknown', () => {
    expect(labelsOf(complete(`${head}handler:\n  |`).list)).toEqual(expect.arrayContaining(['argv', 'file', 'type']));
  });

  it.each([
    ['pack_id: a\n|', 'conventions', 'handler'],
    ['recipe_id: a\n|', 'steps', 'handler'],
    ['resource_type: action\n|', 'handler', 'steps'],
    ['steps:\n  - a\n|', 'recipe_id', 'pack_id'],
    ['pack_id: a\n---\naction_id: b\n|', 'handler', 'conventions'],
  ])('in %j offers %s, not %s', (source, offered, absent) => {
    const labels = labelsOf(complete(source).list);
    expect(labels).toContain(offered);
    expect(labels).not.toContain(absent);
  });

  it('documents each key with the description of the schema', () => {
    const { list } = complete(`${head}|`);
    expect(itemNamed(list, 'reversible')).toMatchObject({
      documentation: { kind: 'markdown', value: 'Whether its effect can be undone. Shown in the confirmation dialog.' },
    });
    expect(itemNamed(list, 'handler').detail).toBe('required');
    for (const item of list.items) expect(item.documentation).toBeDefined();
  });

  it('asks for suggestions again where the value has some', () => {
    const { list } = complete(`${head}|`);
    expect(itemNamed(list, 'side_effect').command?.command).toBe('editor.action.triggerSuggest');
    expect(itemNamed(list, 'intents').command).toBeDefined();
    expect(itemNamed(list, 'title').command).toBeUndefined();
    expect(itemNamed(list, 'aliases').command).toBeUndefined();
  });

  test.each([
    ['a comment', `${head}# ti|`],
    ['a comment behind a value', `${head}version: 1 # |`],
    ['a block scalar', 'recipe_id: a\nbody: |\n  ti▮tle\n'],
    ['a blank line in a block scalar', 'recipe_id: a\nbody: |\n  b\n▮\n  c\n'],
    ['the first line of a block scalar', 'recipe_id: a\nbody: >-\n  |'],
    ['a block scalar in a sequence', 'recipe_id: a\nsteps:\n  - |\n    te▮xt\n'],
    ['the header of a block scalar', 'recipe_id: a\nbody: |▮'],
    ['free text', `${head}title: so|me`],
    ['the second line of a text', `${head}summary: a\n  b|`],
    ['the second line of a quoted text', `${head}summary: 'a\n  b| c'`],
    ['a blank line inside a text', `${head}summary: a\n  |\n  b`],
    ['a marker', `${head}--|-\npack_id: a`],
    ['a directive', '%YAML| 1.2\n---\npack_id: a'],
    ['the blanks before a key', `${head}handler:\n | type: command`],
    ['the blanks behind a key without a colon', `${head}title |`],
    ['the blanks behind a value', `${head}side_effect: R |`],
    ['deeper than a finished value', `${head}version: 1\n    |`],
    ['between the columns of a mapping', `${head}handler:\n    type: command\n  |`],
    ['behind a value in a flow mapping', `${head}handler: { type: command | }`],
    ['behind a closed flow collection', `${head}handler: { type: command } |`],
    ['the name of a property', `${head}arguments_schema:\n  properties:\n    |`],
    ['an unknown key', `${head}nonsense:\n  |`],
    ['a text where an object is expected', `${head}examples: no\nhandler:\n  argv:\n    a: |`],
  ])('offers nothing in %s', (_, source) => {
    expect(labelsOf(complete(source, { registry }).list)).toEqual([]);
  });

  it('offers nothing in a file that the registry refuses for its size', () => {
    const { text, offset } = withCursor(`${head}|`);
    const large = text + `# ${'x'.repeat(256 * 1024)}\n`;
    expect(complete(`${large.slice(0, offset)}▮${large.slice(offset)}`).list.items).toEqual([]);
  });
});

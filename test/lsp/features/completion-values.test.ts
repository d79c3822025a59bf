import { describe, expect, it, test } from 'vitest';
import { accept, complete, itemNamed, labelsOf } from './cursor-text';
import { action, pack, registryOf, scopeNamed } from './registry-double';

const registry = registryOf([
  pack('shop', { title: 'The *shop*', summary: 'Sells.\n![x](http://a.b/c.png)', tags: ['team', 'yes', 'a: b'] }),
  pack('shop.stock'),
  action('shop.buy', { intents: ['create', 'order'], entities: ['cart'], symptoms: ['empty'], feature_flag: 'beta' }),
  action('shop.stock.count', {
    title: 'Count',
    summary: 'Counts.',
    intents: ['list', 'create'],
    side_effect: 'W-local',
  }),
  action('shop.stock.fill', { intents: ['create'], tags: ['team'] }),
]);
const head = 'action_id: shop.stock.new\n';
const args = `${head}arguments_schema:
  required: [name]
  properties:
    name: { type: string, description: Whose. }
    count:
      type: integer
`;

describe('completion of values', () => {
  // source, label, text after the item is accepted
  test.each([
    ['an enum', `${head}side_effect: |`, 'W-local', `${head}side_effect: W-local`],
    ['an enum without a blank', `${head}side_effect:|`, 'R', `${head}side_effect: R`],
    ['a half-typed enum', `${head}side_effect: W-|`, 'W-shared', `${head}side_effect: W-shared`],
    ['an enum that is there', `${head}risk_level: l|ow # so`, 'high', `${head}risk_level: high # so`],
    ['an enum in quotes', `${head}risk_level: "l|"`, 'low', `${head}risk_level: "low"`],
    ['an enum behind an open quote', `${head}risk_level: 'l|`, 'low', `${head}risk_level: 'low`],
    ['an enum on its own line', `${head}risk_level:\n  |`, 'low', `${head}risk_level:\n  low`],
    ['an enum before a comment', `${head}risk_level: | # how bad`, 'low', `${head}risk_level: low # how bad`],
    ['a boolean', `${head}reversible: |`, 'true', `${head}reversible: true`],
    [
      'a boolean of a keyword',
      `${head}output_schema:\n  additionalProperties: |`,
      'false',
      `${head}output_schema:\n  additionalProperties: false`,
    ],
    ['a constant', `${head}handler:\n  type: sc|`, 'script', `${head}handler:\n  type: script`],
    [
      'another constant in place of one',
      `${head}handler:\n  argv: [a]\n  type: comm|and`,
      'script',
      `${head}handler:\n  argv: [a]\n  type: script`,
    ],
    ['a value in a flow mapping', `${head}handler: { type: | }`, 'command', `${head}handler: { type: command }`],
    [
      'a value in a flow mapping without a blank',
      `${head}handler: {type:|}`,
      'command',
      `${head}handler: {type: command}`,
    ],
    ['an item', `${head}supported_os:\n  - |`, 'linux', `${head}supported_os:\n  - linux`],
    ['an item at the column of its key', `${head}supported_os:\n- |`, 'linux', `${head}supported_os:\n- linux`],
    ['an item without a blank', `${head}supported_os:\n  -|`, 'linux', `${head}supported_os:\n  - linux`],
    ['an item whose dash is missing', `${head}supported_os:\n  |`, 'linux', `${head}supported_os:\n  - linux`],
    [
      'a second item whose dash is missing',
      `${head}supported_os:\n  - linux\n  |`,
      'macos',
      `${head}supported_os:\n  - linux\n  - macos`,
    ],
    ['an item of a flow sequence', `${head}supported_os: [linux, |]`, 'macos', `${head}supported_os: [linux, macos]`],
    ['a half-typed item of a flow sequence', `${head}supported_os: [ma|]`, 'macos', `${head}supported_os: [macos]`],
    [
      'an unclosed flow sequence',
      `${head}supported_os: [|\nversion: 1`,
      'macos',
      `${head}supported_os: [macos\nversion: 1`,
    ],
    [
      'a type of JSON Schema',
      `${head}arguments_schema:\n  properties:\n    a: { type: | }`,
      'integer',
      `${head}arguments_schema:\n  properties:\n    a: { type: integer }`,
    ],
    [
      'one of several types',
      `${head}output_schema:\n  type: [string, |]`,
      'null',
      `${head}output_schema:\n  type: [string, "null"]`,
    ],
    [
      'a format of JSON Schema',
      `${head}output_schema:\n  format: |`,
      'date-time',
      `${head}output_schema:\n  format: date-time`,
    ],
    [
      'a required property',
      `${args}output_schema:\n  properties: { a: {}, b: {} }\n  required: [|]`,
      'b',
      `${args}output_schema:\n  properties: { a: {}, b: {} }\n  required: [b]`,
    ],
    [
      'an argument of an example',
      `${head}arguments_schema:\n  properties: { os: { enum: [x, 'y'] } }\nexamples:\n  - arguments: { os: | }`,
      'y',
      `${head}arguments_schema:\n  properties: { os: { enum: [x, 'y'] } }\nexamples:\n  - arguments: { os: "y" }`,
    ],
    [
      'a script',
      `${head}handler:\n  type: script\n  file: |`,
      'a b.mjs',
      `${head}handler:\n  type: script\n  file: a b.mjs`,
    ],
    [
      'a file that is needed',
      `${head}required_context:\n  - |`,
      'file:x.py',
      `${head}required_context:\n  - file:x.py`,
    ],
    ['a time', `${head}timeout: |`, '30s', `${head}timeout: 30s`],
    ['a principal', `${head}acl:\n  execute:\n    - |`, '*', `${head}acl:\n  execute:\n    - "*"`],
    ['a reference', `${head}undo: |`, 'shop.buy', `${head}undo: shop.buy`],
    [
      'a half-typed reference',
      `${head}verify:\n  - shop.st|`,
      'shop.stock.count',
      `${head}verify:\n  - shop.stock.count`,
    ],
    [
      'a reference with a reason',
      `${head}next_actions:\n  - action: |`,
      'shop.buy',
      `${head}next_actions:\n  - action: shop.buy`,
    ],
    ['the first reference of a list', `${head}verify:\n  |`, 'shop.buy', `${head}verify:\n  - shop.buy`],
    ['a reference in a flow sequence', `${head}verify: [ | ]`, 'shop.buy', `${head}verify: [ shop.buy ]`],
    [
      'a step of a recipe',
      'recipe_id: a\nsteps:\n  - action: sh|\n    why: b',
      'shop.buy',
      'recipe_id: a\nsteps:\n  - action: shop.buy\n    why: b',
    ],
    ['an id in its pack', 'action_id: |', 'shop.stock.', 'action_id: shop.stock.'],
    ['a recipe id in its pack', 'recipe_id: sh|', 'shop.', 'recipe_id: shop.'],
    ['a phrase in use', `${head}intents: [list, |]`, 'create', `${head}intents: [list, create]`],
    ['a phrase that reads as something else', `${head}tags:\n  - |`, 'yes', `${head}tags:\n  - "yes"`],
    ['a phrase that needs quotes', `${head}tags:\n  - |`, 'a: b', `${head}tags:\n  - "a: b"`],
    ['a phrase in quotes', `${head}tags: ['|']`, 'a: b', `${head}tags: ['a: b']`],
    ['a flag in use', `${head}feature_flag: |`, 'beta', `${head}feature_flag: beta`],
    [
      'CRLF',
      'action_id: a\r\nside_effect: W|\r\nversion: 1\r\n',
      'W-local',
      'action_id: a\r\nside_effect: W-local\r\nversion: 1\r\n',
    ],
    ['emoji before the cursor', `{ title: "😀", risk_level: | }`, 'low', `{ title: "😀", risk_level: low }`],
    [
      'a placeholder',
      `${args}handler:\n  argv:\n    - a\n    - |`,
      '${args.name}',
      `${args}handler:\n  argv:\n    - a\n    - \${args.name}`,
    ],
    [
      'a half-typed placeholder',
      `${args}handler:\n  argv:\n    - --n=\${ar|`,
      '${args.count}',
      `${args}handler:\n  argv:\n    - --n=\${args.count}`,
    ],
    [
      'a placeholder after a dollar sign',
      `${args}handler:\n  cwd: $|`,
      '${workspaceFolder}',
      `${args}handler:\n  cwd: \${workspaceFolder}`,
    ],
    [
      'a closed placeholder',
      `${args}handler:\n  stdin: "a \${args.n|} b"`,
      '${args.count}',
      `${args}handler:\n  stdin: "a \${args.count} b"`,
    ],
    [
      'a second placeholder',
      `${args}affected_resources:\n  - \${args.name}/\${|`,
      '${args.count}',
      `${args}affected_resources:\n  - \${args.name}/\${args.count}`,
    ],
    [
      'a placeholder in a flow sequence',
      `${args}handler: { argv: [ls, |] }`,
      '${args.name}',
      `${args}handler: { argv: [ls, "\${args.name}"] }`,
    ],
    [
      'a half-typed placeholder in a flow sequence',
      `${args}handler: { argv: [ls, \${ar|] }`,
      '${args.name}',
      `${args}handler: { argv: [ls, "\${args.name}"] }`,
    ],
    [
      'a placeholder in quotes in a flow sequence',
      `${args}handler: { argv: ["x\${|"] }`,
      '${args.name}',
      `${args}handler: { argv: ["x\${args.name}"] }`,
    ],
    [
      'a variable',
      `${args}handler:\n  pass_env: [HOME]\n  env:\n    A: |`,
      '${env.HOME}',
      `${args}handler:\n  pass_env: [HOME]\n  env:\n    A: \${env.HOME}`,
    ],
    [
      'a secret',
      `${args}required_credentials: [TOKEN]\nhandler:\n  env: { A: "|" }`,
      '${secret.TOKEN}',
      `${args}required_credentials: [TOKEN]\nhandler:\n  env: { A: "\${secret.TOKEN}" }`,
    ],
  ])('%s', (_, source, label, expected) => {
    const { text, list } = complete(source, { registry, files: ['a b.mjs', 'x.py'] });
    expect(accept(text, itemNamed(list, label))).toBe(expected);
  });

  it('documents an allowed value with the sentence that speaks of it', () => {
    const { list } = complete(`${head}side_effect: |`);
    expect(itemNamed(list, 'W-local').detail).toBe('changes this machine or workspace.');
    expect(itemNamed(list, 'W-local').documentation).toMatchObject({
      value: expect.stringContaining('The strongest effect') as string,
    });
    expect(itemNamed(complete(`${head}handler:\n  type: |`).list, 'script').documentation).toMatchObject({
      value: expect.stringContaining('Runs a script') as string,
    });
  });

  it('offers only actions where an action is needed, those of the same pack first, never the action itself', () => {
    const own = registryOf([...registry.all(), action('shop.stock.new')]);
    expect(labelsOf(complete(`${head}undo: |`, { registry: own }).list)).toEqual([
      'shop.stock.count',
      'shop.stock.fill',
      'shop.buy',
    ]);
  });

  it('documents a reference with title, summary and effect, whatever Markdown they hold', () => {
    expect(itemNamed(complete(`${head}undo: |`, { registry }).list, 'shop.stock.count')).toMatchObject({
      detail: 'Count',
      documentation: { kind: 'markdown', value: '**Count**\n\nCounts\\.\n\n`W-local` · low risk' },
    });
    expect(itemNamed(complete('action_id: |', { registry }).list, 'shop.').documentation).toMatchObject({
      value: '**The \\*shop\\***\n\nSells\\. \\!\\[x\\]\\(http://a\\.b/c\\.png\\)',
    });
  });

  it('names the scope of an id that stands in several', () => {
    const several = registryOf([
      action('a.b'),
      action('a.b', {}, scopeNamed('other one')),
      action('a.c', {}, scopeNamed('other one')),
    ]);
    const { text, list } = complete('undo: |\naction_id: a.b', { registry: several });
    expect(labelsOf(list).toSorted()).toEqual(['a.c', 'main:a.b', 'other one:a.b']);
    expect(accept(text, itemNamed(list, 'other one:a.b'))).toContain('undo: other one:a.b');
  });

  it('lists a part of many ids and says so', () => {
    const many = registryOf(Array.from({ length: 1000 }, (_, index) => action(`pack.action_${index}`)));
    const all = complete('undo: |\naction_id: x', { registry: many }).list;
    expect(all.isIncomplete).toBe(true);
    expect(all.items.length).toBeLessThan(1000);
    const typed = complete('undo: PA_99|\naction_id: x', { registry: many }).list;
    expect(typed.isIncomplete).toBe(false);
    expect(labelsOf(typed)).toContain('pack.action_999');
    expect(complete('undo: nothing_like_it|\naction_id: x', { registry: many }).list.items).toEqual([]);
  });

  it('offers phrases in use, the most used first, without those in the list', () => {
    expect(labelsOf(complete(`${head}intents:\n  - list\n  - |`, { registry }).list)).toEqual(['create', 'order']);
    expect(labelsOf(complete(`${head}entities:\n  - |`, { registry }).list)).toEqual(['cart']);
    expect(labelsOf(complete(`${head}aliases:\n  - |`, { registry }).list)).toEqual([]);
  });

  it('offers placeholders only where they are filled in', () => {
    expect(labelsOf(complete(`${args}summary: \${|`, { registry }).list)).toEqual([]);
    expect(labelsOf(complete(`${args}handler:\n  file: \${|`, { registry }).list)).toEqual([]);
    expect(labelsOf(complete(`${args}handler:\n  argv: [a\${|]`, { registry }).list)).toEqual([]);
    expect(labelsOf(complete(`${args}handler:\n  argv:\n    - ab|`, { registry }).list)).toEqual([]);
  });

  it('says of an argument what its schema says', () => {
    const { list } = complete(`${args}handler:\n  cwd: \${|`);
    expect(itemNamed(list, '${args.name}')).toMatchObject({
      detail: 'string, required',
      documentation: { value: 'Whose.' },
    });
    expect(itemNamed(list, '${args.count}')).toMatchObject({ detail: 'integer' });
  });
});

describe('completion of resources', () => {
  // source, text before the template, text behind it
  test.each([
    ['an empty file', '|', '', ''],
    ['a byte order mark', '\uFEFF|', '\uFEFF', ''],
    ['a half-typed word', 'act|', '', ''],
    ['a file with a comment, below it', '# c\n|', '# c\n', ''],
    ['a file with a comment, at its start', '|# c\n', '', '# c\n'],
    ['a lone marker, at its start', '|---', '---\n', ''],
    ['a marker and a comment, at their start', '|---\n# c', '---\n', '\n# c'],
    ['a lone marker, below it', '---\n|', '---\n', ''],
    ['a new document', 'pack_id: a\n---\n|', 'pack_id: a\n---\n', ''],
  ])('offers templates in %s', (_, source, before, behind) => {
    const { text, list } = complete(source);
    expect(labelsOf(list).slice(0, 3)).toEqual(['action', 'pack', 'recipe']);
    const accepted = accept(text, itemNamed(list, 'pack'));
    expect(accepted.startsWith(`${before}resource_type: pack\npack_id: \${1:`)).toBe(true);
    expect(accepted.endsWith(`}\n${behind}`)).toBe(true);
  });

  test.each(['action_id: a\n|', '  |', '|---\nversion: 1', '|version: 1', '# c\nversion: 1\n|', '--|-', 'version: |'])(
    'offers no template in %j',
    (source) => {
      expect(labelsOf(complete(source).list)).not.toContain('recipe');
    },
  );

  it('keeps CRLF', () => {
    const { text, list } = complete('# c\r\n|');
    expect(accept(text, itemNamed(list, 'recipe')).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});

import { describe, expect, it, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver';
import { parse } from 'yaml';
import { validateAction, validatePack, validateRecipe } from '../../../capabilities/generated/validators';
import { provideCodeActions } from '../../../server/features/code-action-provider';
import { PositionIndex } from '../../../server/features/position';
import { renderTemplateText, resourceTemplates } from '../../../server/features/resource-templates';
import { withCursor } from './cursor-text';

const uri = 'file:///a.yaml';

function diagnosticAt(text: string, offset: number, part: Partial<Diagnostic>): Diagnostic {
  const start = new PositionIndex(text).positionAt(offset);
  return { range: { start, end: start }, message: 'm', source: 'capabilities', ...part };
}

/** Titles of the fixes for a diagnostic at the cursor, with the text after each. */
function fixes(marked: string, part: Partial<Diagnostic>): { readonly title: string; readonly text: string }[] {
  const { text, offset } = withCursor(marked);
  const positions = new PositionIndex(text);
  const actions = provideCodeActions({ uri, text, diagnostics: [diagnosticAt(text, offset, part)] });
  return actions.map(({ title, edit }) => {
    const [change] = edit?.changes?.[uri] ?? [];
    if (change === undefined) throw new Error('An edit expected');
    const { start, end } = positions.spanOf(change.range);
    return { title, text: text.slice(0, start) + change.newText + text.slice(end) };
  });
}

describe('code actions', () => {
  test.each([
    ['|', ''],
    ['|# c', '# c\n'],
    ['|# c\r\n', '# c\r\n'],
    ['|---\n', '---\n'],
    ['|\uFEFF', '\uFEFF'],
  ])('write a first resource into %j', (source, before) => {
    const offered = fixes(source, { code: 'empty-file' });
    expect(offered.map(({ title }) => title)).toEqual([
      'Insert a new action',
      'Insert a new pack',
      'Insert a new recipe',
    ]);
    for (const { text } of offered) {
      expect(text.startsWith(`${before}resource_type: `)).toBe(true);
      if (before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    }
  });

  it('rename a misspelt key', () => {
    const text = 'titel: a';
    const range = new PositionIndex(text).rangeOf({ start: 0, end: 5 });
    const diagnostic = diagnosticAt(text, 0, {
      range,
      code: 'unknown-key',
      data: { kind: 'rename-key', key: 'title' },
    });
    expect(provideCodeActions({ uri, text, diagnostics: [diagnostic] })).toEqual([
      {
        title: "Change to 'title'",
        kind: 'quickfix',
        isPreferred: true,
        diagnostics: [diagnostic],
        edit: { changes: { [uri]: [{ range, newText: 'title' }] } },
      },
    ]);
  });

  test.each([
    ['|action_id: a\n', [], 'title', 'action_id: a\ntitle: TODO\n'],
    ['|action_id: a # c\n\n# d\n', [], 'version', 'action_id: a # c\nversion: 1\n\n# d\n'],
    ['|action_id: a\r\nversion: 1\r\n', [], 'risk_level', 'action_id: a\r\nversion: 1\r\nrisk_level: critical\r\n'],
    ['|action_id: a', [], 'side_effect', 'action_id: a\nside_effect: I'],
    ['action_id: a|', [], 'handler', 'action_id: a\nhandler:\n  type: command\n  argv:\n    - echo\n    - TODO'],
    ['|action_id: a', [], 'arguments_schema', 'action_id: a\narguments_schema:\n  type: object\n  properties: {}'],
    [
      'action_id: a\nhandler:\n    |cwd: b\nversion: 1',
      ['handler'],
      'type',
      'action_id: a\nhandler:\n    cwd: b\n    type: command\nversion: 1',
    ],
    [
      'action_id: a\nhandler:\n  |type: command\n',
      ['handler'],
      'argv',
      'action_id: a\nhandler:\n  type: command\n  argv:\n    - echo\n    - TODO\n',
    ],
    [
      'action_id: a\nexamples:\n- |title: b\n',
      ['examples', 0],
      'arguments',
      'action_id: a\nexamples:\n- title: b\n  arguments: {}\n',
    ],
    ['action_id: a\nnetwork_policy: |{}', ['network_policy'], 'allow', 'action_id: a\nnetwork_policy: { allow: [] }'],
    ['recipe_id: a\nsteps: [|{ why: b }]', ['steps', 0], 'action', 'recipe_id: a\nsteps: [{ action: TODO, why: b }]'],
    ['recipe_id: a\n---\n|recipe_id: b\n', [], 'steps', 'recipe_id: a\n---\nrecipe_id: b\nsteps:\n  - TODO\n'],
    ['pack_id: a\nconventions: |\n  text\n▮', [], 'title', 'pack_id: a\nconventions: |\n  text\ntitle: TODO\n'],
  ])('write a missing key: %j %j %s', (source, path, key, expected) => {
    const data = { kind: 'insert-key', key, path };
    expect(fixes(source, { code: 'missing-key', data })).toEqual([{ title: `Add '${key}'`, text: expected }]);
  });

  test.each([
    ['a diagnostic of another tool', { source: 'yaml', code: 'empty-file' }],
    ['a diagnostic without a repair', { code: 'missing-key' }],
    ['a path that is gone', { data: { kind: 'insert-key', key: 'a', path: ['gone'] } }],
    ['a path to a text', { data: { kind: 'insert-key', key: 'a', path: ['action_id'] } }],
    ['nested lines in a flow mapping', { data: { kind: 'insert-key', key: 'argv', path: ['handler'] } }],
    ['an unclosed flow mapping', { data: { kind: 'insert-key', key: 'cwd', path: ['acl'] } }],
    ['data of another shape', { data: { kind: 'insert-key', key: 'a' } }],
    ['data with another kind', { data: { kind: 'burn', key: 'a' } }],
    ['data with a number for a key', { data: { kind: 'rename-key', key: 1 } }],
    ['data that is text', { data: 'rename-key' }],
  ])('offer nothing for %s', (_, part) => {
    expect(fixes('|action_id: a\nhandler: { }\nacl: {', part)).toEqual([]);
  });

  it('offer nothing on a marker line', () => {
    expect(fixes('-|--\npack_id: a', { data: { kind: 'insert-key', key: 'title', path: [] } })).toEqual([]);
  });
});

describe('resource templates', () => {
  const validators = { action: validateAction, pack: validatePack, recipe: validateRecipe };

  test.each(resourceTemplates.map((template) => [template.type, template] as const))(
    'make a valid %s',
    (type, template) => {
      const definition: unknown = parse(renderTemplateText(template, '\n'));
      validators[type](definition);
      expect(validators[type].errors ?? []).toEqual([]);
    },
  );

  test.each(resourceTemplates.map((template) => [template.type, template] as const))(
    'take any text for a %s',
    (type, template) => {
      const values = { id: 'team.new', title: 'A: "b" # c', summary: '- {x}' };
      const definition: unknown = parse(renderTemplateText(template, '\r\n', values));
      expect(definition).toMatchObject({ [`${type}_id`]: 'team.new', title: values.title, summary: values.summary });
    },
  );
});

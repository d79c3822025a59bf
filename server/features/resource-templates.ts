import type { ResourceType } from '../../capabilities/models';
import { encodeScalar } from './completion/scalar-encoding';
import { escapeSnippet } from './snippet-text';

/** A piece of a template that a person fills in. */
export interface TemplateField {
  /** `id`, `title`, `summary` …: the same name is the same value. */
  readonly name: string;
  readonly value: string;
  /** Values to choose from; `value` is the first. */
  readonly choices?: readonly string[];
}

/** The beginning of a new resource, line by line: text and the pieces to fill in. */
export interface ResourceTemplate {
  readonly type: ResourceType;
  readonly title: string;
  readonly description: string;
  readonly lines: readonly (readonly (string | TemplateField)[])[];
}

const id = (value: string): TemplateField => ({ name: 'id', value });
const title = (value: string): TemplateField => ({ name: 'title', value });
const summary = (value: string): TemplateField => ({ name: 'summary', value });

const pack: ResourceTemplate = {
  type: 'pack',
  title: 'Capability pack',
  description: 'A group of actions and recipes with shared rules.',
  lines: [
    ['resource_type: pack'],
    ['pack_id: ', id('my_pack')],
    ['version: 1'],
    ['title: ', title('My pack')],
    ['summary: ', summary('What these capabilities are for.')],
    ['conventions: |'],
    ['  ', { name: 'conventions', value: 'What to check first, and what never to do.' }],
  ],
};

const action: ResourceTemplate = {
  type: 'action',
  title: 'Capability action',
  description: 'One executable leaf: its contract, its effect and how it is carried out.',
  lines: [
    ['resource_type: action'],
    ['action_id: ', id('my_pack.my_action')],
    ['version: 1'],
    ['title: ', title('My action')],
    ['summary: ', summary('What it does, and to which objects.')],
    ['arguments_schema:'],
    ['  type: object'],
    ['  additionalProperties: false'],
    ['  properties: {}'],
    ['handler:'],
    ['  type: command'],
    ['  argv:'],
    ['    - ', { name: 'program', value: 'git' }],
    ['    - ', { name: 'argument', value: 'status' }],
    ['side_effect: ', { name: 'side_effect', value: 'R', choices: ['R', 'W-local', 'W-shared', 'I'] }],
    ['risk_level: ', { name: 'risk_level', value: 'low', choices: ['low', 'medium', 'high', 'critical'] }],
  ],
};

const recipe: ResourceTemplate = {
  type: 'recipe',
  title: 'Capability recipe',
  description: 'Operating knowledge: steps for a person or an agent to follow.',
  lines: [
    ['resource_type: recipe'],
    ['recipe_id: ', id('my_pack.my_recipe')],
    ['version: 1'],
    ['title: ', title('My recipe')],
    ['summary: ', summary('What the recipe helps with.')],
    ['steps:'],
    ['  - ', { name: 'step', value: 'What to do first.' }],
  ],
};

/** The templates, in the order they are offered. */
export const resourceTemplates: readonly ResourceTemplate[] = [action, pack, recipe];

/** The template as a snippet with tab stops; it ends with a line break. */
export function renderTemplateSnippet(template: ResourceTemplate, lineBreak: string): string {
  const stops = new Map<string, number>();
  const render = (piece: string | TemplateField): string => {
    if (typeof piece === 'string') return escapeSnippet(piece);
    const stop = stops.get(piece.name) ?? stops.size + 1;
    stops.set(piece.name, stop);
    const { choices } = piece;
    if (choices === undefined) return `\${${stop}:${escapeSnippet(piece.value)}}`;
    return `\${${stop}|${choices.map((choice) => choice.replaceAll(/[,|\\]/g, '\\$&')).join(',')}|}`;
  };
  return renderLines(template, lineBreak, render);
}

/**
 * The template as text that ends with a line break. `values` fill its fields by name (`id`, `title`, `summary`); they are
 * quoted where YAML needs it, so any text is safe.
 */
export function renderTemplateText(
  template: ResourceTemplate,
  lineBreak: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return renderLines(template, lineBreak, (piece) => {
    if (typeof piece === 'string') return piece;
    const value = Object.hasOwn(values, piece.name) ? values[piece.name] : undefined;
    return value === undefined ? piece.value : encodeScalar(value, { style: 'block' });
  });
}

function renderLines(
  template: ResourceTemplate,
  lineBreak: string,
  render: (piece: string | TemplateField) => string,
): string {
  return template.lines.map((line) => line.map(render).join('') + lineBreak).join('');
}

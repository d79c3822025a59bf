import * as vscode from 'vscode';
import type { DescribeReply } from '../../capabilities/models';

type Schema = Readonly<Record<string, unknown>>;
type Answer = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'left-out' };

/**
 * Asks for each argument of an action in turn. Returns undefined when the person stops. What they enter is only
 * shaped here; the engine validates it.
 */
export async function askForArguments(contract: DescribeReply): Promise<Record<string, unknown> | undefined> {
  const schema: Schema = { ...contract.arguments_schema };
  const properties = Object.entries(asSchema(schema['properties']));
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const values: Record<string, unknown> = {};
  for (const [index, [name, property]] of properties.entries()) {
    const title = `${contract.title} (${index + 1}/${properties.length}): ${name}`;
    const answer = await askForOne(title, asSchema(property), required.has(name));
    if (answer === undefined) return undefined;
    if (answer.kind === 'value') values[name] = answer.value;
  }
  return values;
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

async function askForOne(title: string, schema: Schema, isRequired: boolean): Promise<Answer | undefined> {
  const choices = Array.isArray(schema['enum'])
    ? (schema['enum'] as unknown[])
    : schema['type'] === 'boolean'
      ? [true, false]
      : undefined;
  return choices ? askForChoice(title, schema, { choices, isRequired }) : askForText(title, schema, isRequired);
}

async function askForChoice(
  title: string,
  schema: Schema,
  options: { choices: readonly unknown[]; isRequired: boolean },
): Promise<Answer | undefined> {
  const items = options.choices.map((value) => ({ label: String(value), value, leftOut: false }));
  if (!options.isRequired) items.unshift({ label: defaultLabel(schema), value: undefined, leftOut: true });
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: description(schema),
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  return picked.leftOut ? { kind: 'left-out' } : { kind: 'value', value: picked.value };
}

async function askForText(title: string, schema: Schema, isRequired: boolean): Promise<Answer | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: [description(schema), isRequired ? '' : defaultLabel(schema)].filter(Boolean).join(' — '),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value === '' ? (isRequired ? vscode.l10n.t('A value is required.') : undefined) : invalidReason(value, schema),
  });
  if (text === undefined) return undefined;
  return text === '' ? { kind: 'left-out' } : { kind: 'value', value: parse(text, schema) };
}

function description(schema: Schema): string {
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

function defaultLabel(schema: Schema): string {
  return schema['default'] === undefined
    ? vscode.l10n.t('Leave out')
    : vscode.l10n.t('Default: {0}', JSON.stringify(schema['default']));
}

function invalidReason(text: string, schema: Schema): string | undefined {
  try {
    parse(text, schema);
    return undefined;
  } catch {
    return vscode.l10n.t('Write it as JSON, for example {0}', schema['type'] === 'array' ? '["a", "b"]' : '42');
  }
}

/** Text stays text; every other type is written as JSON. */
function parse(text: string, schema: Schema): unknown {
  return schema['type'] === 'string' || schema['type'] === undefined ? text : (JSON.parse(text) as unknown);
}

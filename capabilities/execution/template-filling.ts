import { canonicalJson } from '../canonical-json';
import type { ActionResource, Problem, Result } from '../models';
import type { Machine } from '../ports';
import { parseTemplate, type TemplatePart } from '../placeholders';
import { brokenDefinition, invalidArguments, notAvailable } from './problems';

/** What placeholders stand for in one call. */
export interface TemplateScope {
  readonly actionId: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsSchema: Readonly<Record<string, unknown>>;
  readonly workspaceFolder: string;
  /** Host variables the handler declares in `pass_env`. */
  readonly passEnv: readonly string[];
  readonly hostVariable: (name: string) => string | undefined;
}

/** What the placeholders of one call stand for. */
export function templateScope(
  resource: ActionResource,
  args: TemplateScope['arguments'],
  machine: Machine,
): TemplateScope {
  return {
    actionId: resource.id,
    arguments: args,
    argumentsSchema: resource.definition.arguments_schema,
    workspaceFolder: resource.scope.root,
    passEnv: resource.definition.handler.pass_env ?? [],
    hostVariable: (name) => machine.environmentVariable(name),
  };
}

/** Text of one part; `argument` names the string argument it comes from. */
export interface FilledPart {
  readonly text: string;
  readonly argument: string | undefined;
}

/** The parts of a template, or the definition's mistake. */
export function templateParts(template: string, actionId: string): Result<readonly TemplatePart[]> {
  const { parts, errors } = parseTemplate(template);
  const error = errors[0];
  return error === undefined
    ? { ok: true, value: parts }
    : { ok: false, problem: brokenDefinition(actionId, error.message) };
}

/** Fills a template into one text. Fails with the problem of the first part that has no value. */
export function fillTemplate(template: string, scope: TemplateScope): Result<string> {
  const filled = fillParts(template, scope);
  return filled.ok ? { ok: true, value: filled.value.map((part) => part.text).join('') } : filled;
}

/** Fills every part of a template; a part never becomes two. */
export function fillParts(template: string, scope: TemplateScope): Result<readonly FilledPart[]> {
  const parts = templateParts(template, scope.actionId);
  if (!parts.ok) return parts;
  const filled: FilledPart[] = [];
  for (const part of parts.value) {
    const result = fillPart(part, scope);
    if (!result.ok) return result;
    filled.push(result.value);
  }
  return { ok: true, value: filled };
}

/** An argument as text: strings as they are, numbers and booleans in JSON's form, lists and objects as JSON. */
export function argumentText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

/** The problem of an argument that the command needs and the call does not have. */
export function missingArgument(name: string, scope: TemplateScope): Problem {
  const message = "is needed by this action's command; give it a value";
  return invalidArguments(scope.actionId, [{ pointer: `/${name}`, message }]);
}

function fillPart(part: TemplatePart, scope: TemplateScope): Result<FilledPart> {
  switch (part.kind) {
    case 'literal':
      return { ok: true, value: { text: part.text, argument: undefined } };
    case 'workspaceFolder':
      return { ok: true, value: { text: scope.workspaceFolder, argument: undefined } };
    case 'args':
      return fillArgument(part.name, scope);
    case 'env':
      return fillVariable(part.name, scope);
    case 'secret': {
      const reason = `it needs the secret "${part.name}", and this host can't supply secrets to actions.`;
      return { ok: false, problem: notAvailable(scope.actionId, 'missing_credential', [reason]) };
    }
  }
}

function fillArgument(name: string, scope: TemplateScope): Result<FilledPart> {
  const value = Object.hasOwn(scope.arguments, name) ? scope.arguments[name] : undefined;
  if (value === undefined || value === null) return { ok: false, problem: missingArgument(name, scope) };
  return { ok: true, value: { text: argumentText(value), argument: typeof value === 'string' ? name : undefined } };
}

function fillVariable(name: string, scope: TemplateScope): Result<FilledPart> {
  if (!scope.passEnv.includes(name)) {
    const reason = `it uses \${env.${name}} without naming ${name} in \`pass_env\`.`;
    return { ok: false, problem: brokenDefinition(scope.actionId, reason) };
  }
  const text = scope.hostVariable(name);
  if (text === undefined) {
    const reason = `the environment variable ${name} is not set; the user has to set it and restart the editor.`;
    return { ok: false, problem: notAvailable(scope.actionId, 'missing_context', [reason]) };
  }
  return { ok: true, value: { text, argument: undefined } };
}

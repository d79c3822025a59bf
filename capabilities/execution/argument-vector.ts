import type { InputProblem, Problem, Result } from '../models';
import { argumentSchema, allowsOptionLikeValue, isObject, itemSchema, looksLikeOption } from './option-guard';
import { invalidArguments } from './problems';
import { argumentText, fillParts, templateParts, type FilledPart, type TemplateScope } from './template-filling';

/** The kernel's limit for one argument or variable is 128 KiB with its closing NUL. */
export const longestElementBytes = 131_071;

/**
 * Fills the elements after the program. One placeholder fills one element or part of one; only a lone `${args.list}` of a
 * list spreads. Fails with `invalid_arguments` for a value that would be taken for an option, or that is too long.
 */
export function fillArgumentVector(templates: readonly string[], scope: TemplateScope): Result<readonly string[]> {
  const elements: string[] = [];
  let isAfterSeparator = false;
  for (const template of templates) {
    const filled = fillElement(template, scope, isAfterSeparator);
    if (!filled.ok) return filled;
    elements.push(...filled.value);
    isAfterSeparator ||= template === '--';
  }
  return { ok: true, value: elements };
}

/** UTF-8 length of a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function fillElement(template: string, scope: TemplateScope, isAfterSeparator: boolean): Result<readonly string[]> {
  const list = loneArgument(template, scope);
  if (!list.ok) return list;
  if (list.value !== undefined && isList(list.value, scope)) return spread(list.value, scope, isAfterSeparator);
  const parts = fillParts(template, scope);
  if (!parts.ok) return parts;
  const text = parts.value.map((part) => part.text).join('');
  const problem = checkElement(text, parts.value, scope, isAfterSeparator);
  return problem === undefined ? { ok: true, value: [text] } : { ok: false, problem };
}

/** Name of the argument when the template is nothing but its placeholder. */
function loneArgument(template: string, scope: TemplateScope): Result<string | undefined> {
  const parts = templateParts(template, scope.actionId);
  if (!parts.ok) return parts;
  const [only, second] = parts.value;
  return { ok: true, value: only?.kind === 'args' && second === undefined ? only.name : undefined };
}

function isList(name: string, scope: TemplateScope): boolean {
  const value = ownValue(name, scope);
  if (value !== undefined) return Array.isArray(value);
  const schema = argumentSchema(scope.argumentsSchema, name);
  return isObject(schema) && schema['type'] === 'array';
}

/** A list that is not given is an empty one. */
function spread(name: string, scope: TemplateScope, isAfterSeparator: boolean): Result<readonly string[]> {
  const value = ownValue(name, scope);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const allows = isAfterSeparator || allowsOptionLikeValue(itemSchema(scope.argumentsSchema, name));
  const problems: InputProblem[] = [];
  const elements = items.map((item, index) => {
    const text = argumentText(item);
    const message = elementProblem(text, typeof item === 'string' && !allows);
    if (message !== undefined) problems.push({ pointer: `/${name}/${index}`, message });
    return text;
  });
  if (problems.length > 0) return { ok: false, problem: invalidArguments(scope.actionId, problems) };
  return { ok: true, value: elements };
}

function checkElement(
  text: string,
  parts: readonly FilledPart[],
  scope: TemplateScope,
  isAfterSeparator: boolean,
): Problem | undefined {
  // Empty parts do not shield what follows them: `${args.a}${args.b}` with an empty `a` begins with `b`.
  const opening = parts.find((part) => part.text !== '')?.argument;
  const mayLookLikeOption =
    opening === undefined || isAfterSeparator || allowsOptionLikeValue(argumentSchema(scope.argumentsSchema, opening));
  const message = elementProblem(text, !mayLookLikeOption);
  if (message === undefined) return undefined;
  const name = opening ?? parts.find((part) => part.argument !== undefined)?.argument;
  return invalidArguments(scope.actionId, [{ pointer: name === undefined ? '' : `/${name}`, message }]);
}

function elementProblem(text: string, isGuarded: boolean): string | undefined {
  if (isGuarded && looksLikeOption(text))
    return 'may not begin with "-" or "@": the program would take it for an option or a file of options';
  if (byteLength(text) > longestElementBytes)
    return 'makes a command element longer than 128 KiB, the limit of the system';
  return undefined;
}

function ownValue(name: string, scope: TemplateScope): unknown {
  const value = Object.hasOwn(scope.arguments, name) ? scope.arguments[name] : undefined;
  return value === null ? undefined : value;
}

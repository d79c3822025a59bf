/** Checks a handler beyond its structure: paths stay in the workspace, variables can't change how programs load code. */
import type { ActionDefinition, Diagnostic } from '../models';
import { parseTemplate } from '../placeholders';
import type { ValuePath } from './span-tree';
import type { YamlDocument } from './yaml-reader';

/** Whether a definition may not set or pass on a variable. */
export type ForbiddenVariable = (name: string) => boolean;

/** Checks the handler of an action with the right structure. */
export function checkHandler(
  { handler }: ActionDefinition,
  document: YamlDocument,
  isForbiddenVariable: ForbiddenVariable,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const checkPath = (key: string, text: string | undefined): void => {
    const problem = text === undefined ? undefined : describeEscape(text);
    if (problem === undefined) return;
    const message = `\`${key}\` must lie inside the workspace folder: ${problem}`;
    const span = document.spanOf(['handler', key], 'value');
    diagnostics.push({ code: 'path-outside-workspace', severity: 'error', message, span });
  };
  const checkVariable = (name: string, path: ValuePath, part: 'key' | 'value'): void => {
    if (!isForbiddenVariable(name)) return;
    const message = `\`${name}\` can't be set or passed on: it changes how programs find or load code, so that another command than the confirmed one could run.`;
    diagnostics.push({ code: 'invalid-value', severity: 'error', message, span: document.spanOf(path, part) });
  };

  checkPath('cwd', handler.cwd);
  if (handler.type === 'script') checkPath('file', handler.file);
  for (const name of Object.keys(handler.env ?? {})) checkVariable(name, ['handler', 'env', name], 'key');
  for (const [index, name] of (handler.pass_env ?? []).entries())
    checkVariable(name, ['handler', 'pass_env', index], 'value');
  return diagnostics;
}

/**
 * Why a path leads, or may lead, out of the folder it is relative to; undefined when it stays inside as far as the text
 * tells. What an argument adds, and where links lead, is checked again before a run.
 */
function describeEscape(text: string): string | undefined {
  const { parts } = parseTemplate(text);
  const [first, ...rest] = parts;
  if (rest.some(({ kind }) => kind === 'workspaceFolder'))
    return '`${workspaceFolder}` can only stand at its beginning.';
  const relative = parts
    .map((part) => (part.kind === 'literal' ? part.text : part.kind === 'workspaceFolder' ? '' : 'x'))
    .join('');
  const path = first?.kind === 'workspaceFolder' ? relative.replace(/^\//, '') : relative;
  if (first?.kind === 'workspaceFolder' && relative !== '' && !relative.startsWith('/')) {
    return 'write `${workspaceFolder}/` before the rest.';
  }
  if (path.startsWith('~')) return 'a path in the home folder is outside.';
  if (path.includes('\\')) return 'write `/` between folders, on every system.';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'write it relative to that folder.';
  let depth = 0;
  for (const segment of path.split('/')) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return '`..` leads out of it.';
  }
  return undefined;
}

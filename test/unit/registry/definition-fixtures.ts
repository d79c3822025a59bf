import { createHash, randomBytes } from 'node:crypto';
import { isForbiddenVariable } from '../../../capabilities/execution/forbidden-environment';
import type { Diagnostic, Scope } from '../../../capabilities/models';
import type { Digest } from '../../../capabilities/ports';
import type { DefinitionRules } from '../../../capabilities/registry/definition-validator';
import { parseDefinitionFile } from '../../../capabilities/registry/parse-definition-file';
import { Registry } from '../../../capabilities/registry/registry';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';

/** The rules as the product composes them. */
export const rules: DefinitionRules = { schemas: new SchemaCompiler(), isForbiddenVariable };

export const digest: Digest = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  randomId: () => randomBytes(16).toString('hex'),
};

export const workspace: Scope = { name: 'app', kind: 'workspace', root: '/app', definitions: '/app/.capabilities' };
export const user: Scope = {
  name: 'user',
  kind: 'user',
  root: '/home/.capabilities',
  definitions: '/home/.capabilities',
};

/** Text of an action that is in order; `extra` lines come last, and may replace a key of the same name. */
export function actionText(id: string, extra = ''): string {
  const lines: Record<string, string> = {
    action_id: id,
    version: '1',
    title: `Title of ${id}`,
    summary: `Summary of ${id}`,
    arguments_schema: '{type: object, properties: {name: {type: string}, list: {type: array, items: {type: string}}}}',
    handler: '{type: command, argv: [git, status]}',
    side_effect: 'R',
    risk_level: 'low',
  };
  const replaced = new Set(extra.split('\n').map((line) => line.split(':', 1)[0]));
  const kept = Object.entries(lines).filter(([key]) => !replaced.has(key));
  return `${kept.map(([key, value]) => `${key}: ${value}\n`).join('')}${extra === '' ? '' : `${extra}\n`}`;
}

export function packText(id: string, extra = ''): string {
  return `pack_id: ${id}\nversion: 1\ntitle: ${id}\nsummary: Pack ${id}\n${extra === '' ? '' : `${extra}\n`}`;
}

export function recipeText(id: string, extra = 'body: Do it.'): string {
  return `recipe_id: ${id}\nversion: 1\ntitle: ${id}\nsummary: Recipe ${id}\n${extra}\n`;
}

/** A registry with files by path; paths below /home belong to the user's scope. */
export function makeRegistry(files: Readonly<Record<string, string>> = {}): Registry {
  const registry = new Registry(digest);
  registry.setScopes([workspace, user]);
  for (const [path, text] of Object.entries(files)) put(registry, path, text);
  return registry;
}

export function put(registry: Registry, path: string, text: string): void {
  registry.update(path, path.startsWith('/home') ? user : workspace, parseDefinitionFile(text, rules));
}

/** `code "text at the place"`, one a diagnostic. */
export function show(diagnostics: readonly Diagnostic[], text: string): string[] {
  return diagnostics.map(({ code, span }) => `${code} ${JSON.stringify(text.slice(span.start, span.end))}`);
}

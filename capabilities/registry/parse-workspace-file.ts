/** Decides what a file below a scope's folder is, and reads it as that. */
import type { Scope } from '../models';
import type { DefinitionRules } from './definition-validator';
import { parseDefinitionFile } from './parse-definition-file';
import type { ParsedFile } from './parse-definition-file';
import { parsePolicyFile } from './parse-policy-file';
import { parseLexiconFile } from './parse-lexicon-file';

/** A file with where it stands. */
export interface WorkspaceFile {
  readonly path: string;
  readonly scope: Scope;
  readonly text: string;
}

/** Parses a file as what its name says: definitions, or the lexicon or the policy of its scope. */
export function parseWorkspaceFile({ path, scope, text }: WorkspaceFile, rules: DefinitionRules): ParsedFile {
  if (isLexicon(scope, path)) return parseLexiconFile(text, rules);
  if (isPolicy(scope, path)) return parsePolicyFile(text, rules.ruleMatcher ?? (() => false));
  return parseDefinitionFile(text, rules);
}

/** Whether a path is the lexicon of its scope: `lexicon.yaml` right in the folder of the definitions. */
export function isLexicon(scope: Pick<Scope, 'definitions'>, path: string): boolean {
  return /^lexicon\.ya?ml$/.test(below(scope, path));
}

/** Whether a path is the policy of its scope: `policy.yaml` right in the folder of the definitions. */
export function isPolicy(scope: Pick<Scope, 'definitions'>, path: string): boolean {
  return /^policy\.ya?ml$/.test(below(scope, path));
}

/** YAML files below `.capabilities/` that others read: the samples of the evaluation. */
export function isReserved(scope: Pick<Scope, 'definitions'>, path: string): boolean {
  return /^evaluation\//.test(below(scope, path));
}

function below({ definitions }: Pick<Scope, 'definitions'>, path: string): string {
  return path.slice(definitions.length).replaceAll('\\', '/').replace(/^\/+/, '');
}

/** Decides what a file below a scope's folder is, and reads it as that. */
import type { Scope } from '../models';
import type { DefinitionRules } from './definition-validator';
import { parseDefinitionFile } from './parse-definition-file';
import type { ParsedFile } from './parse-definition-file';
import { parseLexiconFile } from './parse-lexicon-file';

/** A file with where it stands. */
export interface WorkspaceFile {
  readonly path: string;
  readonly scope: Scope;
  readonly text: string;
}

/** Parses a file as what its name says: definitions, or the lexicon of its scope. */
export function parseWorkspaceFile({ path, scope, text }: WorkspaceFile, rules: DefinitionRules): ParsedFile {
  return isLexicon(scope, path) ? parseLexiconFile(text, rules) : parseDefinitionFile(text, rules);
}

/** Whether a path is the lexicon of its scope: `lexicon.yaml` right in the folder of the definitions. */
export function isLexicon(scope: Pick<Scope, 'definitions'>, path: string): boolean {
  return /^lexicon\.ya?ml$/.test(below(scope, path));
}

/** YAML files below `.capabilities/` that others read: the policy and the samples of the evaluation. */
export function isReserved(scope: Pick<Scope, 'definitions'>, path: string): boolean {
  return /^policy\.ya?ml$|^evaluation\//.test(below(scope, path));
}

function below({ definitions }: Pick<Scope, 'definitions'>, path: string): string {
  return path.slice(definitions.length).replaceAll('\\', '/').replace(/^\/+/, '');
}

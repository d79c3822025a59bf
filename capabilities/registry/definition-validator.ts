/** Says everything that is wrong with one document as a definition, and gives the definition when nothing is. */
import type {
  ActionDefinition,
  WrittenAction,
  Diagnostic,
  PackDefinition,
  RecipeDefinition,
  ResourceType,
  SchemaProblem,
} from '../models';
import { identifyDocument } from './definition-type';
import { checkHandler } from './handler-checks';
import type { ForbiddenVariable } from './handler-checks';
import { checkStructure } from './structure-checks';
import { checkTemplates } from './template-checks';
import type { SecretUse } from './template-checks';
import { toPath, valueAt } from './validation-findings';
import type { RuleMatcher } from './rule-matcher';
import type { YamlDocument } from './yaml-reader';

/** What the checks of a definition need of other parts. */
export interface DefinitionRules {
  readonly schemas: { check(schema: object): readonly SchemaProblem[] };
  /** The execution stage's list of variables that no definition may touch. */
  readonly isForbiddenVariable: ForbiddenVariable;
  /** The search stage's view of a phrase of a lexicon, for an intent when one is given: why it can't be used, or undefined. */
  readonly phraseProblem?: (phrase: string, intent: string | undefined) => string | undefined;
  /** The execution stage's reading of a rule, for the tests that rules carry. Without it every such test fails. */
  readonly ruleMatcher?: RuleMatcher;
}

/** A definition with its type. */
export type TypedDefinition =
  | { readonly type: 'pack'; readonly definition: PackDefinition }
  | { readonly type: 'action'; readonly definition: WrittenAction }
  | { readonly type: 'recipe'; readonly definition: RecipeDefinition };

/** Outcome for one document. */
export interface ValidatedDocument {
  readonly diagnostics: readonly Diagnostic[];
  /** The type, as far as it is clear. */
  readonly type: ResourceType | undefined;
  /** Undefined when there is an error. */
  readonly typed: TypedDefinition | undefined;
  /** Secrets that must be declared by a pack above. */
  readonly secrets: readonly SecretUse[];
}

/** Validates a document that the reader found sound. `text` is the whole file. */
export function validateDefinition(document: YamlDocument, text: string, rules: DefinitionRules): ValidatedDocument {
  const identified = identifyDocument(document);
  if (!identified.ok) {
    return { diagnostics: [identified.diagnostic], type: undefined, typed: undefined, secrets: [] };
  }
  const { type } = identified;
  const structure = checkStructure(document, type, text);
  const brokenParts = new Set(structure.map(({ path }) => path[0]));
  // Each check relies on the structure of the parts it looks at, and only on that.
  const isSound = (...parts: readonly string[]): boolean => !parts.some((part) => brokenParts.has(part));
  const diagnostics = structure.map(({ diagnostic }) => diagnostic);
  const value = identified.value as unknown;
  let secrets: readonly SecretUse[] = [];
  if (type === 'action') {
    const action = value as ActionDefinition;
    const schemaFindings = checkSchemas(document, isSound, rules);
    diagnostics.push(...schemaFindings);
    if (isSound('handler')) diagnostics.push(...checkHandler(action, document, rules.isForbiddenVariable));
    if (isSound('handler', 'arguments_schema', 'affected_resources', 'required_credentials')) {
      const templates = checkTemplates(action, document);
      diagnostics.push(...templates.diagnostics);
      secrets = action.required_credentials === undefined ? templates.secrets : [];
    }
  }
  if (isSound('side_effect', 'requires_confirmation', 'defaults')) diagnostics.push(...checkConfirmation(document));
  const isUsable = !diagnostics.some(({ severity }) => severity === 'error');
  const typed = isUsable ? ({ type, definition: value } as TypedDefinition) : undefined;
  return { diagnostics, type, typed, secrets };
}

function checkSchemas(
  document: YamlDocument,
  isSound: (part: string) => boolean,
  rules: DefinitionRules,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const key of ['arguments_schema', 'output_schema']) {
    const schema = valueAt(document.value, [key]);
    if (!isSound(key) || typeof schema !== 'object' || schema === null) continue;
    for (const problem of rules.schemas.check(schema)) diagnostics.push(toDiagnostic(problem, key, document));
    if (key === 'arguments_schema' && valueAt(schema, ['type']) !== 'object') {
      const message =
        'The arguments are a map of names and values: the top level of `arguments_schema` must say `type: object`.';
      const span =
        valueAt(schema, ['type']) === undefined
          ? document.spanOf([key], 'key')
          : document.spanOf([key, 'type'], 'value');
      const base = { code: 'invalid-schema', severity: 'error', message, span } as const;
      const isMissing = valueAt(schema, ['type']) === undefined;
      diagnostics.push(isMissing ? { ...base, fix: { kind: 'insert-key', key: 'type', path: [key] } } : base);
    }
  }
  return diagnostics;
}

function toDiagnostic(problem: SchemaProblem, key: string, document: YamlDocument): Diagnostic {
  const { code, severity, message } = problem;
  const path = [key, ...toPath(problem.pointer, valueAt(document.value, [key]))];
  const part = problem.about === 'keyword' || path.length === 1 ? 'key' : 'value';
  return { code, severity, message, span: document.spanOf(path, part) };
}

/** What can't be undone is always confirmed. */
function checkConfirmation(document: YamlDocument): readonly Diagnostic[] {
  const effect = valueAt(document.value, ['side_effect']);
  if (effect !== 'I' || valueAt(document.value, ['requires_confirmation']) !== false) return [];
  const message =
    "`side_effect: I` can't be undone, so every run is confirmed by a person. Remove `requires_confirmation: false`.";
  const span = document.spanOf(['requires_confirmation'], 'value');
  return [{ code: 'confirmation-required-for-irreversible', severity: 'error', message, span }];
}

/** Checks a definition against its schema and says what is wrong at the exact place, in words for the person who wrote it. */
import type { ErrorObject } from 'ajv';
import type { Diagnostic } from '../models';
import { validateAction, validateLexicon, validatePack, validatePolicy, validateRecipe } from '../generated/validators';
import { describeAmbiguousText } from './ambiguous-scalars';
import { ID_KEYS } from './definition-type';
import type { DocumentKind } from './definition-type';
import { descriptionAt, knownKeysAt } from './schema-catalog';
import type { TypedValue } from './schema-catalog';
import type { ValuePath } from './span-tree';
import { asSentence, interpretErrors, toPath, valueAt } from './validation-findings';
import type { ValidationFinding } from './validation-findings';
import type { YamlDocument } from './yaml-reader';

const VALIDATORS = {
  ...{ action: validateAction, pack: validatePack, recipe: validateRecipe },
  lexicon: validateLexicon,
  policy: validatePolicy,
} as const;

/** A diagnostic and the path of what it is about. */
export interface StructureFinding {
  readonly diagnostic: Diagnostic;
  readonly path: ValuePath;
}

/** Everything in which a document differs from the schema of its type. `text` is the whole file. */
export function checkStructure(document: YamlDocument, type: DocumentKind, text: string): readonly StructureFinding[] {
  const validator = VALIDATORS[type];
  if (validator(document.value)) return [];
  const definition = { type, value: document.value };
  const errors = (validator.errors ?? []).map((error) => explainPattern(error, definition));
  const findings = interpretErrors(errors, document.value, ({ instancePath }) =>
    knownKeysAt(definition, toPath(instancePath, document.value)),
  );
  return findings.map((finding) => toDiagnostic(finding, document, { type, text }));
}

/** A regular expression tells few people what to write; the schema's description does. */
function explainPattern(error: ErrorObject, definition: TypedValue): ErrorObject {
  if (error.keyword !== 'pattern') return error;
  const description = descriptionAt(definition, toPath(error.instancePath, definition.value));
  if (description === undefined) return error;
  return { ...error, keyword: 'description', message: `is not valid. ${description}` };
}

interface DocumentContext {
  readonly type: DocumentKind;
  readonly text: string;
}

function toDiagnostic(finding: ValidationFinding, document: YamlDocument, context: DocumentContext): StructureFinding {
  const { path } = finding;
  const key = finding.key ?? '';
  switch (finding.kind) {
    case 'unknown-key':
      return { path: [...path, key], diagnostic: describeUnknownKey(finding, document) };
    case 'invalid-key': {
      const message = `\`${key}\` can't be used as a name here: use letters, digits and \`_\`, not starting with a digit.`;
      const span = document.spanOf([...path, key], 'key');
      return { path: [...path, key], diagnostic: { code: 'invalid-value', severity: 'error', message, span } };
    }
    case 'missing-key':
      return { path: [...path, key], diagnostic: describeMissingKey(finding, document, context.type) };
    case 'invalid-type':
    case 'invalid-value':
      return { path, diagnostic: describeBadValue(finding, document, context) };
  }
}

function describeUnknownKey({ path, key, message, suggestion }: ValidationFinding, document: YamlDocument): Diagnostic {
  const span = document.spanOf([...path, key ?? ''], 'key');
  const base = { code: 'unknown-key', severity: 'error', message, span } as const;
  return suggestion === undefined ? base : { ...base, fix: { kind: 'rename-key', key: suggestion } };
}

function describeMissingKey(
  { path, key = '' }: ValidationFinding,
  document: YamlDocument,
  type: DocumentKind,
): Diagnostic {
  const start = document.span.start;
  const idKey = type === 'lexicon' || type === 'policy' ? undefined : ID_KEYS[type];
  const hasId = idKey !== undefined && valueAt(document.value, [idKey]) !== undefined;
  const atRoot = hasId ? document.spanOf([idKey], 'value') : { start, end: start };
  const span = path.length === 0 ? atRoot : document.spanOf(path, 'key');
  const place = path.length === 0 ? `This ${type}` : `\`${namePath(path)}\``;
  const message = `${place} needs \`${key}\`.`;
  // Of a choice (`steps` or `body`) the first is offered.
  const [offered = key] = key.split('`');
  return { code: 'missing-key', severity: 'error', message, span, fix: { kind: 'insert-key', key: offered, path } };
}

function describeBadValue(finding: ValidationFinding, document: YamlDocument, context: DocumentContext): Diagnostic {
  const { path } = finding;
  const value = valueAt(document.value, path);
  const valueSpan = document.spanOf(path, 'value');
  const isEmpty = value === null && valueSpan.start === valueSpan.end;
  const span = isEmpty ? document.spanOf(path, 'key') : valueSpan;
  const name = `\`${namePath(path)}\``;
  if (isEmpty) return { code: 'invalid-value', severity: 'error', message: `${name} has no value.`, span };
  const source = context.text.slice(valueSpan.start, valueSpan.end);
  const isPlain = source === value;
  const ambiguous = isPlain ? describeAmbiguousText(source) : undefined;
  if (ambiguous !== undefined) return { code: 'ambiguous-scalar', severity: 'error', message: ambiguous, span };
  const wantsText =
    finding.kind === 'invalid-type' && finding.message.startsWith('must be text') && isScalarValue(value);
  const advice = wantsText ? ` Put it in quotes: "${source}".` : '';
  const message = `${asSentence(`${name} ${finding.message}`)}${advice}`;
  return { code: 'invalid-value', severity: 'error', message, span };
}

function isScalarValue(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** `handler.argv[0]`: how a place is named in a message. */
function namePath(path: ValuePath): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}

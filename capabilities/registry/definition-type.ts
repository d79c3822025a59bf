/** Decides what a document defines. */
import type { Diagnostic, ResourceType, Span } from '../models';
import { findNearestNames } from './nearest-names';
import { isObject } from './schema-walker';
import { describeActual } from './validation-findings';
import type { YamlDocument } from './yaml-reader';

/** What a document can be checked as: a resource, the words of a workspace, or its rules. */
export type DocumentKind = ResourceType | 'lexicon' | 'policy';

/** Key that holds the id, by type. */
export const ID_KEYS: Readonly<Record<ResourceType, string>> = {
  pack: 'pack_id',
  action: 'action_id',
  recipe: 'recipe_id',
};

const TYPES: readonly ResourceType[] = ['pack', 'action', 'recipe'];
const CHOICE = '`pack_id` for a pack, `action_id` for an action, `recipe_id` for a recipe';

/** A document whose type is clear, or the diagnostic that says why it is not. */
export type IdentifiedDocument =
  | { readonly ok: true; readonly type: ResourceType; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Looks at `resource_type` and the id keys. */
export function identifyDocument(document: YamlDocument): IdentifiedDocument {
  const { value } = document;
  if (!isObject(value)) return refuse('not-a-mapping', document.spanOf([], 'value'), describeOther(value));
  const present = TYPES.filter((type) => Object.hasOwn(value, ID_KEYS[type]));
  const declared = value['resource_type'];
  const [type, second] = present;
  if (second) {
    const span = document.spanOf([ID_KEYS[second]], 'key');
    const message = `One document defines one resource: keep one of \`${present.map((name) => ID_KEYS[name]).join('` and `')}\`, or put \`---\` between two documents.`;
    return refuse('resource-type-mismatch', span, message);
  }
  if (declared !== undefined && !isType(declared)) {
    const suggestion = typeof declared === 'string' ? findNearestNames(declared, TYPES, 1)[0] : undefined;
    const advice = suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`;
    const span = document.spanOf(['resource_type'], 'value');
    return refuse(
      'unknown-resource-type',
      span,
      `\`resource_type\` must be \`pack\`, \`action\` or \`recipe\`.${advice}`,
    );
  }
  if (type && declared !== undefined && declared !== type) {
    const message = `\`resource_type\` says ${declared}, but \`${ID_KEYS[type]}\` makes this ${withArticle(type)}. Change one of them, or remove \`resource_type\`.`;
    return refuse('resource-type-mismatch', document.spanOf(['resource_type'], 'value'), message);
  }
  if (type) return { ok: true, type, value };
  if (declared !== undefined) return { ok: true, type: declared, value };
  return { ok: false, diagnostic: describeUnknown(document, value) };
}

function isType(value: unknown): value is ResourceType {
  return TYPES.some((type) => type === value);
}

function withArticle(type: ResourceType): string {
  return type === 'action' ? 'an action' : `a ${type}`;
}

function describeOther(value: unknown): string {
  const kind = describeActual(value);
  const advice = Array.isArray(value)
    ? 'Write one resource a document and `---` between two.'
    : `Start with an id: ${CHOICE}.`;
  return `A definition must be a map of keys, not ${kind}. ${advice}`;
}

function describeUnknown(document: YamlDocument, value: Readonly<Record<string, unknown>>): Diagnostic {
  const start = document.span.start;
  const idKeys = Object.values(ID_KEYS);
  for (const key of Object.keys(value)) {
    const suggestion = key === 'id' ? undefined : findNearestNames(key, idKeys, 1)[0];
    if (suggestion === undefined) continue;
    const message = `\`${key}\` is not a known key. Did you mean \`${suggestion}\`?`;
    const span = document.spanOf([key], 'key');
    return {
      code: 'unknown-resource-type',
      severity: 'error',
      message,
      span,
      fix: { kind: 'rename-key', key: suggestion },
    };
  }
  const span = Object.hasOwn(value, 'id') ? document.spanOf(['id'], 'key') : { start, end: start };
  const message = `This document does not say what it defines. Give it an id: ${CHOICE}.`;
  return { code: 'unknown-resource-type', severity: 'error', message, span };
}

function refuse(code: Diagnostic['code'], span: Span, message: string): IdentifiedDocument {
  return { ok: false, diagnostic: { code, severity: 'error', message, span } };
}

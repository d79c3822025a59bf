/**
 * What is wrong with a file because of others: ids defined twice, references that lead nowhere, secrets nobody declares, risks
 * nobody states.
 */
import type { Diagnostic, Scope } from '../models';
import { inheritFor } from './inheritance';
import { findNearestNames } from './nearest-names';
import type { DefinitionReference, ParsedDefinition } from './parse-definition-file';
import { keyOf } from './resource-builder';
import type { Claim, ScopeIndex } from './scope-index';
import { describeUndeclaredSecret } from './template-checks';

/** References of one file for which close ids are looked up: that walks through every id. */
const MAX_SUGGESTIONS = 10;

/** The scopes, in their order, the file's own among them. */
export interface CrossFileContext {
  readonly own: ScopeIndex;
  readonly all: readonly ScopeIndex[];
}

/** Every cross-file finding of one file. */
export function checkAcrossFiles(definitions: readonly ParsedDefinition[], context: CrossFileContext): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let suggestions = MAX_SUGGESTIONS;
  for (const parsed of definitions) {
    if (!parsed.typed) continue;
    diagnostics.push(
      ...checkDuplicates(parsed, context),
      ...checkOtherScopes(parsed, context),
      ...checkSecrets(parsed, context),
      ...checkRisk(parsed, context),
    );
    for (const reference of parsed.references) {
      const finding = checkReference(reference, context, suggestions > 0);
      if (finding?.code === 'unknown-reference') suggestions -= 1;
      if (finding) diagnostics.push(finding);
    }
  }
  return diagnostics;
}

function checkDuplicates(parsed: ParsedDefinition, { own }: CrossFileContext): readonly Diagnostic[] {
  const state = own.state(parsed.id);
  if (state.kind !== 'duplicate') return [];
  const others = state.claims.filter((claim) => claim.parsed !== parsed);
  const message = `\`${parsed.id}\` is defined ${state.claims.length} times, so that none of the definitions can be used. Rename or remove all but one.`;
  return [{ code: 'duplicate-id', severity: 'error', message, span: parsed.idSpan, related: others.map(relate) }];
}

function relate({ path, parsed }: Claim): NonNullable<Diagnostic['related']>[number] {
  return { path, span: parsed.idSpan, message: 'Also defined here.' };
}

/** Not a mistake, but the short name stops working. */
function checkOtherScopes(parsed: ParsedDefinition, { own, all }: CrossFileContext): readonly Diagnostic[] {
  const others = all.filter((index) => index !== own && ['defined', 'duplicate'].includes(index.state(parsed.id).kind));
  if (others.length === 0) return [];
  const keys = [own, ...others].map((index) => `\`${keyOf(index.scope.name, parsed.id)}\``);
  const message = `This id stands in ${keys.length} scopes: it can only be called ${keys.join(' or ')}.`;
  const related = others.flatMap((index) => index.claims(parsed.id).map(relate));
  return [{ code: 'id-in-several-scopes', severity: 'information', message, span: parsed.idSpan, related }];
}

function checkSecrets(parsed: ParsedDefinition, { own }: CrossFileContext): readonly Diagnostic[] {
  if (parsed.secrets.length === 0) return [];
  const declared = inheritFor(own, parsed.id).defaults.required_credentials ?? [];
  return parsed.secrets
    .filter(({ name }) => !declared.includes(name))
    .map(({ name, span }) => ({ ...describeUndeclaredSecret(name), severity: 'error' as const, span }));
}

/** The risk may stand in the action or in the defaults of a pack above it. */
function checkRisk({ id, idSpan, typed }: ParsedDefinition, { own }: CrossFileContext): readonly Diagnostic[] {
  if (typed?.type !== 'action' || 'risk_level' in typed.definition) return [];
  if (inheritFor(own, id).defaults.risk_level !== undefined) return [];
  const message =
    'Add `risk_level` here or in the `defaults` of a pack above: `low`, `medium`, `high` or `critical`. Until then the action counts as critical.';
  const fix = { kind: 'insert-key', key: 'risk_level', path: [] } as const;
  return [{ code: 'missing-key', severity: 'error', message, span: idSpan, fix }];
}

function checkReference(
  { target, span }: DefinitionReference,
  context: CrossFileContext,
  suggests: boolean,
): Diagnostic | undefined {
  const { scopeName, id } = splitReference(target);
  const holders = findHolders(id, scopeName, context);
  const [holder, second] = holders;
  if (!holder) return describeUnknown(target, span, suggests ? context : undefined);
  if (second) {
    const keys = holders.map((index) => `\`${keyOf(index.scope.name, id)}\``).join(' or ');
    const message = `\`${id}\` stands in several scopes: write ${keys}.`;
    return { code: 'id-in-several-scopes', severity: 'warning', message, span };
  }
  const type = typeIn(holder, id);
  if (type === undefined || type === 'action') return undefined;
  const message = `\`${target}\` is a ${type}. Only an action can stand here.`;
  return { code: 'wrong-reference-type', severity: 'warning', message, span };
}

/** `<scope>:<id>` in its parts; ids hold no colon. */
export function splitReference(reference: string): { readonly scopeName: string | undefined; readonly id: string } {
  const colon = reference.lastIndexOf(':');
  if (colon === -1) return { scopeName: undefined, id: reference };
  return { scopeName: reference.slice(0, colon), id: reference.slice(colon + 1) };
}

/** Scopes that know an id: the named one, else the file's own, else all others. A broken definition is known too. */
function findHolders(
  id: string,
  scopeName: Scope['name'] | undefined,
  context: CrossFileContext,
): readonly ScopeIndex[] {
  const isKnown = (index: ScopeIndex): boolean => index.state(id).kind !== 'absent';
  if (scopeName !== undefined) return context.all.filter((index) => index.scope.name === scopeName && isKnown(index));
  return isKnown(context.own) ? [context.own] : context.all.filter(isKnown);
}

function typeIn(index: ScopeIndex, id: string): ParsedDefinition['type'] {
  return index.claims(id)[0]?.parsed.type ?? (index.state(id).kind === 'implied' ? 'pack' : undefined);
}

function describeUnknown(target: string, span: Diagnostic['span'], context: CrossFileContext | undefined): Diagnostic {
  const ids = context ? new Set(context.all.flatMap((index) => [...index.ids()])) : [];
  const suggestion = findNearestNames(splitReference(target).id, ids, 1)[0];
  const advice = suggestion === undefined ? 'Define it, or correct the id.' : `Did you mean \`${suggestion}\`?`;
  return { code: 'unknown-reference', severity: 'warning', message: `There is no \`${target}\`. ${advice}`, span };
}

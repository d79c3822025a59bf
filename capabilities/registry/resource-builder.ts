/** Makes the resources that the other stages see. */
import { canonicalJson } from '../canonical-json';
import type { Resource } from '../models';
import type { Digest } from '../ports';
import type { TypedDefinition } from './definition-validator';
import { applyInheritance, implyPack, inheritFor } from './inheritance';
import { parentOf } from './scope-index';
import type { ScopeIndex, UsableClaim } from './scope-index';

/** Key of an id in a scope. */
export function keyOf(scopeName: string, id: string): string {
  return `${scopeName}:${id}`;
}

/** The resource of an id that is defined once or implied; undefined for everything else. */
export function buildResource(index: ScopeIndex, id: string, digest: Digest): Resource | undefined {
  const state = index.state(id);
  if (state.kind === 'defined') return buildClaim(index, state.claim, digest);
  if (state.kind !== 'implied') return undefined;
  return assemble(index, { id, typed: { type: 'pack', definition: implyPack(id) }, source: undefined }, digest);
}

/** The resource one claim describes, also when another document claims the same id. */
export function buildClaim(index: ScopeIndex, { path, parsed, typed }: UsableClaim, digest: Digest): Resource {
  const source = { path, span: parsed.span, idSpan: parsed.idSpan };
  return assemble(index, { id: parsed.id, typed, source }, digest);
}

interface Ingredients {
  readonly id: string;
  readonly typed: TypedDefinition;
  readonly source: Resource['source'];
}

function assemble(index: ScopeIndex, { id, typed, source }: Ingredients, digest: Digest): Resource {
  const { defaults, isSwitchedOff } = inheritFor(index, id);
  const effective = applyInheritance(typed, defaults);
  let hash: string | undefined;
  const base = {
    id,
    key: keyOf(index.scope.name, id),
    scope: index.scope,
    parentId: parentOf(id),
    source,
    enabled: !isSwitchedOff && !index.isUncertainPack(id) && effective.definition.enabled !== false,
    // Few of the resources of a large registry are ever asked for it.
    get hash(): string {
      return (hash ??= digest.sha256(canonicalJson(effective.definition)));
    },
  };
  return Object.assign(base, effective);
}

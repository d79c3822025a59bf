/** The ids of one scope: who defines them, and how they hang together. */
import type { Scope } from '../models';
import type { TypedDefinition } from './definition-validator';
import type { ParsedDefinition } from './parse-definition-file';

/** A document's claim to an id. */
export interface Claim {
  readonly path: string;
  readonly parsed: ParsedDefinition;
}

/** A claim by a document without errors. */
export interface UsableClaim extends Claim {
  readonly typed: TypedDefinition;
}

/** What an id stands for in one scope. */
export type IdState =
  | { readonly kind: 'absent' }
  /** Only documents with errors claim it. */
  | { readonly kind: 'broken'; readonly claims: readonly Claim[] }
  /** A pack that its children imply. Broken documents may claim it too. */
  | { readonly kind: 'implied' }
  | { readonly kind: 'defined'; readonly claim: UsableClaim }
  | { readonly kind: 'duplicate'; readonly claims: readonly UsableClaim[] };

/** Id of the pack above; undefined for the top level. */
export function parentOf(id: string): string | undefined {
  const dot = id.lastIndexOf('.');
  return dot === -1 ? undefined : id.slice(0, dot);
}

/** Ids of the packs above, outermost first. */
export function ancestorIds(id: string): readonly string[] {
  const ids: string[] = [];
  for (let parent = parentOf(id); parent !== undefined; parent = parentOf(parent)) ids.unshift(parent);
  return ids;
}

/** Holds the claims of a scope. Adding and removing costs by the depth of the id, not by the size of the scope. */
export class ScopeIndex {
  readonly scope: Scope;
  readonly #claims = new Map<string, Claim[]>();
  /** Ids below a pack, the top level under undefined. An id is in here while it is defined or has children itself. */
  readonly #children = new Map<string | undefined, Set<string>>();

  constructor(scope: Scope) {
    this.scope = scope;
  }

  add(claim: Claim): void {
    const { id } = claim.parsed;
    const claims = this.#claims.get(id);
    if (claims) claims.push(claim);
    else this.#claims.set(id, [claim]);
    if (claim.parsed.typed) this.#attach(id);
  }

  remove(claim: Claim): void {
    const { id } = claim.parsed;
    const rest = this.claims(id).filter((other) => other !== claim);
    if (rest.length > 0) this.#claims.set(id, rest);
    else this.#claims.delete(id);
    this.#detach(id);
  }

  claims(id: string): readonly Claim[] {
    return this.#claims.get(id) ?? [];
  }

  state(id: string): IdState {
    const claims = this.claims(id);
    const usable: UsableClaim[] = [];
    for (const { path, parsed } of claims) if (parsed.typed) usable.push({ path, parsed, typed: parsed.typed });
    const [claim, second] = usable;
    if (second) return { kind: 'duplicate', claims: usable };
    if (claim) return { kind: 'defined', claim };
    if (this.#children.has(id)) return { kind: 'implied' };
    return claims.length > 0 ? { kind: 'broken', claims } : { kind: 'absent' };
  }

  /** Whether what a pack says for the resources below it can't be known: it has errors, or there are two of it. */
  isUncertainPack(id: string): boolean {
    const claims = this.claims(id).filter(({ parsed }) => parsed.type === 'pack' || parsed.type === undefined);
    return claims.length > 1 || (claims[0] !== undefined && !claims[0].parsed.typed);
  }

  /** Ids right below a pack, or on the top level. */
  childIds(packId: string | undefined): Iterable<string> {
    return this.#children.get(packId) ?? [];
  }

  /** Every id below a pack, without the pack. */
  *descendantIds(packId: string): Iterable<string> {
    for (const id of this.childIds(packId)) {
      yield id;
      yield* this.descendantIds(id);
    }
  }

  /** Every id that is defined, duplicated or implied. */
  *ids(): Iterable<string> {
    for (const children of this.#children.values()) yield* children;
  }

  #attach(id: string): void {
    const parent = parentOf(id);
    const siblings = this.#children.get(parent);
    if (siblings?.has(id)) return;
    if (siblings) siblings.add(id);
    else this.#children.set(parent, new Set([id]));
    if (parent !== undefined) this.#attach(parent);
  }

  #detach(id: string): void {
    if (this.#children.has(id) || this.claims(id).some((claim) => claim.parsed.typed)) return;
    const parent = parentOf(id);
    const siblings = this.#children.get(parent);
    if (!siblings?.delete(id) || siblings.size > 0) return;
    this.#children.delete(parent);
    if (parent !== undefined) this.#detach(parent);
  }
}

/** Works out what one change of a file means for everything else. */
import { canonicalJson } from '../canonical-json';
import { describeReach } from './inheritance';
import { keyOf } from './resource-builder';
import { ancestorIds } from './scope-index';
import type { Claim, ScopeIndex } from './scope-index';

/** What a change of the registry did. All lists are sorted. */
export interface RegistryChange {
  /** Files whose diagnostics may differ now. */
  readonly paths: readonly string[];
  /** Keys of resources that are new or differ. */
  readonly changed: readonly string[];
  /** Keys of resources that are gone. */
  readonly removed: readonly string[];
}

interface WatchedId {
  readonly index: ScopeIndex;
  readonly id: string;
  /** What the id stood for. */
  readonly signature: string;
  /** What it passed on to the ids below. */
  readonly reach: string;
}

/** Remembers the state before a change and compares it with the state after. */
export class ChangeTracker {
  readonly #watched = new Map<string, WatchedId>();
  readonly #paths = new Set<string>();
  readonly #referrers: (id: string) => Iterable<string>;

  /** @param referrers paths of the files that refer to an id */
  constructor(referrers: (id: string) => Iterable<string>) {
    this.#referrers = referrers;
  }

  /** The diagnostics of a file may differ. */
  touch(path: string): void {
    this.#paths.add(path);
  }

  /** Remembers the ids of claims that are about to be added or removed, and the packs above that they imply. */
  before(index: ScopeIndex, claims: readonly Claim[], all: readonly ScopeIndex[]): void {
    for (const { parsed } of claims) {
      for (const id of [...ancestorIds(parsed.id), parsed.id]) this.#watch(index, id);
      this.#touchClaimants(parsed.id, all);
    }
  }

  /** Compares. `stale` are the keys whose resources must be made again, if only because their place has moved. */
  finish(all: readonly ScopeIndex[]): { readonly change: RegistryChange; readonly stale: readonly string[] } {
    const changed = new Set<string>();
    const stale = new Set<string>();
    const removed = new Set<string>();
    for (const [key, watched] of this.#watched) {
      stale.add(key);
      const { index, id } = watched;
      const signature = describeId(index, id);
      if (signature !== watched.signature) {
        if (isThere(signature)) changed.add(key);
        else if (isThere(watched.signature)) removed.add(key);
        for (const path of this.#referrers(id)) this.#paths.add(path);
        this.#touchClaimants(id, all);
      }
      if (describeReach(index, id) !== watched.reach) {
        for (const descendant of index.descendantIds(id)) {
          const descendantKey = keyOf(index.scope.name, descendant);
          stale.add(descendantKey);
          if (isThere(describeId(index, descendant))) changed.add(descendantKey);
          for (const claim of index.claims(descendant)) this.#paths.add(claim.path);
        }
      }
    }
    const change = { paths: sort(this.#paths), changed: sort(changed), removed: sort(removed) };
    return { change, stale: [...stale] };
  }

  #watch(index: ScopeIndex, id: string): void {
    const key = keyOf(index.scope.name, id);
    if (this.#watched.has(key)) return;
    const reach = describeReach(index, id);
    this.#watched.set(key, { index, id, signature: describeId(index, id), reach });
  }

  /** Files that define the same id, here or in another scope, point at each other. */
  #touchClaimants(id: string, all: readonly ScopeIndex[]): void {
    for (const index of all) for (const claim of index.claims(id)) this.#paths.add(claim.path);
  }
}

/** What an id stands for, as text that can be compared. */
function describeId(index: ScopeIndex, id: string): string {
  const state = index.state(id);
  if (state.kind !== 'defined') return state.kind;
  const { path, typed } = state.claim;
  return `defined ${typed.type} ${path} ${index.isUncertainPack(id)} ${canonicalJson(typed.definition)}`;
}

function isThere(signature: string): boolean {
  return signature.startsWith('defined ') || signature === 'implied';
}

function sort(names: Iterable<string>): readonly string[] {
  return [...names].sort();
}

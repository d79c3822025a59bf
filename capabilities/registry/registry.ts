/**
 * The capabilities that are registered now. Kept up to date file by file: a change costs by the size of the file and of what
 * depends on it, never by the size of the registry. Reads are synchronous and see one consistent state.
 */
import type {
  Diagnostic,
  Lookup,
  PackResource,
  PolicyFile,
  RegistryView,
  Resource,
  Scope,
  WorkspaceLexicon,
} from '../models';
import type { Digest } from '../ports';
import { ChangeTracker } from './change-tracker';
import type { RegistryChange } from './change-tracker';
import { isPolicy } from './parse-workspace-file';
import { checkAcrossFiles, splitReference } from './cross-file-checks';
import type { ParsedDefinition, ParsedFile } from './parse-definition-file';
import { buildClaim, buildResource, keyOf } from './resource-builder';
import { ScopeIndex, ancestorIds } from './scope-index';
import type { Claim, IdState } from './scope-index';
import { describeSkippedFile } from './unreadable-files';
import type { SkipReason } from './unreadable-files';
import { sortByPlace } from './yaml-reader';

/** What is known of a file: what it holds, or why it was not read. */
export type FileContent =
  { readonly kind: 'parsed'; readonly parsed: ParsedFile } | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Hears of every change, after it is complete. */
export type ChangeListener = (change: RegistryChange) => void;

interface RegisteredFile {
  readonly index: ScopeIndex;
  readonly content: FileContent;
  readonly diagnostics: readonly Diagnostic[];
  readonly claims: readonly Claim[];
}

/** Holds what the files define. */
export class Registry implements RegistryView {
  readonly #digest: Digest;
  readonly #indexes = new Map<string, ScopeIndex>();
  readonly #files = new Map<string, RegisteredFile>();
  /** Paths of the files that refer to an id. */
  readonly #referrers = new Map<string, Set<string>>();
  readonly #resources = new Map<string, Resource | undefined>();
  readonly #listeners = new Set<ChangeListener>();
  #sorted: readonly Resource[] | undefined;
  readonly #policies = new Map<string, { readonly scope: Scope; readonly policy: PolicyFile | 'broken' }>();
  #lexicons: readonly WorkspaceLexicon[] = [];
  #areLexiconsStale = false;
  #revision = 0;

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Paths of every file that is known, read or not, sorted. */
  get paths(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  /** The scope and the content of a file; undefined for one that is not known. */
  file(path: string): { readonly scope: Scope; readonly content: FileContent } | undefined {
    const file = this.#files.get(path);
    return file && { scope: file.index.scope, content: file.content };
  }

  /** Calls the listener after every change until the returned function is called. */
  onDidChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Declares the scopes, in their order. Files of scopes that are gone, or have moved, are forgotten. */
  setScopes(scopes: readonly Scope[]): void {
    const tracker = this.#track();
    const wanted = new Map(scopes.map((scope) => [scope.name, scope]));
    for (const [path, { index }] of this.#files) {
      if (!isSameScope(index.scope, wanted.get(index.scope.name))) this.#replace(path, undefined, tracker);
    }
    const kept = new Map(this.#indexes);
    this.#indexes.clear();
    for (const scope of scopes) {
      const index = kept.get(scope.name);
      this.#indexes.set(scope.name, index && isSameScope(index.scope, scope) ? index : new ScopeIndex(scope));
    }
    this.#finish(tracker);
  }

  /** Puts a file's definitions in the place of those it had. */
  update(path: string, scope: Scope, parsed: ParsedFile): void {
    const claims = parsed.definitions.map((definition): Claim => ({ path, parsed: definition }));
    const content = { kind: 'parsed', parsed } as const;
    this.#change(path, { index: this.#indexOf(scope), content, diagnostics: parsed.diagnostics, claims });
  }

  /** Keeps a file that could not be read, for its diagnostic. */
  updateUnreadable(path: string, scope: Scope, reason: SkipReason): void {
    const content = { kind: 'skipped', reason } as const;
    const diagnostics = [describeSkippedFile(reason)];
    this.#change(path, { index: this.#indexOf(scope), content, diagnostics, claims: [] });
  }

  /** Forgets a file. */
  remove(path: string): void {
    if (this.#files.has(path)) this.#change(path, undefined);
  }

  /** Everything that is wrong with a file, by itself and together with the others, in the order of the places. */
  diagnostics(path: string): readonly Diagnostic[] {
    const file = this.#files.get(path);
    if (!file) return [];
    const definitions: readonly ParsedDefinition[] = file.claims.map(({ parsed }) => parsed);
    const context = { own: file.index, all: [...this.#indexes.values()] };
    return sortByPlace([...file.diagnostics, ...checkAcrossFiles(definitions, context)]);
  }

  get lexicons(): readonly WorkspaceLexicon[] {
    if (!this.#areLexiconsStale) return this.#lexicons;
    this.#areLexiconsStale = false;
    const order = [...this.#indexes.values()];
    const lexicons = [...this.#files]
      .filter(([, file]) => lexiconOf(file) !== undefined)
      .sort(([path, file], [other, { index }]) => {
        return order.indexOf(file.index) - order.indexOf(index) || (path < other ? -1 : 1);
      })
      .flatMap(([, file]) => lexiconOf(file) ?? []);
    // A file that is read again says the same most of the time; a new list costs a new index.
    if (JSON.stringify(lexicons) !== JSON.stringify(this.#lexicons)) this.#lexicons = lexicons;
    return this.#lexicons;
  }

  /** The policies of the scopes that have one; `broken` for one that has errors or can't be read. */
  get policies(): readonly { readonly scope: Scope; readonly policy: PolicyFile | 'broken' }[] {
    return [...this.#policies.values()];
  }

  all(): readonly Resource[] {
    this.#sorted ??= [...this.#indexes.values()].flatMap((index) => this.#resourcesOf(index, index.ids())).sort(byKey);
    return this.#sorted;
  }

  get(key: string): Resource | undefined {
    const { scopeName, id } = splitReference(key);
    const index = scopeName === undefined ? undefined : this.#indexes.get(scopeName);
    return index && this.#resource(index, id);
  }

  lookup(reference: string): Lookup {
    const states = this.#statesOf(reference);
    const [first, second] = states;
    if (!first) return { kind: 'unknown' };
    if (second) return { kind: 'ambiguous', keys: states.map(({ key }) => key).sort() };
    const resource = this.get(first.key);
    if (resource) return { kind: 'found', resource };
    const places = first.state.kind === 'duplicate' ? first.state.claims.map(({ path }) => path) : [];
    return { kind: 'duplicate', places: [...new Set(places)].sort() };
  }

  /** Every resource that an id could mean, duplicates among them: for deciding who may know of it. */
  claimants(reference: string): readonly Resource[] {
    return this.#statesOf(reference).flatMap(({ key, index, state }) => {
      if (state.kind === 'duplicate') return state.claims.map((claim) => buildClaim(index, claim, this.#digest));
      return this.get(key) ?? [];
    });
  }

  children(packId: string | undefined): readonly Resource[] {
    const { scopeName, id } = packId === undefined ? { scopeName: undefined, id: undefined } : splitReference(packId);
    return [...this.#indexes.values()]
      .filter(({ scope }) => scopeName === undefined || scope.name === scopeName)
      .flatMap((index) => this.#resourcesOf(index, index.childIds(id)))
      .sort(byKey);
  }

  ancestors(resource: Resource): readonly PackResource[] {
    const index = this.#indexes.get(resource.scope.name);
    if (!index) return [];
    const above = this.#resourcesOf(index, ancestorIds(resource.id));
    return above.filter((candidate): candidate is PackResource => candidate.type === 'pack');
  }

  #statesOf(reference: string): readonly { key: string; index: ScopeIndex; state: IdState }[] {
    const { scopeName, id } = splitReference(reference);
    return [...this.#indexes.values()]
      .filter(({ scope }) => scopeName === undefined || scope.name === scopeName)
      .map((index) => ({ key: keyOf(index.scope.name, id), index, state: index.state(id) }))
      .filter(({ state }) => state.kind === 'defined' || state.kind === 'implied' || state.kind === 'duplicate');
  }

  #resource(index: ScopeIndex, id: string): Resource | undefined {
    const key = keyOf(index.scope.name, id);
    if (this.#resources.has(key)) return this.#resources.get(key);
    const resource = buildResource(index, id, this.#digest);
    // Ids that nobody defines must not fill the memory.
    if (resource) this.#resources.set(key, resource);
    return resource;
  }

  #resourcesOf(index: ScopeIndex, ids: Iterable<string>): Resource[] {
    return [...ids].flatMap((id) => this.#resource(index, id) ?? []);
  }

  #indexOf(scope: Scope): ScopeIndex {
    const known = this.#indexes.get(scope.name);
    if (known && isSameScope(known.scope, scope)) return known;
    this.setScopes([
      ...[...this.#indexes.values()].map((index) => index.scope).filter(({ name }) => name !== scope.name),
      scope,
    ]);
    return this.#indexOf(scope);
  }

  #track(): ChangeTracker {
    return new ChangeTracker((id) => this.#referrers.get(id) ?? []);
  }

  #change(path: string, file: RegisteredFile | undefined): void {
    const tracker = this.#track();
    this.#replace(path, file, tracker);
    this.#finish(tracker);
  }

  #replace(path: string, file: RegisteredFile | undefined, tracker: ChangeTracker): void {
    const before = this.#files.get(path);
    tracker.touch(path);
    for (const one of [before, file]) if (one) tracker.before(one.index, one.claims, [...this.#indexes.values()]);
    for (const claim of before?.claims ?? []) before?.index.remove(claim);
    for (const claim of file?.claims ?? []) file?.index.add(claim);
    this.#refer(path, before?.claims ?? [], file?.claims ?? []);
    if (lexiconOf(before) !== lexiconOf(file)) this.#areLexiconsStale = true;
    this.#notePolicy(path, file);
    if (file) this.#files.set(path, file);
    else this.#files.delete(path);
  }

  #notePolicy(path: string, file: RegisteredFile | undefined): void {
    const scope = file?.index.scope;
    if (scope === undefined || !isPolicy(scope, path)) {
      this.#policies.delete(path);
      return;
    }
    const policy = file?.content.kind === 'parsed' ? (file.content.parsed.policy ?? 'broken') : 'broken';
    this.#policies.set(path, { scope, policy });
  }

  #refer(path: string, before: readonly Claim[], after: readonly Claim[]): void {
    for (const id of targetsOf(before)) {
      const paths = this.#referrers.get(id);
      paths?.delete(path);
      if (paths?.size === 0) this.#referrers.delete(id);
    }
    for (const id of targetsOf(after)) {
      const paths = this.#referrers.get(id);
      if (paths) paths.add(path);
      else this.#referrers.set(id, new Set([path]));
    }
  }

  #finish(tracker: ChangeTracker): void {
    const { change, stale } = tracker.finish([...this.#indexes.values()]);
    for (const key of stale) this.#resources.delete(key);
    this.#sorted = undefined;
    this.#revision += 1;
    for (const listener of this.#listeners) listener(change);
  }
}

function lexiconOf(file: RegisteredFile | undefined): WorkspaceLexicon | undefined {
  return file?.content.kind === 'parsed' ? file.content.parsed.lexicon : undefined;
}

function targetsOf(claims: readonly Claim[]): readonly string[] {
  return claims.flatMap(({ parsed }) => parsed.references.map(({ target }) => splitReference(target).id));
}

function byKey(one: Resource, other: Resource): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}

function isSameScope(one: Scope, other: Scope | undefined): boolean {
  return (
    one.name === other?.name &&
    one.kind === other.kind &&
    one.root === other.root &&
    one.definitions === other.definitions
  );
}

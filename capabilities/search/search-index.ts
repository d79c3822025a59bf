import type { RegistryView, Resource } from '../models';
import { isAsReadNow } from './index/content-check';
import { FacetTable } from './index/facet-table';
import type { Facet } from './index/facet-table';
import { keepUnchanged } from './index/index-content';
import type { IndexContent } from './index/index-content';
import type { WritableContent } from './index/index-snapshot';
import { IndexedWords } from './index/indexed-words';
import { NameTable } from './index/name-table';
import { TermReader } from './index/term-reader';
import { TextIndex } from './index/text-index';
import type { TextHit, TextQuery } from './index/text-index';
import type { Lexicon } from './lexicon/lexicon';
import { lexiconFingerprint } from './lexicon/lexicon-fingerprint';
import { DerivedProfile, facetsOf, profileResource, textsOf } from './resource-profile';
import type { ResourceFacets, ResourceProfile } from './resource-profile';
import type { SearchWeights } from './search-weights';

export type { Facet } from './index/facet-table';
export type { TextHit, TextQuery } from './index/text-index';

/** Hears of the profile of every resource that enters or leaves the index. */
export interface IndexFollower {
  added(profile: ResourceProfile): void;
  removed(profile: ResourceProfile): void;
}

interface Entry {
  readonly resource: Resource;
  readonly profile: ResourceProfile;
}

/**
 * The derived data of every resource: profiles, the full-text index, character n-grams and word frequencies. Follows the registry by
 * itself: when the revision has changed, only resources whose hash differs are indexed again.
 */
export class SearchIndex {
  /** What the resources are called by. Current after {@link refresh}. */
  readonly names = new NameTable();
  readonly #registry: RegistryView;
  readonly #lexicon: Lexicon;
  readonly #weights: SearchWeights;
  readonly #text: TextIndex;
  readonly #facets = new FacetTable();
  readonly #entries = new Map<string, Entry>();
  readonly #followers: IndexFollower[] = [];
  /** Keys that the registry has reported since the last refresh; undefined when it does not report. */
  readonly #reported: Set<string> | undefined;
  #indexedRevision: number | undefined;
  /** What an earlier index has worked out, until the first refresh. */
  #offered: IndexContent | undefined;
  #takenOver = 0;

  constructor(registry: RegistryView, lexicon: Lexicon, weights: SearchWeights) {
    this.#registry = registry;
    this.#lexicon = lexicon;
    this.#weights = weights;
    this.#text = new TextIndex(weights.lexical);
    this.#reported = registry.onDidChange && new Set();
    registry.onDidChange?.(({ changed, removed }) => {
      for (const key of changed) this.#reported?.add(key);
      for (const key of removed) this.#reported?.add(key);
    });
  }

  /** Whether nothing was indexed yet. */
  get isEmpty(): boolean {
    return this.#text.isEmpty;
  }

  /** Number of resources that did not have to be worked out at the first refresh. */
  get takenOver(): number {
    return this.#takenOver;
  }

  /** Number of resources indexed. */
  get size(): number {
    return this.#entries.size;
  }

  /** Tells the follower of every resource indexed now, and of every change from now on. */
  follow(follower: IndexFollower): void {
    this.#followers.push(follower);
    for (const { profile } of this.#entries.values()) follower.added(profile);
  }

  /**
   * Offers what an earlier index over the same definitions has worked out. The first refresh takes over whatever still holds and works out
   * the rest; the results are the same either way.
   */
  offer(content: IndexContent): void {
    this.#offered = content;
  }

  /** What {@link offer} takes, as it is now. */
  content(): WritableContent {
    this.refresh();
    const { keys, ...content } = this.#text.content();
    const present = keys.map((key) => this.#entries.get(key)).filter((entry) => entry !== undefined);
    return {
      fingerprint: lexiconFingerprint(this.#registry.lexicons ?? []),
      fields: this.#text.words.fields,
      resources: present.map(({ resource }) => resource),
      facets: present.map(({ profile }) => profile),
      ...content,
    };
  }

  /** Brings the index up to the registry's revision; cheap when nothing has changed. */
  refresh(): void {
    if (this.#lexicon.isOutdated(this.#registry.lexicons)) this.#adoptLexicons();
    const { revision } = this.#registry;
    if (this.#indexedRevision === revision) return;
    const reader = new TermReader(this.#text.words, this.#lexicon);
    if (this.#offered) this.#takeOver(this.#offered);
    if (this.#indexedRevision === undefined || !this.#reported) {
      this.#compareAll(reader);
    } else {
      for (const key of [...this.#reported].sort()) this.#update(key, this.#registry.get(key), reader);
    }
    this.#reported?.clear();
    this.#text.tidy('when-worthwhile');
    this.#indexedRevision = revision;
  }

  /** The profile of a resource; made on the spot for one that is not indexed. */
  profile(resource: Resource): ResourceProfile {
    const known = this.#entries.get(resource.key);
    return known && isSame(known.resource, resource) ? known.profile : profileResource(resource, this.#lexicon);
  }

  /** Keys of the resources that declare an intent, entity or symptom, in no particular order. */
  keysWith(facet: Facet): ReadonlySet<string> {
    return this.#facets.keysWith(facet);
  }

  /** The resource of a key, as it was indexed. */
  resourceOf(key: string): Resource | undefined {
    return this.#entries.get(key)?.resource;
  }

  /** The resources of which something is true, by key. Costs by the size of the index, but far less than making a sorted list of all. */
  resourcesWhere(isSought: (resource: Resource) => boolean): readonly Resource[] {
    const found: Resource[] = [];
    for (const { resource } of this.#entries.values()) if (isSought(resource)) found.push(resource);
    return found.sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  /** How many resources hold a token. */
  frequency(token: string): number {
    return this.#text.frequency(token);
  }

  /** At most `limit` resources by text, best first, equal scores in key order. */
  search(query: TextQuery, admits: (key: string) => boolean, limit: number): readonly TextHit[] {
    return this.#text.search(query, admits, limit);
  }

  /** Everything here derives from the lexicon; what it put in is taken out while it still says the same. */
  #adoptLexicons(): void {
    for (const key of [...this.#entries.keys()]) this.#remove(key);
    this.#lexicon.adopt(this.#registry.lexicons);
    this.#indexedRevision = undefined;
  }

  /** Enters the resources that are as they were; the others are for the comparison that follows. */
  #takeOver(content: IndexContent): void {
    this.#offered = undefined;
    if (!this.isEmpty || content.fingerprint !== lexiconFingerprint(this.#registry.lexicons ?? [])) return;
    const { kept, numbers } = keepUnchanged(content, this.#registry.all());
    if (!isAsReadNow(content, kept, { lexicon: this.#lexicon, weights: this.#weights })) return;
    this.#text.restore(
      content,
      kept.map(({ resource }) => resource.key),
      numbers,
    );
    for (const { document, resource } of kept) {
      const [from = 0, to = 0] = [content.namesFrom[document], content.namesFrom[document + 1]];
      this.names.addHashed(resource, content.names, { from, to });
      this.#enter(resource, content.facets[document] ?? facetsOf(resource, this.#lexicon));
    }
    this.#takenOver = kept.length;
  }

  #compareAll(reader: TermReader): void {
    const resources = this.#registry.all();
    const present = new Set(resources.map((resource) => resource.key));
    for (const key of [...this.#entries.keys()]) if (!present.has(key)) this.#remove(key);
    for (const resource of resources) this.#update(resource.key, resource, reader);
  }

  #update(key: string, resource: Resource | undefined, reader: TermReader): void {
    const known = this.#entries.get(key);
    if (known && known.resource === resource) return;
    if (!resource) {
      this.#remove(key);
    } else if (known && isSame(known.resource, resource)) {
      // Its place in the file may have changed, or whether it is switched off: nothing that is searched for.
      this.#entries.set(key, { ...known, resource });
      this.names.exchange(resource);
    } else {
      this.#remove(key);
      this.#add(resource, reader);
    }
  }

  #add(resource: Resource, reader: TermReader): void {
    const facets = facetsOf(resource, this.#lexicon);
    const texts = textsOf(resource, facets.intents);
    this.#text.add(resource.key, reader.read(texts), texts.gist);
    this.names.add(resource);
    this.#enter(resource, facets);
  }

  /** Enters a resource whose document is in the indexes. */
  #enter(resource: Resource, facets: ResourceFacets): void {
    const { key } = resource;
    const profile = new DerivedProfile(resource, facets, new IndexedWords(key, this.#text));
    this.#entries.set(key, { resource, profile });
    this.#facets.add(key, profile);
    for (const follower of this.#followers) follower.added(profile);
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const { resource, profile } = entry;
    this.#text.remove(key, textsOf(resource, profile.intents).gist);
    this.names.remove(resource);
    this.#facets.remove(key, profile);
    this.#entries.delete(key);
    for (const follower of this.#followers) follower.removed(profile);
  }
}

function isSame(known: Resource, resource: Resource): boolean {
  return known === resource || known.hash === resource.hash;
}

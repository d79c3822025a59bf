import MiniSearch from 'minisearch';
import type { RegistryView, Resource } from '../models';
import { CharacterGrams } from './language/character-grams';
import type { Lexicon } from './lexicon/lexicon';
import { profileResource } from './resource-profile';
import type { ResourceProfile } from './resource-profile';
import type { LexicalField, SearchWeights } from './search-weights';

type IndexDocument = Readonly<Record<LexicalField, string>> & { readonly key: string };

/** One full-text hit: `score` is above 0, at most 1 plus the weight of character n-grams. */
export interface TextHit {
  readonly key: string;
  readonly score: number;
  readonly matchedFields: readonly string[];
}

/** What to look for: terms as written, weaker expansions, and the text itself for near spellings. */
export interface TextQuery {
  readonly text: string;
  readonly terms: readonly string[];
  readonly expansions: readonly string[];
}

/** A structured property by its canonical value. */
export interface Facet {
  readonly kind: 'intent' | 'entity' | 'symptom';
  readonly value: string;
}

const NO_KEYS: ReadonlySet<string> = new Set();

function facetName({ kind, value }: Facet): string {
  return `${kind}:${value}`;
}

function facetsOf(profile: ResourceProfile): readonly Facet[] {
  const facets = (kind: Facet['kind'], values: Iterable<string>): readonly Facet[] =>
    Array.from(values, (value) => ({ kind, value }));
  return [
    ...facets('intent', profile.declaresIntents ? profile.intents : []),
    ...facets('entity', profile.entities.keys()),
    ...facets('symptom', profile.symptoms.keys()),
  ];
}

/** Tokens that at least this many resources, and this share of them, hold say nothing about which one is meant. */
const COMMON_AT_LEAST = 40;
const COMMON_SHARE = 0.4;

const splitTokens = (text: string): string[] => text.split(' ');

function newFullText(weights: SearchWeights): MiniSearch<IndexDocument> {
  return new MiniSearch<IndexDocument>({
    idField: 'key',
    fields: Object.keys(weights.lexical.fields),
    tokenize: splitTokens,
    processTerm: (term) => (term === '' ? null : term),
    autoVacuum: false,
  });
}

/**
 * The derived data of every resource: profiles, the full-text index, character n-grams and word frequencies. Follows the registry by
 * itself: when the revision has changed, only resources whose hash differs are indexed again.
 */
export class SearchIndex {
  readonly #registry: RegistryView;
  readonly #lexicon: Lexicon;
  readonly #weights: SearchWeights;
  readonly #fullText: MiniSearch<IndexDocument>;
  readonly #grams = new CharacterGrams();
  readonly #profiles = new Map<string, ResourceProfile>();
  readonly #frequencies = new Map<string, number>();
  readonly #facets = new Map<string, Set<string>>();
  #indexedRevision: number | undefined;

  constructor(registry: RegistryView, lexicon: Lexicon, weights: SearchWeights) {
    this.#registry = registry;
    this.#lexicon = lexicon;
    this.#weights = weights;
    this.#fullText = newFullText(weights);
  }

  /** Number of resources indexed. */
  get size(): number {
    return this.#profiles.size;
  }

  /** Brings the index up to the registry's revision; cheap when nothing has changed. */
  refresh(): void {
    if (this.#indexedRevision === this.#registry.revision) return;
    const resources = this.#registry.all();
    const present = new Set(resources.map((resource) => resource.key));
    for (const key of [...this.#profiles.keys()]) if (!present.has(key)) this.#remove(key);
    for (const resource of resources) {
      if (this.#profiles.get(resource.key)?.hash !== resource.hash) this.#replace(resource);
    }
    this.#indexedRevision = this.#registry.revision;
  }

  /** The profile of a resource; made on the spot for one that is not indexed. */
  profile(resource: Resource): ResourceProfile {
    const known = this.#profiles.get(resource.key);
    return known?.hash === resource.hash ? known : profileResource(resource, this.#lexicon);
  }

  /** Keys of the resources that declare an intent, entity or symptom, in no particular order. */
  keysWith(facet: Facet): ReadonlySet<string> {
    return this.#facets.get(facetName(facet)) ?? NO_KEYS;
  }

  /** How many resources hold a token. */
  frequency(token: string): number {
    return this.#frequencies.get(token) ?? 0;
  }

  /** At most `limit` resources by text, best first, equal scores in key order. */
  search(query: TextQuery, admits: (key: string) => boolean, limit: number): readonly TextHit[] {
    const found = this.#searchFullText(query, admits);
    const best = found[0]?.score ?? 1;
    const scores = new Map(found.map((result) => [String(result.id), result.score / best]));
    const matches = new Map(found.map((result) => [String(result.id), result.match]));
    this.#addSimilar(query.text, scores, admits);
    return [...scores]
      .sort(([leftKey, left], [rightKey, right]) => right - left || (leftKey < rightKey ? -1 : 1))
      .slice(0, limit)
      .map(([key, score]) => {
        const match = matches.get(key);
        const matchedFields = match === undefined ? ['spelling'] : [...new Set(Object.values(match).flat())].sort();
        return { key, score, matchedFields };
      });
  }

  #searchFullText(query: TextQuery, admits: (key: string) => boolean): ReturnType<MiniSearch['search']> {
    const { fields, expansion } = this.#weights.lexical;
    const terms = this.#telling(query.terms);
    const expansions = this.#telling(query.expansions.filter((token) => !terms.includes(token)));
    return this.#fullText.search([...terms, ...expansions].join(' '), {
      boost: fields,
      boostTerm: (_term, index) => (index < terms.length ? 1 : expansion),
      filter: (result) => admits(String(result.id)),
    });
  }

  /** The known tokens, rarest first; those that most resources hold are left out where there are rarer ones. */
  #telling(tokens: readonly string[]): readonly string[] {
    const known = [...new Set(tokens)]
      .filter((token) => this.frequency(token) > 0)
      .sort((left, right) => this.frequency(left) - this.frequency(right) || (left < right ? -1 : 1))
      .slice(0, this.#weights.lexical.terms);
    const common = Math.max(COMMON_AT_LEAST, this.size * COMMON_SHARE);
    const rare = known.filter((token) => this.frequency(token) < common);
    return rare.length > 0 ? rare : known;
  }

  #addSimilar(text: string, scores: Map<string, number>, admits: (key: string) => boolean): void {
    const { characterGrams, leastSimilarity } = this.#weights.lexical;
    const similarities = this.#grams.similarities(text);
    let highest = 0;
    let sum = 0;
    for (const similarity of similarities.values()) {
      highest = Math.max(highest, similarity);
      sum += similarity;
    }
    const mean = sum / Math.max(1, this.size);
    if (highest <= mean) return;
    for (const [key, similarity] of similarities) {
      const bonus = characterGrams * Math.max(0, (similarity - mean) / (highest - mean));
      const score = scores.get(key);
      if (score !== undefined) scores.set(key, score + bonus);
      else if (similarity >= leastSimilarity && admits(key)) scores.set(key, bonus);
    }
  }

  #replace(resource: Resource): void {
    this.#remove(resource.key);
    const profile = profileResource(resource, this.#lexicon);
    this.#profiles.set(resource.key, profile);
    this.#fullText.add({ key: resource.key, ...profile.fields });
    this.#grams.set(resource.key, profile.gist);
    for (const word of profile.words) this.#frequencies.set(word, this.frequency(word) + 1);
    for (const facet of facetsOf(profile)) {
      const keys = this.#facets.get(facetName(facet)) ?? new Set();
      this.#facets.set(facetName(facet), keys.add(resource.key));
    }
  }

  #remove(key: string): void {
    const profile = this.#profiles.get(key);
    if (profile === undefined) return;
    // Removing with the document as indexed leaves nothing behind, unlike discarding by id.
    this.#fullText.remove({ key, ...profile.fields });
    this.#grams.delete(key);
    for (const facet of facetsOf(profile)) this.#facets.get(facetName(facet))?.delete(key);
    for (const word of profile.words) {
      const count = this.frequency(word) - 1;
      if (count > 0) this.#frequencies.set(word, count);
      else this.#frequencies.delete(word);
    }
    this.#profiles.delete(key);
  }
}

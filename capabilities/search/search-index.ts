import type { RegistryView, Resource } from '../models';
import { bestDocuments } from './index/best-documents';
import { DocumentTable } from './index/document-table';
import { FieldIndex } from './index/field-index';
import { GramIndex } from './index/gram-index';
import type { Lexicon } from './lexicon/lexicon';
import { profileResource } from './resource-profile';
import type { ResourceProfile } from './resource-profile';
import type { LexicalField, SearchWeights } from './search-weights';

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

/** Share of removed documents from which the indexes are built anew. */
const DEAD_SHARE = 0.3;

/**
 * The derived data of every resource: profiles, the full-text index, character n-grams and word frequencies. Follows the registry by
 * itself: when the revision has changed, only resources whose hash differs are indexed again.
 */
export class SearchIndex {
  readonly #registry: RegistryView;
  readonly #lexicon: Lexicon;
  readonly #weights: SearchWeights;
  #documents = new DocumentTable();
  #fullText: FieldIndex<LexicalField>;
  #grams = new GramIndex();
  readonly #profiles = new Map<string, ResourceProfile>();
  readonly #frequencies = new Map<string, number>();
  readonly #facets = new Map<string, Set<string>>();
  #indexedRevision: number | undefined;

  constructor(registry: RegistryView, lexicon: Lexicon, weights: SearchWeights) {
    this.#registry = registry;
    this.#lexicon = lexicon;
    this.#weights = weights;
    this.#fullText = new FieldIndex(weights.lexical.fields);
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
    if (this.#fullText.deadShare > DEAD_SHARE) this.#rebuild();
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
    const { characterGrams, expansion, leastSimilarity } = this.#weights.lexical;
    const { capacity } = this.#documents;
    const terms = this.#telling(query.terms);
    const expansions = this.#telling(query.expansions.filter((token) => !terms.includes(token)));
    const words = new Float64Array(capacity);
    for (const term of terms) this.#fullText.accumulate(term, 1, words);
    for (const term of expansions) this.#fullText.accumulate(term, expansion, words);
    const similarities = new Float64Array(capacity);
    if (characterGrams > 0) this.#grams.accumulate(query.text, similarities);
    const combined = combine(words, similarities, { weight: characterGrams, least: leastSimilarity });
    const isAdmitted = (document: number): boolean => {
      const key = this.#documents.keyOf(document);
      return key !== undefined && admits(key);
    };
    const sought = new Set([...terms, ...expansions]);
    return bestDocuments(combined, limit, isAdmitted)
      .map(({ document, score }) => ({ key: this.#documents.keyOf(document) ?? '', score }))
      .sort((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1))
      .map((hit) => ({ ...hit, matchedFields: this.#fieldsWith(hit.key, sought) }));
  }

  #fieldsWith(key: string, sought: ReadonlySet<string>): readonly string[] {
    const fields = Object.entries(this.#profiles.get(key)?.fields ?? {});
    const matched = fields.filter(([, tokens]) => tokens.split(' ').some((token) => sought.has(token)));
    return matched.length > 0 ? matched.map(([field]) => field).sort() : ['spelling'];
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

  #replace(resource: Resource): void {
    this.#remove(resource.key);
    const profile = profileResource(resource, this.#lexicon);
    this.#profiles.set(resource.key, profile);
    const document = this.#documents.add(resource.key);
    this.#fullText.add(document, tokensOf(profile));
    this.#grams.add(document, profile.gist);
    for (const word of profile.words) this.#frequencies.set(word, this.frequency(word) + 1);
    for (const facet of facetsOf(profile)) {
      const keys = this.#facets.get(facetName(facet)) ?? new Set();
      this.#facets.set(facetName(facet), keys.add(resource.key));
    }
  }

  /** Drops what removed documents have left in the lists. */
  #rebuild(): void {
    this.#documents = new DocumentTable();
    this.#fullText = new FieldIndex(this.#weights.lexical.fields);
    this.#grams = new GramIndex();
    for (const [key, profile] of this.#profiles) {
      const document = this.#documents.add(key);
      this.#fullText.add(document, tokensOf(profile));
      this.#grams.add(document, profile.gist);
    }
  }

  #remove(key: string): void {
    const profile = this.#profiles.get(key);
    if (profile === undefined) return;
    const document = this.#documents.remove(key);
    if (document !== undefined) {
      this.#fullText.remove(document, tokensOf(profile));
      this.#grams.remove(document, profile.gist);
    }
    for (const facet of facetsOf(profile)) this.#facets.get(facetName(facet))?.delete(key);
    for (const word of profile.words) {
      const count = this.frequency(word) - 1;
      if (count > 0) this.#frequencies.set(word, count);
      else this.#frequencies.delete(word);
    }
    this.#profiles.delete(key);
  }
}

function tokensOf({ fields }: ResourceProfile): Readonly<Record<LexicalField, readonly string[]>> {
  const split = Object.entries(fields).map(([field, text]) => [field, text === '' ? [] : text.split(' ')]);
  return Object.fromEntries(split) as Record<LexicalField, readonly string[]>;
}

/**
 * Convex fusion of two scores on scales of their own: each divided by its highest, the similarities weighted. A document without a word
 * in common counts only when it is at least `least` similar.
 */
function combine(
  words: Float64Array,
  similarities: Float64Array,
  { weight, least }: { readonly weight: number; readonly least: number },
): Float64Array {
  const highest = (scores: Float64Array): number => scores.reduce((best, score) => Math.max(best, score), 0) || 1;
  const [bestWords, bestSimilarity] = [highest(words), highest(similarities)];
  return words.map((score, document) => {
    const similarity = similarities[document] ?? 0;
    if (score === 0 && similarity < least) return 0;
    return score / bestWords + (weight * similarity) / bestSimilarity;
  });
}

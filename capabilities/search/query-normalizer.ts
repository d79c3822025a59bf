import type { ParsedQuery, QueryConcept, RegistryView, Resource } from '../models';
import { asksToRead } from './goal-clarity';
import { IntentReader } from './intent-reader';
import { tokenize, isStopWord } from './language/tokenizer';
import { textUnits, unitStems } from './language/text-units';
import type { Lexicon } from './lexicon/lexicon';
import { blankOut } from './lexicon/pattern-table';
import type { TextRange } from './lexicon/pattern-table';
import queryPatterns from './lexicon/query-patterns.json';
import { ProhibitionFinder } from './lexicon/prohibition-finder';
import { RegistryVocabulary } from './lexicon/registry-vocabulary';
import type { NamedPlace } from './lexicon/registry-vocabulary';
import { condenseQuery } from './query-condenser';
import type { SearchIndex } from './search-index';

/** What the normaliser may use of the request besides the words. */
export interface NormalizerRequest {
  readonly query: string;
  /** The pack that `within` resolved to. */
  readonly within: Resource | undefined;
  /** Only resources that the caller may discover have names. */
  readonly isVisible: (resource: Resource) => boolean;
}

interface NameReading {
  readonly explicitKeys: readonly string[];
  readonly scope: string | undefined;
}

const ANYTHING: ReadonlySet<string> = new Set(queryPatterns.anything.items.map((item) => unitStems(item).join(' ')));
/** Share of a sentence that a title or alias in it must make up to be meant as a name: "codex --version" is quoted, not asked for, in a long complaint. */
const LEAST_PHRASE_SHARE = 0.5;

/** Turns a goal in English, Chinese or a mixture into a structured query (§9), by rules and word lists alone. */
export class QueryNormalizer {
  readonly #registry: RegistryView;
  readonly #index: SearchIndex;
  readonly #lexicon: Lexicon;
  readonly #intents: IntentReader;
  readonly #prohibitions: ProhibitionFinder;
  readonly #vocabulary: RegistryVocabulary;

  constructor(registry: RegistryView, index: SearchIndex, lexicon: Lexicon) {
    this.#registry = registry;
    this.#index = index;
    this.#lexicon = lexicon;
    this.#intents = new IntentReader(lexicon);
    this.#prohibitions = new ProhibitionFinder(lexicon.intents);
    this.#vocabulary = new RegistryVocabulary(index, lexicon);
  }

  /** Reads the registry's own words now, so that the next query need not wait for it. */
  prepare(): void {
    this.#currentVocabulary();
  }

  /** Never throws and never fails: a query it can't read has no intents, entities or terms. */
  normalize(request: NormalizerRequest): ParsedQuery {
    const text = condenseQuery(request.query);
    const words = this.#currentVocabulary();
    const forbiddenRanges = this.#prohibitions.find(text);
    const positive = blankOut(text, forbiddenRanges);
    const { intents, forbidden, constraints } = this.#intents.read({ text, positive, forbidden: forbiddenRanges });
    const isUnwanted = (resource: Resource): boolean =>
      isDeed(resource) &&
      (asksToRead({ constraints }) || this.#index.profile(resource).intents.some((own) => forbidden.includes(own)));
    const names = readNames(positive, words.namesIn(positive, request.isVisible), isUnwanted);
    const asksToBrowse = this.#isBrowseRequest(positive, words, request);
    // Who asks what a pack can do names the pack to look into, not the one thing wanted.
    const explicitKeys = names.explicitKeys.filter((key) => !asksToBrowse || this.#registry.get(key)?.type !== 'pack');
    const isBrowseRequest = asksToBrowse && explicitKeys.length === 0;
    const topic = isBrowseRequest ? this.#lexicon.withoutBrowseWords(positive) : positive;
    const entities = words.entitiesIn(positive);
    const symptoms = [...new Set([...this.#lexicon.symptomsIn(positive), ...words.symptomsIn(positive)])];
    const terms = isBrowseRequest ? this.#readTopic(topic) : this.#readTerms(topic);
    const isWrite = intents[0] !== undefined && this.#lexicon.intents.isWrite(intents[0]);
    const hasHandle = entities.length + symptoms.length + explicitKeys.length > 0;
    const isUnspecified = isWrite && !hasHandle && this.#saysOnlyIntents(terms);
    return {
      text,
      language: languageOf(text),
      explicitKeys,
      scope: request.within?.id ?? names.scope,
      scopeIsHard: request.within !== undefined,
      isBrowseRequest,
      intents: isBrowseRequest ? [] : intents,
      entities,
      symptoms,
      constraints: isUnspecified ? [...constraints, 'unspecified'] : constraints,
      forbiddenIntents: forbidden,
      excludedKeys: this.#excludedKeys(text, forbiddenRanges, request),
      desiredOutcome: this.#lexicon.outcomeIn(positive),
      isExplicitWrite: isWrite && !isUnspecified,
      ...terms,
    };
  }

  #currentVocabulary(): RegistryVocabulary {
    this.#index.refresh();
    return this.#vocabulary;
  }

  #isBrowseRequest(positive: string, words: RegistryVocabulary, request: NormalizerRequest): boolean {
    const reading = this.#lexicon.browseRequestIn(positive);
    if (reading !== 'possible') return reading === 'certain';
    const packNames = words
      .namesIn(positive, request.isVisible)
      .filter((place) => place.resources.some((resource) => resource.type === 'pack'));
    return !this.#lexicon.saysAnything(this.#lexicon.withoutBrowseWords(blankOut(positive, packNames)));
  }

  #excludedKeys(text: string, ranges: readonly TextRange[], request: NormalizerRequest): readonly string[] {
    const words = this.#currentVocabulary();
    const places = ranges.flatMap((range) => words.namesIn(text.slice(range.start, range.end), request.isVisible));
    const named = places.filter((place) => place.form === 'identifier').flatMap((place) => place.resources);
    return [...new Set(named.filter((resource) => resource.type !== 'pack').map((resource) => resource.key))];
  }

  /** What a question for capabilities is about. Words that no resource holds say nothing about where to look. */
  #readTopic(topic: string): QueryTerms {
    const read = this.#readTerms(topic);
    const isKnown = read.concepts.some(({ forms }) =>
      forms.some((form) => form.length > 0 && form.every((token) => this.#index.frequency(token) > 0)),
    );
    return isKnown ? read : { terms: [], expansions: [], concepts: [] };
  }

  #readTerms(topic: string): QueryTerms {
    const content = this.#lexicon.withoutAskingPhrases(topic);
    const concepts = this.#readConcepts(content);
    // Without a word of its own, the character pairs of stop words are noise.
    const terms = concepts.length === 0 ? [] : tokenize(content).filter((token) => !isStopWord(token));
    const written = new Set(terms);
    const expansions = concepts.flatMap((concept) => concept.forms.flat()).filter((token) => !written.has(token));
    return { terms: [...new Set(terms)], expansions: [...new Set(expansions)], concepts };
  }

  /** Glossed phrases and intent words first, then whatever words are left between them. */
  #readConcepts(content: string): readonly QueryConcept[] {
    const glossed = this.#lexicon.glossary.phrasesIn(content);
    const concepts: QueryConcept[] = glossed.map(({ phrase, alternatives }) => ({
      term: phrase,
      forms: [tokenize(phrase, 'words'), ...alternatives, ...this.#intentForms(phrase)],
    }));
    const rest = blankOut(content, glossed);
    const intents = this.#lexicon.intents.mentions(rest);
    for (const mention of intents) {
      const term = rest.slice(mention.start, mention.end).toLowerCase();
      concepts.push({ term, forms: [tokenize(term, 'words'), tokenize(mention.intent)] });
    }
    for (const token of tokenize(blankOut(rest, intents), 'words')) {
      if (!isStopWord(token) && !/[._-]/u.test(token)) concepts.push({ term: token, forms: [[token]] });
    }
    const unique = new Map(
      concepts.filter((concept) => !isStopWord(concept.term)).map((concept) => [concept.term, concept]),
    );
    return [...unique.values()];
  }

  /** Whether every word is one for a deed: "clean up" does not say what, and "fix my machine" hardly does. */
  #saysOnlyIntents({ concepts }: QueryTerms): boolean {
    return concepts.every(
      ({ term }) => ANYTHING.has(unitStems(term).join(' ')) || this.#lexicon.intents.isIntentWord(term),
    );
  }

  #intentForms(phrase: string): readonly (readonly string[])[] {
    return this.#lexicon.intents.inName(phrase).map((intent) => tokenize(intent));
  }
}

/** What a query is about, for retrieval by words. */
type QueryTerms = Pick<ParsedQuery, 'terms' | 'expansions' | 'concepts'>;

/** Units of a text that are no stop words. */
function contentUnits(text: string): number {
  return textUnits(text).filter((unit) => !isStopWord(unit.surface)).length;
}

/** Separates names that are meant as such from words that only happen to be one, and finds the pack a query is about. */
function readNames(
  text: string,
  places: readonly NamedPlace[],
  isUnwanted: (resource: Resource) => boolean,
): NameReading {
  const allUnits = contentUnits(text);
  const isNothingElse = contentUnits(blankOut(text, places)) === 0;
  const hasIdentifier = places.some((place) => place.form === 'identifier');
  const isList = hasIdentifier && places.every((place) => place.form === 'identifier' || place.resources.length === 1);
  const areNames = isNothingElse && (places.length === 1 || isList);
  const isMeant = (place: NamedPlace): boolean => {
    if (areNames || place.form === 'identifier') return true;
    if (place.form !== 'phrase') return false;
    return contentUnits(text.slice(place.start, place.end)) >= allUnits * LEAST_PHRASE_SHARE;
  };
  const explicit = places
    .filter(isMeant)
    .flatMap(({ form, resources }) => resources.filter((one) => areNames || form === 'identifier' || !isUnwanted(one)))
    .filter((resource) => areNames || resource.type !== 'pack');
  const packs = places.flatMap((place) => place.resources).filter((resource) => resource.type === 'pack');
  return { explicitKeys: [...new Set(explicit.map((resource) => resource.key))], scope: commonScope(packs) };
}

/** Who asks what a deed would do says its title without asking for it. */
function isDeed(resource: Resource): boolean {
  return resource.type === 'action' && resource.definition.side_effect !== 'R';
}

/** The one pack that the others named with it contain or are; undefined when they are unrelated. */
function commonScope(packs: readonly Resource[]): string | undefined {
  const ids = [...new Set(packs.map((pack) => pack.id))].sort((left, right) => right.length - left.length);
  const deepest = ids[0];
  const isChain = ids.every((id) => id === deepest || (deepest?.startsWith(`${id}.`) ?? false));
  return isChain ? deepest : undefined;
}

function languageOf(text: string): ParsedQuery['language'] {
  const hasHan = /\p{Script=Han}/u.test(text);
  const hasLatin = /[A-Za-z]{2}/u.test(text);
  if (hasHan) return hasLatin ? 'mixed' : 'zh';
  return hasLatin ? 'en' : 'other';
}

import type { Resource } from '../../models';
import { PhraseTrie } from '../language/phrase-trie';
import { textUnits, unitStems } from '../language/text-units';
import type { TextUnit } from '../language/text-units';
import type { ResourceName } from '../index/name-table';
import type { ResourceProfile } from '../resource-profile';
import type { IndexFollower, SearchIndex } from '../search-index';
import type { Lexicon } from './lexicon';

/** A place of a text where resources are called by name. */
export interface NamedPlace {
  readonly start: number;
  readonly end: number;
  /** `identifier`: written like an id or tool name. `phrase`: a title or alias of some length. `word`: ordinary words that also are a name. */
  readonly form: 'identifier' | 'phrase' | 'word';
  readonly resources: readonly Resource[];
}

const LEAST_PHRASE_UNITS = { spaced: 2, dense: 3 } as const;

/** What the registry's own metadata adds to the lexicon: names, entities and symptoms. Follows the index. */
export class RegistryVocabulary implements IndexFollower {
  readonly #lexicon: Lexicon;
  readonly #index: SearchIndex;
  readonly #entities = new PhraseTrie<string>();
  readonly #symptoms = new PhraseTrie<string>();
  /** How many resources have each entity and symptom. */
  readonly #uses = { entities: new Map<string, number>(), symptoms: new Map<string, number>() };

  constructor(index: SearchIndex, lexicon: Lexicon) {
    this.#index = index;
    this.#lexicon = lexicon;
    index.follow(this);
  }

  added({ entities, symptoms }: ResourceProfile): void {
    for (const entity of entities.keys()) {
      if (countUse(this.#uses.entities, entity, 1) > 1) continue;
      for (const units of this.#phrasesFor(entity)) this.#entities.add(units, entity);
    }
    for (const symptom of symptoms.keys()) {
      if (countUse(this.#uses.symptoms, symptom, 1) === 1) this.#symptoms.add(unitStems(symptom), symptom);
    }
  }

  removed({ entities, symptoms }: ResourceProfile): void {
    for (const entity of entities.keys()) {
      if (countUse(this.#uses.entities, entity, -1) > 0) continue;
      for (const units of this.#phrasesFor(entity)) this.#entities.remove(units, (value) => value === entity);
    }
    for (const symptom of symptoms.keys()) {
      if (countUse(this.#uses.symptoms, symptom, -1) > 0) continue;
      this.#symptoms.remove(unitStems(symptom), (value) => value === symptom);
    }
  }

  /** Where a text calls visible resources by id, tool-style name, title or alias; longest names first, none overlapping. */
  namesIn(text: string, isVisible: (resource: Resource) => boolean): readonly NamedPlace[] {
    const units = textUnits(text);
    const surfaces = units.map((unit) => unit.surface);
    return this.#index.names
      .longestMatches(surfaces, isVisible)
      .flatMap(({ start, end, names }) => namedPlace(text, units.slice(start, end), names));
  }

  /** Entities of the registry that a text names, in any spelling the glossary knows, by place. */
  entitiesIn(text: string): readonly string[] {
    return phrasesIn(this.#entities, text);
  }

  /** Symptoms of the registry that a text holds word by word. */
  symptomsIn(text: string): readonly string[] {
    return phrasesIn(this.#symptoms, text);
  }

  /** An entity and its translations. One Chinese character is part of too many words to stand for an entity. */
  #phrasesFor(entity: string): readonly (readonly string[])[] {
    const translations = this.#lexicon.glossary.translations(entity).filter(({ length }) => length > 1);
    return [entity, ...translations].map(unitStems);
  }
}

/** By place, those of one place in alphabetical order: the order must not depend on what changed when. */
function phrasesIn(phrases: PhraseTrie<string>, text: string): readonly string[] {
  const stems = textUnits(text).map((unit) => unit.stem);
  return [...new Set(phrases.longestMatches(stems).flatMap((match) => [...match.values].sort()))];
}

function countUse(uses: Map<string, number>, name: string, step: 1 | -1): number {
  const count = (uses.get(name) ?? 0) + step;
  if (count > 0) uses.set(name, count);
  else uses.delete(name);
  return count;
}

function isWrittenAsIdentifier(text: string, units: readonly TextUnit[]): boolean {
  const start = units[0]?.start ?? 0;
  const end = units.at(-1)?.end ?? 0;
  const isQuoted = /[`"'“‘「]/u.test(text.charAt(start - 1)) && /[`"'”’」]/u.test(text.charAt(end));
  return isQuoted || (units.length > 1 && /^[A-Za-z0-9]+(?:[._-]*[A-Za-z0-9]+)*$/u.test(text.slice(start, end)));
}

/** Whether a phrase is long enough to be meant as a name when it stands inside a sentence. */
function isTellingPhrase(units: readonly TextUnit[]): boolean {
  const dense = units.filter((unit) => /^\p{Script=Han}$/u.test(unit.surface)).length;
  const spaced = units.length - dense;
  return dense > 0 ? dense + spaced > LEAST_PHRASE_UNITS.dense : spaced >= LEAST_PHRASE_UNITS.spaced;
}

function namedPlace(text: string, units: readonly TextUnit[], names: readonly ResourceName[]): readonly NamedPlace[] {
  const first = units[0];
  const last = units.at(-1);
  if (first === undefined || last === undefined) return [];
  const form = isWrittenAsIdentifier(text, units) ? 'identifier' : isTellingPhrase(units) ? 'phrase' : 'word';
  const phrases = names.filter((name) => name.kind === 'phrase');
  const best = form === 'phrase' && phrases.length > 0 ? phrases : preferIds(names);
  const resources = [...new Map(best.map((name) => [name.resource.key, name.resource])).values()];
  return [
    { start: first.start, end: last.end, form: form === 'phrase' && phrases.length === 0 ? 'word' : form, resources },
  ];
}

/** A whole id means that resource, even where it is the tail of another one's id. */
function preferIds(names: readonly ResourceName[]): readonly ResourceName[] {
  const ids = names.filter((name) => name.kind === 'id');
  return ids.length > 0 ? ids : names;
}

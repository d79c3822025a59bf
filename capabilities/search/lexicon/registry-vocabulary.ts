import type { RegistryView, Resource } from '../../models';
import { PhraseTrie } from '../language/phrase-trie';
import { textUnits, unitStems, unitSurfaces } from '../language/text-units';
import type { TextUnit } from '../language/text-units';
import type { SearchIndex } from '../search-index';
import type { Lexicon } from './lexicon';

/** One way to call a resource. */
interface ResourceName {
  readonly resource: Resource;
  /** `id`: the whole id. `tail`: its last one or two segments. `phrase`: title or alias. */
  readonly kind: 'id' | 'tail' | 'phrase';
}

/** A place of a text where resources are called by name. */
export interface NamedPlace {
  readonly start: number;
  readonly end: number;
  /** `identifier`: written like an id or tool name. `phrase`: a title or alias of some length. `word`: ordinary words that also are a name. */
  readonly form: 'identifier' | 'phrase' | 'word';
  readonly resources: readonly Resource[];
}

const LEAST_PHRASE_UNITS = { spaced: 2, dense: 3 } as const;

/** What the registry's own metadata adds to the lexicon: names, entities and symptoms. Made anew for each revision. */
export class RegistryVocabulary {
  readonly #names = new PhraseTrie<ResourceName>();
  readonly #entities = new PhraseTrie<string>();
  readonly #symptoms = new PhraseTrie<string>();

  constructor(registry: RegistryView, index: SearchIndex, lexicon: Lexicon) {
    const knownEntities = new Set<string>();
    for (const resource of registry.all()) {
      this.#addNames(resource);
      const profile = index.profile(resource);
      for (const entity of profile.entities.keys()) knownEntities.add(entity);
      for (const symptom of profile.symptoms.keys()) this.#symptoms.add(unitStems(symptom), symptom);
    }
    for (const entity of [...knownEntities].sort()) {
      this.#entities.add(unitStems(entity), entity);
      // One Chinese character is part of too many words to stand for an entity.
      const translations = lexicon.glossary.translations(entity).filter((translation) => translation.length > 1);
      for (const translation of translations) this.#entities.add(unitStems(translation), entity);
    }
  }

  /** Where a text calls visible resources by id, tool-style name, title or alias; longest names first, none overlapping. */
  namesIn(text: string, isVisible: (resource: Resource) => boolean): readonly NamedPlace[] {
    const units = textUnits(text);
    const surfaces = units.map((unit) => unit.surface);
    return this.#names
      .longestMatches(surfaces, (name) => isVisible(name.resource))
      .flatMap((match) => {
        const matched = units.slice(match.start, match.end);
        const names = match.values.filter((name) => isVisible(name.resource));
        return namedPlace(text, matched, names);
      });
  }

  /** Entities of the registry that a text names, in any spelling the glossary knows, by place. */
  entitiesIn(text: string): readonly string[] {
    const stems = textUnits(text).map((unit) => unit.stem);
    return [...new Set(this.#entities.longestMatches(stems).flatMap((match) => match.values))];
  }

  /** Symptoms of the registry that a text holds word by word. */
  symptomsIn(text: string): readonly string[] {
    const stems = textUnits(text).map((unit) => unit.stem);
    return [...new Set(this.#symptoms.longestMatches(stems).flatMap((match) => match.values))];
  }

  #addNames(resource: Resource): void {
    const segments = resource.id.split('.');
    this.#names.add(unitSurfaces(resource.id), { resource, kind: 'id' });
    this.#names.add(unitSurfaces(resource.key), { resource, kind: 'id' });
    if (segments.length > 1) this.#names.add(unitSurfaces(segments.at(-1) ?? ''), { resource, kind: 'tail' });
    if (segments.length > 2) this.#names.add(unitSurfaces(segments.slice(-2).join('.')), { resource, kind: 'tail' });
    const phrases = [resource.definition.title, ...(resource.definition.aliases ?? [])];
    for (const phrase of phrases) this.#names.add(unitSurfaces(phrase), { resource, kind: 'phrase' });
  }
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

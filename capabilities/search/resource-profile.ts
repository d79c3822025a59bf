import type { Resource } from '../models';
import type { Lexicon } from './lexicon/lexicon';
import { tokenize } from './language/tokenizer';
import type { LexicalField } from './search-weights';

/** Asked whether it holds a token. */
export interface TokenSet {
  has(token: string): boolean;
}

/** What search knows of one resource beside its place in the full-text index, derived from its definition and the lexicon alone. */
export interface ResourceProfile {
  /** Canonical intents, most important first; guessed from the name or title when none are declared. */
  readonly intents: readonly string[];
  /** False when the intents are a guess: good enough to keep a prohibition, not to speak for a candidate. */
  readonly declaresIntents: boolean;
  /** Entities in lower case, with the spelling of the author. */
  readonly entities: ReadonlyMap<string, string>;
  /** Canonical symptoms, with the spelling of the author. */
  readonly symptoms: ReadonlyMap<string, string>;
  /** Every token of every field. */
  readonly words: TokenSet;
  /** Tokens of the last segment of the id, joined by one space. */
  readonly fields: { readonly name: string };
}

/** The part of a profile that is worked out with the lexicon. */
export type ResourceFacets = Pick<ResourceProfile, 'intents' | 'symptoms'>;

/** What of a resource is looked for as text. */
export interface ResourceTexts {
  readonly fields: Readonly<Record<Exclude<LexicalField, 'gloss'>, readonly string[]>>;
  /** What the `gloss` field holds the translations of. */
  readonly glossed: readonly string[];
  /** Short text for character n-grams. */
  readonly gist: string;
}

const NONE: ReadonlyMap<string, string> = new Map();
const BODY_CHARACTERS = 2000;
const SCHEMA_DEPTH = 4;
const GIST_CHARACTERS = 200;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names, titles and descriptions of a schema's properties. */
function schemaText(schema: unknown, depth: number): readonly string[] {
  if (!isRecord(schema) || depth === 0) return [];
  const own = [schema['title'], schema['description']].filter((text) => typeof text === 'string');
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const inner = properties.flatMap(([name, property]) => [name, ...schemaText(property, depth - 1)]);
  return [...own, ...inner, ...schemaText(schema['items'], depth - 1)];
}

function detailText(resource: Resource): readonly string[] {
  switch (resource.type) {
    case 'action': {
      const { definition } = resource;
      const examples = (definition.examples ?? []).flatMap((example) => [example.title ?? '', example.goal ?? '']);
      return [...schemaText(definition.arguments_schema, SCHEMA_DEPTH), ...(definition.produces ?? []), ...examples];
    }
    case 'recipe': {
      const steps = (resource.definition.steps ?? []).map((step) =>
        typeof step === 'string' ? step : (step.why ?? ''),
      );
      return [[...steps, resource.definition.body ?? ''].join('\n').slice(0, BODY_CHARACTERS)];
    }
    case 'pack':
      return [];
  }
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1);
}

function intentsOf(resource: Resource, lexicon: Lexicon): readonly string[] {
  const declared = (resource.definition.intents ?? []).map((intent) => lexicon.intents.canonical(intent));
  if (declared.length > 0 || resource.type === 'pack') return [...new Set(declared)];
  const named = lexicon.intents.inName(lastSegment(resource.id).replaceAll(/[_-]+/gu, ' '));
  return [...new Set(named.length > 0 ? named : lexicon.intents.inName(resource.definition.title))];
}

function symptomsOf(resource: Resource, lexicon: Lexicon): ReadonlyMap<string, string> {
  const declaredSymptoms = resource.definition.symptoms ?? [];
  if (declaredSymptoms.length === 0) return NONE;
  const symptoms = new Map<string, string>();
  for (const declared of declaredSymptoms) {
    const plain = declared.replaceAll('_', ' ');
    symptoms.set(
      declared
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/gu, '_'),
      declared,
    );
    for (const canonical of lexicon.symptomsIn(plain)) if (!symptoms.has(canonical)) symptoms.set(canonical, declared);
  }
  return symptoms;
}

function entitiesOf({ definition }: Resource): ReadonlyMap<string, string> {
  const entities = definition.entities ?? [];
  return entities.length === 0 ? NONE : new Map(entities.map((entity) => [entity.trim().toLowerCase(), entity]));
}

/** Works out what needs the lexicon. Pure. */
export function facetsOf(resource: Resource, lexicon: Lexicon): ResourceFacets {
  return { intents: intentsOf(resource, lexicon), symptoms: symptomsOf(resource, lexicon) };
}

/** The texts of a resource; `intents` are the canonical ones. Pure. */
export function textsOf(resource: Resource, intents: readonly string[]): ResourceTexts {
  const { definition, id } = resource;
  const { title, summary, aliases = [], entities = [], tags = [] } = definition;
  const name = lastSegment(id);
  return {
    fields: {
      name: [name],
      path: [id],
      title: [title],
      aliases,
      symptoms: definition.symptoms ?? [],
      when_to_use: definition.when_to_use ?? [],
      entities,
      tags,
      intents: (definition.intents ?? []).length > 0 ? [...(definition.intents ?? []), ...intents] : [],
      summary: [summary],
      detail: detailText(resource),
    },
    glossed: [title, ...aliases, summary, ...entities, ...tags],
    gist: `${name} ${title} ${summary}`.slice(0, GIST_CHARACTERS),
  };
}

/** The profile of a resource, put together from what is worked out once and what follows from the definition. */
export class DerivedProfile implements ResourceProfile {
  readonly intents: readonly string[];
  readonly symptoms: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
  readonly words: TokenSet;
  readonly #resource: Resource;
  #name: string | undefined;

  /** `words` answers for every token of every field. */
  constructor(resource: Resource, { intents, symptoms }: ResourceFacets, words: TokenSet) {
    this.#resource = resource;
    this.intents = intents;
    this.symptoms = symptoms;
    this.entities = entitiesOf(resource);
    this.words = words;
  }

  get declaresIntents(): boolean {
    return (this.#resource.definition.intents ?? []).length > 0;
  }

  get fields(): ResourceProfile['fields'] {
    this.#name ??= tokenize(lastSegment(this.#resource.id)).join(' ');
    return { name: this.#name };
  }
}

/** Derives the profile of a resource that is not indexed. Pure. */
export function profileResource(resource: Resource, lexicon: Lexicon): ResourceProfile {
  const facets = facetsOf(resource, lexicon);
  const { fields, glossed } = textsOf(resource, facets.intents);
  const tokens = Object.values(fields).flatMap((texts) => texts.flatMap((text) => tokenize(text)));
  const phrases = glossed.flatMap((text) => lexicon.glossary.phrasesIn(text));
  const words = new Set([...tokens, ...phrases.flatMap(({ alternatives }) => alternatives.flat())]);
  return new DerivedProfile(resource, facets, words);
}

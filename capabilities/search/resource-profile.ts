import type { Resource } from '../models';
import type { Lexicon } from './lexicon/lexicon';
import { tokenize } from './language/tokenizer';
import type { LexicalField } from './search-weights';

/** What search knows of one resource, derived from its definition and the lexicon alone. */
export interface ResourceProfile {
  readonly hash: string;
  /** Canonical intents, most important first; guessed from the name or title when none are declared. */
  readonly intents: readonly string[];
  /** False when the intents are a guess: good enough to keep a prohibition, not to speak for a candidate. */
  readonly declaresIntents: boolean;
  /** Entities in lower case, with the spelling of the author. */
  readonly entities: ReadonlyMap<string, string>;
  /** Canonical symptoms, with the spelling of the author. */
  readonly symptoms: ReadonlyMap<string, string>;
  /** Tokens of each field, joined by one space. */
  readonly fields: Readonly<Record<LexicalField, string>>;
  /** Every token of every field. */
  readonly words: ReadonlySet<string>;
  /** Short text for character n-grams. */
  readonly gist: string;
}

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
  const symptoms = new Map<string, string>();
  for (const declared of resource.definition.symptoms ?? []) {
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

function glossText(texts: readonly string[], lexicon: Lexicon): string {
  const tokens = texts.flatMap((text) =>
    lexicon.glossary.phrasesIn(text).flatMap((phrase) => phrase.alternatives.flat()),
  );
  return [...new Set(tokens)].join(' ');
}

function fieldTexts(
  resource: Resource,
  intents: readonly string[],
): Record<Exclude<LexicalField, 'gloss'>, readonly string[]> {
  const { definition, id } = resource;
  return {
    name: [lastSegment(id)],
    path: [id],
    title: [definition.title],
    aliases: definition.aliases ?? [],
    symptoms: definition.symptoms ?? [],
    when_to_use: definition.when_to_use ?? [],
    entities: definition.entities ?? [],
    tags: definition.tags ?? [],
    intents: (definition.intents ?? []).length > 0 ? [...(definition.intents ?? []), ...intents] : [],
    summary: [definition.summary],
    detail: detailText(resource),
  };
}

/** Derives what search knows of a resource. Pure. */
export function profileResource(resource: Resource, lexicon: Lexicon): ResourceProfile {
  const { definition } = resource;
  const intents = intentsOf(resource, lexicon);
  const texts = fieldTexts(resource, intents);
  const fields: Record<string, string> = {};
  for (const [field, parts] of Object.entries(texts)) fields[field] = parts.flatMap((part) => tokenize(part)).join(' ');
  fields['gloss'] = glossText(
    [definition.title, ...texts.aliases, definition.summary, ...texts.entities, ...texts.tags],
    lexicon,
  );
  const words = new Set(Object.values(fields).flatMap((text) => text.split(' ')));
  words.delete('');
  return {
    hash: resource.hash,
    intents,
    declaresIntents: (definition.intents ?? []).length > 0,
    entities: new Map(texts.entities.map((entity) => [entity.trim().toLowerCase(), entity])),
    symptoms: symptomsOf(resource, lexicon),
    fields: fields as Record<LexicalField, string>,
    words,
    gist: `${lastSegment(resource.id)} ${definition.title} ${definition.summary}`.slice(0, GIST_CHARACTERS),
  };
}

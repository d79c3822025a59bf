/** Reads and checks `lexicon.yaml`: data for the search, under the same limits as every definition file. */
import type { Diagnostic, WorkspaceLexicon } from '../models';
import type { DefinitionRules } from './definition-validator';
import type { ParsedFile } from './parse-definition-file';
import { isObject } from './schema-walker';
import type { ValuePath } from './span-tree';
import { checkStructure } from './structure-checks';
import { readYaml, sortByPlace } from './yaml-reader';
import type { YamlDocument } from './yaml-reader';

/** Phrases a lexicon may hold. */
export const MAX_PHRASES = 2000;

/** Findings about phrases that one file reports. */
const MAX_IGNORED = 50;

/** One phrase of a lexicon and what it is there for. */
interface PlacedPhrase {
  readonly phrase: string;
  readonly path: ValuePath;
  readonly part: 'key' | 'value';
  /** Phrases of one family must differ: each has one meaning there. */
  readonly family: 'intents' | 'symptoms' | 'words';
  readonly intent: string | undefined;
}

/** Parses the text of a lexicon. With an error in it, none of it is used; a phrase that can't help is named and left out. Never throws. */
export function parseLexiconFile(text: string, rules: Pick<DefinitionRules, 'phraseProblem'>): ParsedFile {
  const { documents, diagnostics: readerFindings } = readYaml(text);
  // A lexicon without words is none, and harms nobody.
  const diagnostics = readerFindings.filter(({ code }) => code !== 'empty-file');
  const [document, second] = documents;
  if (second) diagnostics.push(describeSecond(second));
  if (!document || document.isBroken) return { text, diagnostics: sortByPlace(diagnostics), definitions: [] };
  const structure = isObject(document.value)
    ? checkStructure(document, 'lexicon', text).map(({ diagnostic }) => diagnostic)
    : [describeOther(document)];
  const isSound = structure.length === 0;
  const phrases = isSound ? phrasesOf(document.value as WorkspaceLexicon) : [];
  if (phrases.length > MAX_PHRASES) diagnostics.push(describeTooMany(phrases.length, document));
  diagnostics.push(...structure, ...findIgnored(phrases, document, rules));
  const isUsable = isSound && !diagnostics.some(({ severity }) => severity === 'error');
  const parsed = { text, diagnostics: sortByPlace(diagnostics), definitions: [] };
  return isUsable ? { ...parsed, lexicon: document.value as WorkspaceLexicon } : parsed;
}

function phrasesOf({
  synonyms = [],
  intents = {},
  entities = {},
  symptoms = {},
}: WorkspaceLexicon): readonly PlacedPhrase[] {
  const listed = (key: string, table: object, family: PlacedPhrase['family']): readonly PlacedPhrase[] =>
    Object.entries(table as Record<string, readonly string[]>).flatMap(([name, phrases]) =>
      phrases.map((phrase, index) => {
        const intent = key === 'intents' ? name : undefined;
        return { phrase, path: [key, name, index], part: 'value' as const, family, intent };
      }),
    );
  const names = Object.keys(entities).map((phrase): PlacedPhrase => {
    return { phrase, path: ['entities', phrase], part: 'key', family: 'words', intent: undefined };
  });
  const groups = synonyms.flatMap((group, index) =>
    group.map((phrase, place): PlacedPhrase => {
      return { phrase, path: ['synonyms', index, place], part: 'value', family: 'words', intent: undefined };
    }),
  );
  return [
    ...groups,
    ...listed('intents', intents, 'intents'),
    ...names,
    ...listed('entities', entities, 'words'),
    ...listed('symptoms', symptoms, 'symptoms'),
  ];
}

/** What the search will leave out, so that nobody wonders. */
function findIgnored(
  phrases: readonly PlacedPhrase[],
  document: YamlDocument,
  { phraseProblem }: Pick<DefinitionRules, 'phraseProblem'>,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  const found: Diagnostic[] = [];
  for (const { phrase, path, part, family, intent } of phrases) {
    const identity = `${family} ${phrase.normalize('NFKC').trim().toLowerCase()}`;
    const isRepeated = seen.has(identity);
    seen.add(identity);
    const reason = isRepeated
      ? 'stands in this lexicon already; a phrase has one meaning, the first'
      : phraseProblem?.(phrase, intent);
    if (reason === undefined) continue;
    const message = `\`${phrase}\` ${reason}. It is left out.`;
    found.push({ code: 'ignored-phrase', severity: 'warning', message, span: document.spanOf(path, part) });
    if (found.length === MAX_IGNORED) break;
  }
  return found;
}

function describeSecond(document: YamlDocument): Diagnostic {
  const message = 'A lexicon is one document. Put everything below the keys of the first, and remove the `---` line.';
  return { code: 'invalid-value', severity: 'error', message, span: document.span };
}

function describeOther(document: YamlDocument): Diagnostic {
  const message = 'A lexicon is a map with `synonyms`, `intents`, `entities` and `symptoms`.';
  return { code: 'not-a-mapping', severity: 'error', message, span: document.spanOf([], 'value') };
}

function describeTooMany(count: number, document: YamlDocument): Diagnostic {
  const message = `A lexicon holds at most ${MAX_PHRASES} phrases; this one has ${count} and is not used.`;
  const { start } = document.span;
  return { code: 'invalid-value', severity: 'error', message, span: { start, end: start } };
}

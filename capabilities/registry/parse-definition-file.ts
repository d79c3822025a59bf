/** Reads and checks one file on its own. Pure: the same text gives the same result, whoever shares it. */
import type { Diagnostic, PolicyFile, ResourceType, Span, WorkspaceLexicon } from '../models';
import { validateDefinition } from './definition-validator';
import type { DefinitionRules, TypedDefinition } from './definition-validator';
import { ID_KEYS } from './definition-type';
import type { SecretUse } from './template-checks';
import { valueAt } from './validation-findings';
import { readYaml, sortByPlace } from './yaml-reader';
import type { YamlDocument } from './yaml-reader';

/** A reference to another resource. */
export interface DefinitionReference {
  /** As written: an id, or `<scope>:<id>`. */
  readonly target: string;
  readonly span: Span;
}

/** A document that names its id, as far as the registry needs it. */
export interface ParsedDefinition {
  readonly id: string;
  /** Undefined when the type is not clear. */
  readonly type: ResourceType | undefined;
  readonly span: Span;
  readonly idSpan: Span;
  /** Undefined when the document has an error: then it only claims that its id is known. */
  readonly typed: TypedDefinition | undefined;
  readonly references: readonly DefinitionReference[];
  readonly secrets: readonly SecretUse[];
}

/** What one file holds. */
export interface ParsedFile {
  /** The text as it was parsed. */
  readonly text: string;
  /** Everything that is wrong with the file by itself, in the order of the places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly definitions: readonly ParsedDefinition[];
  /** For a lexicon without errors. */
  readonly lexicon?: WorkspaceLexicon;
  /** For a policy; `broken` when it has errors. */
  readonly policy?: PolicyFile | 'broken';
}

/** Parses the text of a definition file. */
export function parseDefinitionFile(text: string, rules: DefinitionRules): ParsedFile {
  const { documents, diagnostics: readerFindings } = readYaml(text);
  const diagnostics = [...readerFindings];
  const definitions: ParsedDefinition[] = [];
  for (const document of documents) {
    // The reader has said what to mend first; what the rest seems to hold is a guess.
    const validated = document.isBroken ? undefined : validateDefinition(document, text, rules);
    diagnostics.push(...(validated?.diagnostics ?? []));
    const type = validated ? validated.type : guessType(document);
    const id = type && valueAt(document.value, [ID_KEYS[type]]);
    if (!type || typeof id !== 'string') continue;
    definitions.push({
      id,
      type,
      span: document.span,
      idSpan: document.spanOf([ID_KEYS[type]], 'value'),
      typed: validated?.typed,
      references: validated ? findReferences(document) : [],
      secrets: validated?.secrets ?? [],
    });
  }
  return { text, diagnostics: sortByPlace(diagnostics), definitions };
}

function guessType(document: YamlDocument): ResourceType | undefined {
  const types: readonly ResourceType[] = ['pack', 'action', 'recipe'];
  return types.find((type) => typeof valueAt(document.value, [ID_KEYS[type]]) === 'string');
}

/** Places that name an action: `undo`, `verify`, `next_actions` and the steps of recipes. */
function findReferences(document: YamlDocument): readonly DefinitionReference[] {
  const references: DefinitionReference[] = [];
  const add = (path: readonly (string | number)[], isTextReference: boolean): void => {
    const value = valueAt(document.value, path);
    const place = typeof value === 'string' ? path : [...path, 'action'];
    if (typeof value === 'string' && !isTextReference) return;
    const target = valueAt(document.value, place);
    if (typeof target === 'string') references.push({ target, span: document.spanOf(place, 'value') });
  };
  add(['undo'], true);
  for (const key of ['verify', 'next_actions', 'steps']) {
    const list = valueAt(document.value, [key]);
    // A step that is text is a sentence for a person.
    if (Array.isArray(list))
      list.forEach((_, index) => {
        add([key, index], key !== 'steps');
      });
  }
  return references;
}

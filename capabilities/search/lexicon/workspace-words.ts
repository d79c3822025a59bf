import type { WorkspaceLexicon } from '../../models';
import { unitStems } from '../language/text-units';
import type { PhraseRules } from './phrase-rules';

/** What the lexicons of the workspace folders add, together. */
export interface WorkspaceWords {
  /** Phrases that mean the same; no phrase stands in two groups. */
  readonly groups: readonly (readonly string[])[];
  readonly intents: readonly { readonly phrase: string; readonly intent: string }[];
  readonly symptoms: readonly { readonly phrase: string; readonly symptom: string }[];
}

/** A group leads from each of its phrases to all others: a long one would drown what was asked. */
const MOST_OF_GROUP = 12;

/**
 * Merges the lexicons, the first one first. Each phrase keeps the first meaning it is given, so that no word, however often it is
 * listed, leads to more than one group.
 */
export function mergeWorkspaceWords(lexicons: readonly WorkspaceLexicon[], rules: PhraseRules): WorkspaceWords {
  const claim = { words: new Claims(rules), intents: new Claims(rules), symptoms: new Claims(rules) };
  const groups: (readonly string[])[] = [];
  const intents: { phrase: string; intent: string }[] = [];
  const symptoms: { phrase: string; symptom: string }[] = [];
  for (const lexicon of lexicons) {
    const named = Object.entries(lexicon.entities ?? {}).map(([name, phrases]) => [name, ...phrases]);
    for (const group of [...(lexicon.synonyms ?? []), ...named]) {
      const kept = group.slice(0, MOST_OF_GROUP * 2).filter((phrase) => claim.words.take(phrase, undefined));
      if (kept.length > 1) groups.push(kept.slice(0, MOST_OF_GROUP));
    }
    for (const [intent, phrases] of tableOf(lexicon.intents)) {
      for (const phrase of phrases) if (claim.intents.take(phrase, intent)) intents.push({ phrase, intent });
    }
    for (const [name, phrases] of tableOf(lexicon.symptoms)) {
      const symptom = symptomName(name);
      for (const phrase of phrases) if (claim.symptoms.take(phrase, undefined)) symptoms.push({ phrase, symptom });
    }
  }
  return { groups, intents, symptoms };
}

/** The canonical form of a symptom's name, as resources have it. */
function symptomName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
}

function tableOf(table: object | undefined): readonly (readonly [string, readonly string[]])[] {
  return Object.entries((table ?? {}) as Readonly<Record<string, readonly string[]>>);
}

/** Phrases that have their meaning. */
class Claims {
  readonly #rules: PhraseRules;
  readonly #taken = new Set<string>();

  constructor(rules: PhraseRules) {
    this.#rules = rules;
  }

  /** Whether the phrase can be used and is not taken; it is then. */
  take(phrase: string, intent: string | undefined): boolean {
    const name = unitStems(phrase.normalize('NFKC')).join(' ');
    if (this.#taken.has(name) || this.#rules.problemOf(phrase, intent) !== undefined) return false;
    this.#taken.add(name);
    return true;
  }
}

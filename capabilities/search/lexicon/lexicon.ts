import type { WorkspaceLexicon } from '../../models';
import { Glossary } from './glossary';
import { IntentLexicon } from './intent-lexicon';
import { blankOut, compilePatterns, matchesAny, rangesOf } from './pattern-table';
import type { TextRange } from './pattern-table';
import { PhraseRules } from './phrase-rules';
import { mergeWorkspaceWords } from './workspace-words';
import queryPatterns from './query-patterns.json';
import symptomTable from './symptoms.json';
import { textUnits, unitStems } from '../language/text-units';
import { isStopWord } from '../language/tokenizer';
import { PhraseTrie } from '../language/phrase-trie';

interface NamedPatterns {
  readonly name: string;
  readonly patterns: readonly RegExp[];
}

function namedPatterns(table: Readonly<Record<string, readonly string[]>>): readonly NamedPatterns[] {
  return Object.entries(table).map(([name, sources]) => ({ name, patterns: compilePatterns(sources) }));
}

/**
 * The bilingual word knowledge of search: intents, constraints, symptoms, browse requests, glossary. Build it once; it changes only when it
 * adopts the words of workspaces, and then everything that was derived from it must be made anew.
 */
export class Lexicon {
  readonly intents = new IntentLexicon();
  readonly glossary: Glossary;
  readonly #constraints = namedPatterns(queryPatterns.constraints);
  readonly #symptoms = namedPatterns(symptomTable);
  readonly #certainBrowse = compilePatterns(queryPatterns.browse.certain);
  readonly #possibleBrowse = compilePatterns(queryPatterns.browse.possible);
  readonly #browseFiller = new PhraseTrie<true>();
  readonly #askingPhrases = new PhraseTrie<true>();
  readonly #outcome = compilePatterns(queryPatterns.outcome);
  #ownSymptoms = new PhraseTrie<string>();
  #adopted: readonly WorkspaceLexicon[] = [];

  constructor(options: { readonly glossary: 'built-in' | 'none' } = { glossary: 'built-in' }) {
    this.glossary = options.glossary === 'none' ? new Glossary([]) : new Glossary();
    for (const word of queryPatterns.browse.filler) this.#browseFiller.add(unitStems(word), true);
    for (const phrase of queryPatterns.phrases.items) this.#askingPhrases.add(unitStems(phrase), true);
  }

  /** Whether the lexicons of the workspaces differ from those adopted last. */
  isOutdated(lexicons: readonly WorkspaceLexicon[] = this.#adopted): boolean {
    return lexicons !== this.#adopted && lexicons.length + this.#adopted.length > 0;
  }

  /** Takes the workspaces' words in the place of those adopted before; the built-in words keep their meaning. */
  adopt(lexicons: readonly WorkspaceLexicon[] = []): void {
    const words = mergeWorkspaceWords(lexicons, new PhraseRules(this.intents));
    this.#adopted = lexicons;
    this.intents.adopt(words.intents);
    // What stands for a symptom or an intent is covered by what has it.
    const meanings = [
      ...words.symptoms.map(({ phrase, symptom }) => ({ phrase, meaning: symptom.replaceAll('_', ' ') })),
      ...words.intents.map(({ phrase, intent }) => ({ phrase, meaning: intent })),
    ];
    this.glossary.adopt(words.groups, meanings);
    this.#ownSymptoms = new PhraseTrie();
    for (const { phrase, symptom } of words.symptoms) this.#ownSymptoms.add(unitStems(phrase), symptom);
  }

  /** Names of the constraints that a text states, such as `read_first` or `dry_run`. */
  constraintsIn(text: string): readonly string[] {
    return this.#constraints.filter((entry) => matchesAny(entry.patterns, text)).map((entry) => entry.name);
  }

  /** Canonical names of the symptoms that a text complains of. */
  symptomsIn(text: string): readonly string[] {
    const builtIn = this.#symptoms.filter((entry) => matchesAny(entry.patterns, text)).map((entry) => entry.name);
    const own = this.#ownSymptoms.longestMatches(unitStems(text)).flatMap((match) => match.values);
    return [...new Set([...builtIn, ...own])];
  }

  /** Whether a text asks what there is. `possible`: only when nothing but `topic` words are left besides. */
  browseRequestIn(text: string): 'certain' | 'possible' | 'none' {
    if (matchesAny(this.#certainBrowse, text)) return 'certain';
    return matchesAny(this.#possibleBrowse, text) ? 'possible' : 'none';
  }

  /** The text without the words that browse requests are made of. */
  withoutBrowseWords(text: string): string {
    return blankOut(text, this.#rangesIn(this.#browseFiller, text));
  }

  /** The text without phrases that say how somebody asks, not what for. */
  withoutAskingPhrases(text: string): string {
    return blankOut(text, this.#rangesIn(this.#askingPhrases, text));
  }

  /** The wanted result, when a text states one in so many words. */
  outcomeIn(text: string): string | undefined {
    const range = rangesOf(this.#outcome, text)[0];
    if (range === undefined) return undefined;
    const clause = text.slice(range.start, range.end);
    return this.#outcome.map((pattern) => new RegExp(pattern.source, 'iu').exec(clause)?.[1]?.trim()).find(Boolean);
  }

  /** Whether the text has a word of its own besides stop words. */
  saysAnything(text: string): boolean {
    return textUnits(text).some((unit) => !isStopWord(unit.surface) && !isStopWord(unit.stem));
  }

  #rangesIn(trie: PhraseTrie<true>, text: string): readonly TextRange[] {
    const units = textUnits(text);
    return trie.longestMatches(units.map((unit) => unit.stem)).flatMap((match) => {
      const start = units[match.start]?.start;
      const end = units[match.end - 1]?.end;
      return start === undefined || end === undefined ? [] : [{ start, end }];
    });
  }
}

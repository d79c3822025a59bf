import { PhraseTrie } from '../language/phrase-trie';
import { textUnits, unitStems } from '../language/text-units';
import type { TextUnit } from '../language/text-units';
import intentTable from './intents.json';
import negation from './negation-patterns.json';
import { compilePatterns, matchesAny } from './pattern-table';

interface IntentEntry {
  readonly family: string;
  readonly effect: string;
  readonly en: readonly string[];
  readonly zh: readonly string[];
  readonly weak?: readonly string[];
  /** Intents that mean nearly the same where they are asked for: what lists something also shows it. */
  readonly near?: readonly string[];
  readonly forbids?: readonly string[];
}

/** One place of a text that names an intent. */
export interface IntentMention {
  readonly intent: string;
  readonly start: number;
  readonly end: number;
  /** `weak`: implied by a complaint. `context`: told as something that happened or as part of a noun, not wanted. */
  readonly strength: 'strong' | 'weak' | 'context';
}

interface IntentPhrase {
  readonly intent: string;
  readonly strength: 'strong' | 'weak';
}

/** How far around a mention its tense is looked for, in characters. */
const TENSE_WINDOW = 40;

/** The built-in bilingual table of intents, with the phrases that workspaces add: finds them in text and knows how they relate. */
export class IntentLexicon {
  readonly #entries: ReadonlyMap<string, IntentEntry>;
  readonly #builtIn = new PhraseTrie<IntentPhrase>();
  #phrases = this.#builtIn;
  #plainWords: ReadonlySet<string> = new Set();
  readonly #pastBefore = compilePatterns(negation.pastBefore);
  readonly #pastAfter = compilePatterns(negation.pastAfter);
  readonly #reportedAfter = compilePatterns(negation.reportedAfter);
  readonly #nounBefore = compilePatterns(negation.nounBefore);
  readonly #nounByUse = compilePatterns(negation.nounByUse);
  readonly #usedAfter = compilePatterns(negation.usedAfter);
  readonly #nounsOnly: ReadonlySet<string> = new Set(negation.nounsOnly);
  readonly #attributiveAfter = compilePatterns(negation.attributiveAfter);
  readonly #attributive: ReadonlySet<string> = new Set(negation.attributive);

  constructor() {
    this.#entries = new Map(Object.entries(intentTable) as [string, IntentEntry][]);
    this.#plainWords = this.#enter(this.#builtIn);
  }

  /** Adds phrases to known intents, in the place of those added before. They never change what a built-in phrase means. */
  adopt(phrases: readonly { readonly phrase: string; readonly intent: string }[]): void {
    const all = new PhraseTrie<IntentPhrase>();
    const words = new Set(this.#enter(all));
    for (const { phrase, intent } of phrases) {
      if (!this.#entries.has(intent) || this.builtInIntentOf(phrase) !== undefined) continue;
      all.add(unitStems(phrase), { intent, strength: 'strong' });
      for (const word of phrase.toLowerCase().split(' ')) words.add(word);
    }
    this.#phrases = all;
    this.#plainWords = words;
  }

  /** The intent that a phrase asks for without any workspace's words. */
  builtInIntentOf(phrase: string): string | undefined {
    return this.#builtIn.get(unitStems(phrase))[0]?.intent;
  }

  /** Enters the built-in phrases and gives their words. */
  #enter(phrases: PhraseTrie<IntentPhrase>): ReadonlySet<string> {
    for (const [intent, entry] of this.#entries) {
      for (const phrase of [...entry.en, ...entry.zh]) phrases.add(unitStems(phrase), { intent, strength: 'strong' });
      for (const phrase of entry.weak ?? []) phrases.add(unitStems(phrase), { intent, strength: 'weak' });
    }
    return new Set([...this.#entries.values()].flatMap((entry) => entry.en.flatMap((phrase) => phrase.split(' '))));
  }

  /** Every mention of an intent, by place. */
  mentions(text: string): readonly IntentMention[] {
    const units = textUnits(text);
    const matches = this.#phrases.longestMatches(units.map((unit) => unit.stem));
    return matches.flatMap((match) => {
      const first = units[match.start];
      const last = units[match.end - 1];
      const phrase = match.values[0];
      if (first === undefined || last === undefined || phrase === undefined) return [];
      const strength = this.#strengthOf(phrase, text, first, last);
      return [{ intent: phrase.intent, start: first.start, end: last.end, strength }];
    });
  }

  /** The canonical name of an intent as an author wrote it; unknown ones in lower case. */
  canonical(declared: string): string {
    return this.#phrases.get(unitStems(declared))[0]?.intent ?? declared.trim().toLowerCase();
  }

  /** Intents that a short name such as `schedule delete` implies. */
  inName(name: string): readonly string[] {
    const stems = unitStems(name);
    const found = this.#phrases.longestMatches(stems).flatMap((match) => match.values.slice(0, 1));
    return [...new Set(found.map((phrase) => phrase.intent))];
  }

  /** Whether a phrase is nothing but the word for an intent. */
  isIntentWord(phrase: string): boolean {
    return this.#phrases.get(unitStems(phrase)).length > 0;
  }

  /** Whether what has the one intent does nearly what the other asks for. */
  isNear(own: string, wanted: string): boolean {
    return this.#entries.get(wanted)?.near?.includes(own) ?? false;
  }

  /** Whether two intents are near relatives, such as diagnose and inspect. */
  areRelated(left: string, right: string): boolean {
    const family = this.#entries.get(left)?.family;
    return family !== undefined && family === this.#entries.get(right)?.family;
  }

  /** The intent and its near relatives. */
  relatives(intent: string): readonly string[] {
    const family = this.#entries.get(intent)?.family;
    const others = [...this.#entries].filter(([other, entry]) => other !== intent && entry.family === family);
    return [intent, ...others.map(([other]) => other)];
  }

  /** Whether carrying the intent out changes something; unknown intents count as reading. */
  isWrite(intent: string): boolean {
    return this.#entries.get(intent)?.effect === 'write';
  }

  /** Intents that are forbidden along with this one. */
  forbiddenWith(intent: string): readonly string[] {
    return this.#entries.get(intent)?.forbids ?? [];
  }

  /** Past and third-person forms tell what happens; wishes use the plain verb. */
  #isDescriptive({ surface }: TextUnit): boolean {
    return surface.length > 4 && /(?:ed|[^su]s)$/.test(surface) && !this.#plainWords.has(surface);
  }

  /** "the commit", "my last backup", "a clean tree", but not "make a backup": English verbs are nouns as well. */
  #isNoun(text: string, first: TextUnit, last: TextUnit): boolean {
    if (this.#nounsOnly.has(text.slice(first.start, last.end))) return true;
    const before = text.slice(Math.max(0, first.start - TENSE_WINDOW), first.start);
    const after = text.slice(last.end, last.end + TENSE_WINDOW);
    const isUsed = matchesAny(this.#nounByUse, before) && matchesAny(this.#usedAfter, after);
    return matchesAny(this.#nounBefore, before) && !isUsed;
  }

  #strengthOf(phrase: IntentPhrase, text: string, first: TextUnit, last: TextUnit): IntentMention['strength'] {
    if (phrase.strength === 'weak') return 'weak';
    if (this.#isDescriptive(last)) return 'context';
    const before = text.slice(Math.max(0, first.start - TENSE_WINDOW), first.start);
    const after = text.slice(last.end, last.end + TENSE_WINDOW);
    if (matchesAny(this.#pastBefore, before)) return 'context';
    if (!this.isWrite(phrase.intent)) return matchesAny(this.#reportedAfter, after) ? 'context' : 'strong';
    if (matchesAny(this.#pastAfter, after)) return 'context';
    if (this.#isNoun(text, first, last)) return 'context';
    const isAttribute = this.#attributive.has(phrase.intent) && matchesAny(this.#attributiveAfter, after);
    return isAttribute ? 'context' : 'strong';
  }
}

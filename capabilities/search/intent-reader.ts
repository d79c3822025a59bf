import { ClauseFinder } from './lexicon/clause-finder';
import type { IntentMention } from './lexicon/intent-lexicon';
import type { Lexicon } from './lexicon/lexicon';
import negation from './lexicon/negation-patterns.json';
import { compilePatterns, matchesAny, rangesOf } from './lexicon/pattern-table';
import type { TextRange } from './lexicon/pattern-table';
import queryPatterns from './lexicon/query-patterns.json';

/** What a goal wants done, and within which limits. */
export interface IntentReading {
  /** Canonical, most important first. */
  readonly intents: readonly string[];
  readonly forbidden: readonly string[];
  /** `read_first`, `question`, `how_to`, `guide` …, `no_` with each forbidden intent, `done_` with what is told as done. */
  readonly constraints: readonly string[];
}

/** A goal with the stretches that forbid something. */
export interface MarkedGoal {
  readonly text: string;
  /** The text with those blanked out; offsets are the same. */
  readonly positive: string;
  readonly forbidden: readonly TextRange[];
}

const SHORT_VERBS = Object.entries(negation.shortVerbs.intents);
const BEFORE_SHORT_VERB = compilePatterns([negation.shortVerbs.after]);
const TOLD_DEEDS = Object.entries(queryPatterns.deeds).map(([intent, sources]) => ({
  intent,
  patterns: compilePatterns(sources),
}));
/** "without losing my edits" forbids no editing. */
const POSSESSIVE = /\b(?:my|our|your|their|his|her)\s+$/iu;
const READ_FIRST = new Set(['read_first', 'read_only', 'question']);

/** Reads what a goal asks for: a deed, an answer, or instructions. */
export class IntentReader {
  readonly #lexicon: Lexicon;
  readonly #clauses = new ClauseFinder();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Never fails: a goal that says nothing of the kind has no intents. */
  read(goal: MarkedGoal): IntentReading {
    const { text, positive } = goal;
    const questions = this.#clauses.questionsIn(positive);
    const told = [...this.#lexicon.intents.mentions(positive), ...toldDeedsIn(positive)];
    const mentions = this.#asked(told, [...questions, ...this.#clauses.postponedIn(positive)]);
    const constraints = [...this.#lexicon.constraintsIn(text), ...this.#attitudes(positive, mentions, questions)];
    const wanted = this.#order(mentions, questions, constraints);
    const done = this.#done(mentions).filter((intent) => !wanted.includes(intent));
    const { named, implied } = this.#forbidden(goal);
    const forbidden = [...new Set([...named, ...implied.filter((intent) => !wanted.includes(intent))])];
    return {
      intents: wanted.filter((intent) => !named.includes(intent)),
      forbidden,
      constraints: [
        ...new Set([
          ...constraints,
          ...forbidden.map((intent) => `no_${intent}`),
          ...done.map((intent) => `done_${intent}`),
        ]),
      ],
    };
  }

  /** Deeds that are only asked about or put off are not asked for. */
  #asked(mentions: readonly IntentMention[], asides: readonly TextRange[]): readonly AskedMention[] {
    return mentions.map((mention) => {
      const isAside = asides.some((range) => mention.start >= range.start && mention.start < range.end);
      const isDeed = this.#lexicon.intents.isWrite(mention.intent) && mention.strength !== 'weak';
      return isAside && isDeed ? { ...mention, strength: 'context', isPutOff: true } : { ...mention, isPutOff: false };
    });
  }

  #attitudes(positive: string, mentions: readonly AskedMention[], questions: readonly TextRange[]): readonly string[] {
    const strong = mentions.filter(({ strength }) => strength === 'strong');
    const asksForDeed = strong.some(({ intent }) => this.#lexicon.intents.isWrite(intent));
    const asksToSee = strong.length > 0 && !asksForDeed;
    return [
      ...(questions.length > 0 && !asksForDeed ? ['question'] : []),
      ...(asksToSee && mentions.some(({ isPutOff }) => isPutOff) ? ['read_first'] : []),
      ...(this.#clauses.asksHow(positive) ? ['how_to'] : []),
      ...(this.#clauses.asksForGuide(positive) ? ['guide'] : []),
    ];
  }

  /** Wishes first, then what answers the questions, then what complaints imply; reading before writing where the goal says so. */
  #order(
    mentions: readonly AskedMention[],
    questions: readonly { readonly intent: string }[],
    constraints: readonly string[],
  ): readonly string[] {
    const named = (strength: IntentMention['strength']): readonly string[] =>
      mentions.filter((mention) => mention.strength === strength).map(({ intent }) => intent);
    const isQuestion = constraints.includes('question');
    const answers = isQuestion ? questions.map(({ intent }) => intent) : [];
    // "Tell me how many" wants a count, not just anything to look at.
    const wishes = named('strong').filter((intent) => answers.length === 0 || intent !== 'show');
    const ordered = [...new Set([...wishes, ...answers, ...named('strong'), ...named('weak')])];
    if (!constraints.some((constraint) => READ_FIRST.has(constraint))) return ordered;
    const isWrite = (intent: string): boolean => this.#lexicon.intents.isWrite(intent);
    return [...ordered.filter((intent) => !isWrite(intent)), ...ordered.filter(isWrite)];
  }

  /** Deeds told as done, or named as things. */
  #done(mentions: readonly AskedMention[]): readonly string[] {
    const told = mentions.filter(({ strength, isPutOff }) => strength === 'context' && !isPutOff);
    return told.map(({ intent }) => intent).filter((intent) => this.#lexicon.intents.isWrite(intent));
  }

  #forbidden({ text, forbidden }: MarkedGoal): {
    readonly named: readonly string[];
    readonly implied: readonly string[];
  } {
    const { intents } = this.#lexicon;
    const named = forbidden.flatMap((range) => {
      const scope = text.slice(range.start, range.end);
      const verbs = intents.mentions(scope).filter(({ start }) => !POSSESSIVE.test(scope.slice(0, start)));
      return [...verbs.map(({ intent }) => intent), ...shortVerbsIn(scope)];
    });
    return { named, implied: named.flatMap((intent) => intents.forbiddenWith(intent)) };
  }
}

/** Deeds that are wished for by telling how things are: what is no longer needed is to be deleted. */
function toldDeedsIn(text: string): readonly IntentMention[] {
  return TOLD_DEEDS.flatMap(({ intent, patterns }) =>
    rangesOf(patterns, text).map((range) => ({ ...range, intent, strength: 'strong' as const })),
  );
}

/** Deeds that one character right after the word of prohibition stands for. */
function shortVerbsIn(scope: string): readonly string[] {
  return SHORT_VERBS.flatMap(([verb, intent]) => {
    const at = scope.indexOf(verb);
    return at > 0 && matchesAny(BEFORE_SHORT_VERB, scope.slice(0, at)) ? [intent] : [];
  });
}

interface AskedMention extends IntentMention {
  readonly isPutOff: boolean;
}

import type { ParsedQuery, Resource } from '../models';
import { isStopWord, tokenize } from './language/tokenizer';
import type { Lexicon } from './lexicon/lexicon';
import { blankOut } from './lexicon/pattern-table';
import { ProhibitionFinder } from './lexicon/prohibition-finder';
import type { SearchIndex } from './search-index';

/** One line of `when_to_use` or `when_not_to_use`, read. */
interface UsageLine {
  readonly tokens: readonly string[];
  /** Tokens besides the intents named. */
  readonly residue: readonly string[];
  readonly intents: readonly string[];
  readonly isNegated: boolean;
}

/** The goal's side of the comparison, read once per query. */
export interface UsageGoal {
  readonly query: ParsedQuery;
  readonly words: ReadonlySet<string>;
  readonly isNegated: boolean;
}

const CACHED_LINES = 20_000;
/** Tokens of a line that a goal must share before the line counts at all. */
const LEAST_SHARED = 2;

/** Compares a goal with the lines of `when_to_use` and `when_not_to_use`. */
export class UsageMatcher {
  readonly #index: SearchIndex;
  readonly #lexicon: Lexicon;
  readonly #prohibitions: ProhibitionFinder;
  readonly #lines = new Map<string, UsageLine>();

  constructor(index: SearchIndex, lexicon: Lexicon) {
    this.#index = index;
    this.#lexicon = lexicon;
    this.#prohibitions = new ProhibitionFinder(lexicon.intents);
  }

  /** Reads a query for comparison. */
  goalOf(query: ParsedQuery): UsageGoal {
    const positive = blankOut(query.text, this.#prohibitions.find(query.text));
    const words = new Set([...query.terms, ...query.expansions]);
    return { query, words, isNegated: this.#prohibitions.isNegated(positive) };
  }

  /** How well the best line of `when_to_use` fits, 0 to 1. */
  fit(resource: Resource, goal: UsageGoal): number {
    const shares = (resource.definition.when_to_use ?? []).map((text) => this.#share(this.#lineOf(text).tokens, goal));
    return Math.max(0, ...shares);
  }

  /** Whether a line of `when_not_to_use` says that the goal is for something else. In doubt it does not. */
  rulesOut(resource: Resource, goal: UsageGoal, leastShare: number): boolean {
    const own = this.#index.profile(resource);
    const ownTokens = new Set([...own.entities.keys()].flatMap((entity) => tokenize(entity)));
    return (resource.definition.when_not_to_use ?? []).some((text) => {
      const line = this.#lineOf(text);
      const residue = line.residue.filter((token) => !ownTokens.has(token));
      const wanted = goal.query.intents[0];
      // A line of verbs alone, such as "Installing it anew", rules out a wish. A goal that wishes for nothing tells what has happened.
      if (residue.length === 0 && wanted !== undefined)
        return !line.isNegated && line.intents.includes(wanted) && !own.intents.includes(wanted);
      return line.isNegated === goal.isNegated && this.#share([...line.tokens], goal) >= leastShare;
    });
  }

  #share(tokens: readonly string[], goal: UsageGoal): number {
    const shared = tokens.filter((token) => goal.words.has(token));
    if (shared.length < LEAST_SHARED) return 0;
    const weight = (list: readonly string[]): number => list.reduce((sum, token) => sum + this.#rarity(token), 0);
    return weight(shared) / weight(tokens);
  }

  #rarity(token: string): number {
    return Math.log(1 + (this.#index.size + 0.5) / (this.#index.frequency(token) + 0.5));
  }

  #lineOf(text: string): UsageLine {
    const known = this.#lines.get(text);
    if (known !== undefined) return known;
    if (this.#lines.size >= CACHED_LINES) this.#lines.clear();
    const line = this.#readLine(text);
    this.#lines.set(text, line);
    return line;
  }

  #readLine(text: string): UsageLine {
    const content = this.#lexicon.withoutAskingPhrases(text.normalize('NFKC'));
    const mentions = this.#lexicon.intents.mentions(content);
    const contentTokens = (part: string): readonly string[] => [
      ...new Set(tokenize(part, 'words').filter((token) => !isStopWord(token))),
    ];
    return {
      tokens: contentTokens(content),
      residue: contentTokens(blankOut(content, mentions)),
      intents: mentions.map((mention) => mention.intent),
      isNegated: this.#prohibitions.isNegated(content),
    };
  }
}

import { textUnits } from '../language/text-units';
import type { IntentLexicon } from './intent-lexicon';
import negation from './negation-patterns.json';
import { compilePatterns, matchesAny, rangesOf } from './pattern-table';
import type { TextRange } from './pattern-table';

/** How many units into a comma-separated part its verb may stand for the list to go on. */
const VERB_WINDOW = 2;

/** Finds what a text forbids, in English and Chinese: from the cue ("don't", "不要") to the end of its clause. Immutable. */
export class ProhibitionFinder {
  readonly #exceptions = compilePatterns(negation.notProhibition);
  readonly #cues = compilePatterns(negation.cues);
  readonly #ends = compilePatterns(negation.ends);

  readonly #contrasts: ReadonlySet<string> = new Set(negation.contrasts);

  readonly #intents: IntentLexicon;

  constructor(intents: IntentLexicon) {
    this.#intents = intents;
  }

  /** The forbidden stretches, cue included, by start, not overlapping. */
  find(text: string): readonly TextRange[] {
    const exceptions = rangesOf(this.#exceptions, text);
    const found: TextRange[] = [];
    for (const cue of rangesOf(this.#cues, text)) {
      const isException = exceptions.some((range) => cue.start < range.end && range.start < cue.end);
      const isInside = found.some((range) => cue.start < range.end);
      if (isException || isInside) continue;
      const range = { start: cue.start, end: this.#endOfScope(text, cue.end) };
      if (!this.#isMereContrast(text, cue, range.end)) found.push(range);
    }
    return found;
  }

  /** "to Mei instead of Tom" compares things and forbids no deed; an identifier there is something not to use. */
  #isMereContrast(text: string, cue: TextRange, end: number): boolean {
    if (!this.#contrasts.has(text.slice(cue.start, cue.end).toLowerCase())) return false;
    const scope = text.slice(cue.end, end);
    if (/\w[._]\w/u.test(scope)) return false;
    const verbLimit = textUnits(scope)[VERB_WINDOW - 1]?.end ?? scope.length;
    return !this.#intents.mentions(scope).some((mention) => mention.start < verbLimit);
  }

  #endOfScope(text: string, cueEnd: number): number {
    const bodyStart = cueEnd + (/^\s*/u.exec(text.slice(cueEnd))?.[0].length ?? 0);
    for (const end of rangesOf(this.#ends, text)) {
      if (end.start <= bodyStart) continue;
      if (text.charAt(end.start) === ',' && this.#isListGoingOn(text, end.end)) continue;
      return end.start;
    }
    return text.length;
  }

  /** Whether after a comma the list of forbidden things goes on: "reinstall, restart or update". */
  #isListGoingOn(text: string, from: number): boolean {
    const rest = text.slice(from);
    const part = rest.slice(0, rest.search(/[,;!?。\n]|$/u));
    if (/^\s*(?:or|nor)\b/iu.test(part)) return true;
    const isLinked = /\b(?:or|nor)\b|或/iu.test(part) || /^[^;!?。\n]*,\s*(?:or|nor)\b/iu.test(rest);
    const verbLimit = textUnits(part)[VERB_WINDOW - 1]?.end ?? part.length;
    return isLinked && this.#intents.mentions(part).some((mention) => mention.start < verbLimit);
  }

  /** Whether a text denies something, outside any prohibition: "not installed", "并非". */
  isNegated(text: string): boolean {
    return matchesAny(NEGATED, text);
  }
}

const NEGATED: readonly RegExp[] = compilePatterns([
  String.raw`\b(?:not|no|never|none|n't|isn'?t|aren'?t|wasn'?t|doesn'?t|don'?t|without|unrelated|nothing)\b`,
  '不是|并非|没有|无关|未|无需|非(?=通过)|不在|不(?=通过|使用|需要|涉及)',
]);

import type { TextRange } from './pattern-table';
import { compilePatterns, matchesAny, rangesOf } from './pattern-table';
import table from './question-patterns.json';

/** A stretch of text that asks for an answer instead of a deed. */
export interface QuestionRange extends TextRange {
  /** The intent that answers it: `which` wants a list, `how many` a count. */
  readonly intent: string;
}

interface QuestionKind {
  readonly intent: string;
  readonly patterns: readonly RegExp[];
}

const SENTENCE_END = /[.?!;。！？；\n]/u;
const CLAUSE_END = /[,.?!;，。！？；\n]/u;
const LAST_CLAUSE_EDGE = /[,.?!;，。！？；\n][^,.?!;，。！？；\n]*$/u;
/** Longer ones are no sentences; the bound keeps texts without punctuation cheap. In characters. */
const LONGEST_CLAUSE = 200;
/** A goal asks no more questions of one kind than this. */
const MOST_CUES = 20;
const HAN = /\p{Script=Han}/u;

/** Finds clauses that mention a deed without asking for it: questions, and what is put off ("before I delete it"). Immutable. */
export class ClauseFinder {
  readonly #requests = compilePatterns(table.requests);
  readonly #kinds: readonly QuestionKind[] = Object.entries(table.questions).map(([intent, sources]) => ({
    intent,
    patterns: compilePatterns(sources.map((source) => source.replace(/^@/u, table.clause))),
  }));
  readonly #howTo = compilePatterns(table.howTo);
  readonly #guide = compilePatterns(table.guide);
  readonly #postponed = compilePatterns(table.postponed);

  /** Questions for facts, by start. "Can you delete it?" and "how do I delete it?" ask for the deed and are none. */
  questionsIn(text: string): readonly QuestionRange[] {
    const requests = rangesOf([...this.#requests, ...this.#howTo], text);
    const found = this.#kinds.flatMap(({ intent, patterns }) =>
      rangesOf(patterns, text)
        .slice(0, MOST_CUES)
        .filter((cue) => !requests.some((request) => cue.start < request.end && request.start < cue.end))
        .map((cue) => ({ ...wholeQuestion(text, cue), intent })),
    );
    return found.sort((left, right) => left.start - right.start);
  }

  /** What comes after the thing asked for, or only perhaps: "before I delete it", “清理之前”, "if I cleaned it". By start. */
  postponedIn(text: string): readonly TextRange[] {
    return rangesOf(this.#postponed, text).map((cue) => (isHan(text, cue) ? clauseBefore(text, cue) : cue));
  }

  /** Whether a text asks how something is done. */
  asksHow(text: string): boolean {
    return matchesAny(this.#howTo, text);
  }

  /** Whether a text asks for instructions to follow oneself. */
  asksForGuide(text: string): boolean {
    return matchesAny(this.#guide, text);
  }
}

function isHan(text: string, { start, end }: TextRange): boolean {
  return HAN.test(text.slice(start, end));
}

/** A Chinese cue stands at the end of its clause. */
function clauseBefore(text: string, { start, end }: TextRange): TextRange {
  const from = Math.max(0, start - LONGEST_CLAUSE);
  const before = text.slice(from, start);
  const edge = before.search(LAST_CLAUSE_EDGE);
  return { start: edge < 0 ? from : from + edge + 1, end };
}

/** From where the clause begins to where the question ends: an English one with its sentence, a Chinese one with its clause. */
function wholeQuestion(text: string, cue: TextRange): TextRange {
  const isChinese = isHan(text, cue);
  const { start } = isChinese ? clauseBefore(text, cue) : cue;
  const rest = text.slice(cue.end - 1, cue.end + LONGEST_CLAUSE).search(isChinese ? CLAUSE_END : SENTENCE_END);
  const end = rest < 0 ? Math.min(text.length, cue.end + LONGEST_CLAUSE) : cue.end - 1 + rest;
  return { start, end: Math.max(cue.end, end) };
}

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
/** What Chinese puts at the end of a question belongs to the whole clause before it. */
const CLAUSE_ENDS = /[,.?!;，。！？；\n]/gu;
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
        .filter((cue) => !requests.some((request) => cue.start < request.end && request.start < cue.end))
        .map((cue) => ({ ...wholeQuestion(text, cue), intent })),
    );
    return found.sort((left, right) => left.start - right.start);
  }

  /** What comes after the thing asked for, or only perhaps: "before I delete it", “清理之前”, "if I cleaned it". By start. */
  postponedIn(text: string): readonly TextRange[] {
    return rangesOf(this.#postponed, text);
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

/** From where the clause begins to where the question ends: an English one with its sentence, a Chinese one with its clause. */
function wholeQuestion(text: string, cue: TextRange): TextRange {
  const isHan = HAN.test(text.slice(cue.start, cue.end));
  const before = text.slice(0, cue.start);
  const start = isHan ? Math.max(0, ...Array.from(before.matchAll(CLAUSE_ENDS), ({ index }) => index + 1)) : cue.start;
  const rest = text.slice(cue.end - 1).search(isHan ? CLAUSE_END : SENTENCE_END);
  return { start, end: rest < 0 ? text.length : Math.max(cue.end, cue.end - 1 + rest) };
}

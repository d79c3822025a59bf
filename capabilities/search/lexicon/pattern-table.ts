/** Compiles a list of patterns from a data file. */
export function compilePatterns(sources: readonly string[]): readonly RegExp[] {
  return sources.map((source) => new RegExp(source, 'giu'));
}

/** A stretch of text, in UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Every place where one of the patterns matches, by start. Empty matches are left out. */
export function rangesOf(patterns: readonly RegExp[], text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      if (match[0] !== '') ranges.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return ranges.sort((left, right) => left.start - right.start || right.end - left.end);
}

/** Whether any of the patterns matches somewhere. */
export function matchesAny(patterns: readonly RegExp[], text: string): boolean {
  // search() ignores lastIndex, so a shared global pattern stays stateless.
  return patterns.some((pattern) => text.search(pattern) >= 0);
}

/** Overwrites the ranges, given by start, with spaces: offsets stay as they are. */
export function blankOut(text: string, ranges: readonly TextRange[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const range of ranges) {
    const start = Math.max(done, range.start);
    if (range.end <= start) continue;
    pieces.push(text.slice(done, start), ' '.repeat(range.end - start));
    done = range.end;
  }
  return pieces.join('') + text.slice(done);
}

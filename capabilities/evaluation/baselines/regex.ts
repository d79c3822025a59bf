import type { PlainTool } from '../plain-dataset';
import type { Ranker } from '../ranker';
import { contentWords, toolText } from './baseline-words';

/** Words a model puts into one pattern. */
const PATTERN_WORDS = 12;
const DEEPEST = 100;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/**
 * The regular-expression tool search of agent frameworks: the goal's words joined by `|`, looked for in names, descriptions and arguments;
 * more distinct words first, then those in the name, then the order of the list.
 */
export class RegexRanker implements Ranker {
  readonly #entries: readonly Entry[];

  constructor(tools: readonly PlainTool[]) {
    this.#entries = tools.map((tool) => ({
      id: tool.id,
      name: tool.name.toLowerCase(),
      text: `${toolText(tool)} ${JSON.stringify(tool.args ?? {})}`.toLowerCase(),
    }));
  }

  rank(query: string): Promise<readonly string[]> {
    const words = [...new Set(contentWords(query))].slice(0, PATTERN_WORDS);
    if (words.length === 0) return Promise.resolve([]);
    const pattern = new RegExp(words.map((word) => escapeWord(word)).join('|'), 'gu');
    const distinct = (text: string): number => new Set(Array.from(text.matchAll(pattern), (match) => match[0])).size;
    const found = this.#entries
      .map((entry, place) => ({ place, id: entry.id, inText: distinct(entry.text), inName: distinct(entry.name) }))
      .filter(({ inText, inName }) => inText + inName > 0)
      .sort((one, other) => other.inText - one.inText || other.inName - one.inName || one.place - other.place);
    return Promise.resolve(found.slice(0, DEEPEST).map(({ id }) => id));
  }
}

function escapeWord(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

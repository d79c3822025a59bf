import type { PlainTool } from '../plain-dataset';
import stopWords from './stop-words.json';

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' });
/** The 33 English stop words that Lucene has used since its beginnings, and as short a Chinese list. */
const STOP: ReadonlySet<string> = new Set([...stopWords.en, ...stopWords.zh]);

/** Words of a text in lower case, by the platform's segmenter; names come apart at `_` only. */
export function segmentWords(text: string): readonly string[] {
  return Array.from(WORDS.segment(text.replaceAll('_', ' ').toLowerCase()))
    .filter((segment) => segment.isWordLike === true)
    .map((segment) => segment.segment);
}

/** The words that are no stop words. */
export function contentWords(text: string): readonly string[] {
  return segmentWords(text).filter((word) => !STOP.has(word));
}

/** What the baselines know of a tool: its name and its description. */
export function toolText(tool: PlainTool): string {
  return `${tool.name} ${tool.description}`;
}

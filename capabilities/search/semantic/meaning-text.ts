import type { ParsedQuery, Resource } from '../../models';
import { isStopWord } from '../language/tokenizer';
import type { Lexicon } from '../lexicon/lexicon';
import { blankOut } from '../lexicon/pattern-table';
import { ProhibitionFinder } from '../lexicon/prohibition-finder';

const HAN = /\p{Script=Han}/u;
const HAN_TEXT = /[\p{Script=Han}\u3000-\u303f\uff00-\uff65]+/gu;
const NAME_BOUNDARY = /[._-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Longest query read: more would only blur its meaning. */
const QUERY_CHARACTERS = 400;
/** Longest description read, about the 64 pieces that the rest of a long summary adds little to. */
const RESOURCE_CHARACTERS = 320;
/** Lines of positive use that join the text. */
const USAGE_LINES = 4;

/** The words of a name: `listOpen_ports` → `list open ports`. */
function wordsOfName(name: string): string {
  return name.split(NAME_BOUNDARY).filter(Boolean).join(' ').toLowerCase();
}

/** Chooses what stands for the meaning of a query or a resource: in English for an encoder that reads nothing else. Pure. */
export class MeaningText {
  readonly #lexicon: Lexicon;
  readonly #prohibitions: ProhibitionFinder;
  readonly #reads: 'english' | 'any';

  constructor(lexicon: Lexicon, reads: 'english' | 'any' = 'english') {
    this.#lexicon = lexicon;
    this.#reads = reads;
    this.#prohibitions = new ProhibitionFinder(lexicon.intents);
  }

  /**
   * The content words of what a query asks for; what it forbids is left out. Empty when nothing of it can be said in English.
   * Stop words would only cost time: rankings are as good without them.
   */
  ofQuery({ text }: ParsedQuery): string {
    const positive = blankOut(text, this.#prohibitions.find(text));
    if (this.#reads === 'any') return positive.slice(0, QUERY_CHARACTERS).replaceAll(/\s+/gu, ' ').trim();
    const words = this.#inEnglish(positive.slice(0, QUERY_CHARACTERS)).split(/\s+/u).filter(Boolean);
    return words.filter((word) => !isStopWord(word.toLowerCase().replaceAll(/[^\p{L}']/gu, ''))).join(' ');
  }

  /** What a resource does and is for. Excluded uses stay out: they would draw the very goals that they exclude. */
  ofResource({ id, definition }: Resource): string {
    const name = wordsOfName(id.slice(id.lastIndexOf('.') + 1));
    const title = wordsOfName(definition.title) === name ? '' : definition.title;
    const aliases = (definition.aliases ?? []).map((alias) => (/\s/u.test(alias) ? alias : wordsOfName(alias)));
    const usage = [...aliases, ...(definition.when_to_use ?? [])].slice(0, USAGE_LINES);
    const parts = [title === '' ? name : title, definition.summary, ...usage].map((part) =>
      this.#inEnglish(part).trim(),
    );
    return parts
      .filter(Boolean)
      .map((part) => (/[.!?]$/u.test(part) ? part : `${part}.`))
      .join(' ')
      .slice(0, RESOURCE_CHARACTERS);
  }

  /** Chinese becomes the English of the glossary word by word; what the glossary does not know is left out. */
  #inEnglish(text: string): string {
    if (this.#reads === 'any' || !HAN.test(text)) return text;
    let english = '';
    let rest = 0;
    for (const { start, end, phrase } of this.#lexicon.glossary.phrasesIn(text)) {
      const translation = HAN.test(phrase)
        ? this.#lexicon.glossary.translations(phrase).find((other) => !HAN.test(other))
        : phrase;
      english += `${text.slice(rest, start)} ${translation ?? ''} `;
      rest = end;
    }
    return (english + text.slice(rest)).replaceAll(HAN_TEXT, ' ').replaceAll(/\s+/gu, ' ');
  }
}

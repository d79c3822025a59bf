import { GramTable, plainLetter } from './gram-table';
import { NumberList } from './number-list';
import { PostingTable } from './posting-table';
import type { PackedPostings } from './posting-table';

/** What an index holds, for keeping it on disk: gram `g` is `grams[g]`. */
export interface GramIndexContent {
  readonly grams: readonly string[];
  readonly postings: PackedPostings;
}

const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}]+/gu;
const PLAIN_RUN = /[a-z0-9]+/g;
const HAN_RUN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const PLAIN_TEXT = /^[\0-\x7f]*$/;
/** Longest text looked at, in UTF-16 units. */
const LONGEST_TEXT = 400;
const HIGHEST_COUNT = 15;
/** An entry is `document << 4 | count`. */
const DOCUMENT_SHIFT = 4;
/** Norms are worked out anew when this share of the documents has changed; until then the drift of the rarities is ignored. */
const DRIFT = 0.02;
/** Squares are added up as whole numbers of this fraction, so that the order in which they come makes no difference. */
const SQUARE_UNITS = 2 ** 20;

const DAMPED = Float64Array.from({ length: HIGHEST_COUNT + 1 }, (_, count) => (count === 0 ? 0 : 1 + Math.log(count)));

/** Logarithmic term frequency. */
function damp(count: number): number {
  return DAMPED[count] ?? 0;
}

/**
 * Cosine similarity of character trigrams (single characters and pairs for Chinese and Japanese), rare ones counting more: finds near
 * spellings and shared parts of words. Documents are numbers given in ascending order.
 */
export class GramIndex {
  readonly #grams = new GramTable();
  #postings = new PostingTable(DOCUMENT_SHIFT);
  /** Present documents that hold a gram. */
  readonly #frequencies = new NumberList();
  /** One divided by the norm, by document; 0 when the document is gone. */
  #inverses = new Float64Array(64);
  /** The grams of the text that was read last, in order, and how often each stands in it. */
  #found: number[] = [];
  #counts = new Uint8Array(1024);
  #end = 0;
  #present = 0;
  #changes = 0;

  /** Adds a document. */
  add(document: number, text: string): void {
    this.#read(text, 'add');
    for (const gram of this.#found) {
      this.#frequencies.numbers[gram] = (this.#frequencies.numbers[gram] ?? 0) + 1;
      this.#postings.append(gram, ((document << DOCUMENT_SHIFT) | (this.#counts[gram] ?? 0)) >>> 0);
    }
    this.#present += 1;
    this.#changes += 1;
    this.#reserve(document + 1);
    this.#end = Math.max(this.#end, document + 1);
    // Where all norms are about to be worked out, one more need not be.
    this.#inverses[document] = this.#isDrifted() ? 1 : inverse(this.#squaresOfFound());
  }

  /** Takes a document out. `text` is what it was added with. */
  remove(document: number, text: string): void {
    this.#read(text, 'look-up');
    for (const gram of this.#found) {
      this.#frequencies.numbers[gram] = (this.#frequencies.numbers[gram] ?? 1) - 1;
    }
    this.#inverses[document] = 0;
    this.#present -= 1;
    this.#changes += 1;
  }

  /** Adds the similarity to the text, 0 to 1, to `scores`, by document. */
  accumulate(text: string, scores: Float64Array): void {
    this.#postings.settle();
    if (this.#isDrifted()) this.#refreshNorms();
    this.#read(text, 'look-up');
    const norm = inverse(this.#squaresOfFound());
    if (norm === 0) return;
    for (const gram of this.#found) {
      const rarity = this.#rarity(gram);
      const weight = damp(this.#counts[gram] ?? 0) * rarity * rarity * norm;
      const [start, end] = [this.#postings.start(gram), this.#postings.end(gram)];
      this.#accumulate(this.#postings.entries.subarray(start, end), weight, scores);
      const recent = this.#postings.recent(gram);
      if (recent) this.#accumulate(recent, weight, scores);
    }
  }

  /** Gives each document a new number, in the same order; what has none (-1) is dropped for good. */
  compact(numbers: Int32Array): void {
    this.#fill(this.#postings.pack(numbers), numbers);
  }

  /** Everything that {@link restore} needs. */
  content(): GramIndexContent {
    return { grams: [...this.#grams.names], postings: this.#postings.pack() };
  }

  /** Takes over the content of another index into an empty one, with new numbers as in {@link compact}. */
  restore({ grams, postings }: GramIndexContent, numbers: Int32Array): void {
    for (const gram of grams) this.#register(this.#grams.numberOf(gram, 'add'));
    this.#postings = new PostingTable(DOCUMENT_SHIFT, postings);
    this.#fill(this.#postings.pack(numbers), numbers);
  }

  #fill({ starts }: PackedPostings, numbers: Int32Array): void {
    for (let gram = 0; gram < this.#frequencies.length; gram += 1) {
      this.#frequencies.numbers[gram] = Math.max(0, (starts[gram + 1] ?? 0) - (starts[gram] ?? 0));
    }
    this.#end = 0;
    for (const number of numbers) this.#end = Math.max(this.#end, number + 1);
    this.#inverses = new Float64Array(this.#end).fill(1);
    this.#present = this.#end;
    this.#changes = this.#end;
  }

  #accumulate(entries: Uint32Array, weight: number, scores: Float64Array): void {
    const inverses = this.#inverses;
    // A plain loop: iterating a typed array costs several times as much here.
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] ?? 0;
      const document = entry >>> DOCUMENT_SHIFT;
      const similarity = weight * damp(entry & HIGHEST_COUNT) * (inverses[document] ?? 0);
      scores[document] = (scores[document] ?? 0) + similarity;
    }
  }

  #rarity(gram: number): number {
    return Math.log(1 + this.#present / (1 + (this.#frequencies.numbers[gram] ?? 0)));
  }

  /** Sum of the squared weights of the grams read last that some document holds, in {@link SQUARE_UNITS}. */
  #squaresOfFound(): number {
    let squares = 0;
    for (const gram of this.#found) {
      if ((this.#frequencies.numbers[gram] ?? 0) === 0) continue;
      squares += squareUnits(this.#counts[gram] ?? 0, this.#rarity(gram));
    }
    return squares;
  }

  #isDrifted(): boolean {
    return this.#changes > this.#present * DRIFT;
  }

  #refreshNorms(): void {
    const { starts, entries } = this.#postings.pack();
    const squares = new Float64Array(this.#end);
    const byCount = new Float64Array(HIGHEST_COUNT + 1);
    for (let gram = 0; gram + 1 < starts.length; gram += 1) {
      const rarity = this.#rarity(gram);
      for (let count = 1; count <= HIGHEST_COUNT; count += 1) byCount[count] = squareUnits(count, rarity);
      const end = starts[gram + 1] ?? 0;
      for (let at = starts[gram] ?? 0; at < end; at += 1) {
        const entry = entries[at] ?? 0;
        const document = entry >>> DOCUMENT_SHIFT;
        squares[document] = (squares[document] ?? 0) + (byCount[entry & HIGHEST_COUNT] ?? 0);
      }
    }
    for (let document = 0; document < this.#end; document += 1) {
      // Zero marks a document that is gone.
      if (this.#inverses[document] !== 0) this.#inverses[document] = inverse(squares[document] ?? 0);
    }
    this.#changes = 0;
  }

  /** Reads the grams of a text into `found` and `counts`. */
  #read(text: string, mode: 'add' | 'look-up'): void {
    for (const gram of this.#found) this.#counts[gram] = 0;
    this.#found = [];
    const isPlain = PLAIN_TEXT.test(text);
    const plain = (isPlain ? text : text.normalize('NFKC')).toLowerCase().slice(0, LONGEST_TEXT);
    for (const [run] of plain.matchAll(isPlain ? PLAIN_RUN : RUN)) {
      if (isPlain) this.#readPlain(run, mode);
      else if (HAN_RUN.test(run)) this.#readHan(run, mode);
      else this.#readTrigrams(` ${run} `, mode);
    }
  }

  #readPlain(run: string, mode: 'add' | 'look-up'): void {
    let first = 0;
    let second = plainLetter(run.charCodeAt(0));
    for (let at = 1; at <= run.length; at += 1) {
      const third = at === run.length ? 0 : plainLetter(run.charCodeAt(at));
      this.#count(this.#grams.plainNumber(first, second, third, mode));
      first = second;
      second = third;
    }
  }

  #readHan(run: string, mode: 'add' | 'look-up'): void {
    const characters = Array.from(run);
    characters.forEach((character, index) => {
      this.#count(this.#grams.numberOf(character, mode));
      const next = characters[index + 1];
      if (next !== undefined) this.#count(this.#grams.numberOf(character + next, mode));
    });
  }

  #readTrigrams(run: string, mode: 'add' | 'look-up'): void {
    for (let index = 0; index + 3 <= run.length; index += 1) {
      this.#count(this.#grams.numberOf(run.slice(index, index + 3), mode));
    }
  }

  #count(gram: number): void {
    if (gram < 0) return;
    this.#register(gram);
    const count = this.#counts[gram] ?? 0;
    if (count === 0) this.#found.push(gram);
    this.#counts[gram] = Math.min(HIGHEST_COUNT, count + 1);
  }

  /** Makes room for a gram's figures. */
  #register(gram: number): void {
    while (this.#frequencies.length <= gram) this.#frequencies.push(0);
    if (gram < this.#counts.length) return;
    const counts = new Uint8Array(this.#counts.length * 2);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  #reserve(documents: number): void {
    if (documents <= this.#inverses.length) return;
    const larger = new Float64Array(Math.max(documents, Math.ceil(this.#inverses.length * 1.5)));
    larger.set(this.#inverses);
    this.#inverses = larger;
  }
}

function squareUnits(count: number, rarity: number): number {
  return Math.round((damp(count) * rarity) ** 2 * SQUARE_UNITS);
}

function inverse(squares: number): number {
  return squares === 0 ? 0 : 1 / Math.sqrt(squares / SQUARE_UNITS);
}

import type {
  OutlineEntry,
  OutlineItem,
  OutlineMap,
  OutlineScalar,
  OutlineSequence,
  OutlineValue,
} from './outline-model';
import { newEmpty } from './outline-model';
import type { ScannedKey } from './scalar-scanner';
import { unquote } from './scalar-scanner';

/** What receives a value: an entry, an item, or the document itself. */
export interface Slot {
  value: OutlineValue;
}

/** Puts keys, items and values into the block structure, by their column alone. */
export class OutlineBuilder {
  readonly #text: string;
  readonly #open: (OutlineMap | OutlineSequence)[] = [];

  /** Holds the document's value. */
  readonly root: Slot;

  constructor(text: string, start: number) {
    this.#text = text;
    this.root = { value: newEmpty(start, start) };
  }

  /** Whether nothing is open: the document's first line is still to come. */
  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Adds a key; undefined when its column fits nowhere. */
  addEntry(column: number, key: ScannedKey): OutlineEntry | undefined {
    this.#closeFrom(column, 'key');
    const map = this.#mapAt(column);
    if (map === undefined) return undefined;
    const empty: OutlineValue = newEmpty(key.colon + 1, key.colon + 1);
    const entry: OutlineEntry = { key: key.key, keySpan: key.span, column, colon: key.colon, value: empty };
    map.entries.push(entry);
    return entry;
  }

  /** The mapping at a column: open, reopened, new, or made of the half-typed key above. */
  #mapAt(column: number): OutlineMap | undefined {
    const top = this.#open.at(-1);
    if (top?.kind === 'map' && top.column === column) return top;
    const slot = this.#currentSlot();
    if (slot === undefined) return undefined;
    const { value } = slot;
    if (value.kind === 'map' && value.style === 'block' && value.column === column) {
      this.#open.push(value);
      return value;
    }
    const isHalfTyped = value.kind === 'scalar' && !value.isInline && !value.isMultiline && value.column === column;
    if (value.kind !== 'empty' && !isHalfTyped) return undefined;
    const entries = isHalfTyped ? [halfTyped(this.#text, value)] : [];
    const map: OutlineMap = { kind: 'map', style: 'block', column, span: value.span, isClosed: true, entries };
    slot.value = map;
    this.#open.push(map);
    return map;
  }

  /** Adds the item of a dash; undefined when its column fits nowhere. */
  addItem(column: number, dash: number): OutlineItem | undefined {
    this.#closeFrom(column, 'dash');
    const sequence = this.#sequenceAt(column, dash);
    if (sequence === undefined) return undefined;
    const item: OutlineItem = { dash, start: dash, value: newEmpty(dash, dash) };
    sequence.items.push(item);
    return item;
  }

  #sequenceAt(column: number, start: number): OutlineSequence | undefined {
    const top = this.#open.at(-1);
    if (top?.kind === 'sequence' && top.column === column) return top;
    const slot = this.#currentSlot();
    if (slot === undefined) return undefined;
    const { value } = slot;
    if (value.kind === 'sequence' && value.style === 'block' && value.column === column) {
      this.#open.push(value);
      return value;
    }
    const isCursorWord = value.kind === 'scalar' && value.span.start === value.span.end;
    if (value.kind !== 'empty' && !isCursorWord) return undefined;
    const items: OutlineItem[] =
      isCursorWord && value.column === column ? [{ dash: undefined, start: value.span.start, value }] : [];
    const sequence: OutlineSequence = {
      kind: 'sequence',
      style: 'block',
      column,
      span: { start, end: start },
      isClosed: true,
      items,
    };
    slot.value = sequence;
    this.#open.push(sequence);
    return sequence;
  }

  /** Ends the collections that a line at this column can't belong to. A dash may stand at the column of its key. */
  #closeFrom(column: number, what: 'key' | 'dash'): void {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const ends = top.column > column || (top.column === column && top.kind === 'sequence' && what === 'key');
      if (!ends) return;
      this.#open.pop();
    }
  }

  /** What the next deeper line belongs to; undefined below a half-typed key. */
  #currentSlot(): Slot | undefined {
    const top = this.#open.at(-1);
    if (top === undefined) return this.root;
    if (top.kind === 'sequence') return top.items.at(-1);
    const entry = top.entries.at(-1);
    return entry?.colon === undefined ? undefined : entry;
  }

  /** Column of the collection that a value at `column` would belong to, -1 for the document; ends those it can't belong to. */
  columnAbove(column: number): number {
    this.#closeFrom(column, 'key');
    return this.#open.at(-1)?.column ?? -1;
  }

  /** Puts a value that stands on its own line: a half-typed key, the value of the key above, or the next line of a plain scalar. */
  placeOwnLineValue(column: number, value: OutlineValue): void {
    const top = this.#open.at(-1);
    if (top?.kind === 'map' && top.column === column) {
      if (value.kind === 'scalar') top.entries.push(halfTyped(this.#text, value));
      return;
    }
    const slot = this.#currentSlot();
    if (slot === undefined) return;
    if (slot.value.kind === 'empty') slot.value = value;
    else if (slot.value.kind === 'scalar' && slot.value.style === 'plain' && value.kind === 'scalar') {
      slot.value.isMultiline = true;
      slot.value.span = { start: slot.value.span.start, end: Math.max(slot.value.span.end, value.span.end) };
    }
  }

  /** Gives the empty word at the cursor a place: a key, a value, or the next item of a sequence, whose dash is still missing. */
  addCursorWord(word: OutlineScalar): void {
    const { column } = word;
    this.#closeFrom(column, 'dash');
    const top = this.#open.at(-1);
    const below = this.#open.at(-2);
    const isNextItem =
      top?.kind === 'sequence' && top.column === column && !(below?.kind === 'map' && below.column === column);
    if (isNextItem) {
      top.items.push({ dash: undefined, start: word.span.start, value: word });
      return;
    }
    this.#closeFrom(column, 'key');
    this.placeOwnLineValue(column, word);
  }
}

function halfTyped(text: string, scalar: OutlineScalar): OutlineEntry {
  const key = unquote(text.slice(scalar.span.start, scalar.span.end));
  const end = scalar.span.end;
  return {
    key,
    keySpan: scalar.span,
    column: scalar.column,
    colon: undefined,
    value: newEmpty(end, end),
  };
}

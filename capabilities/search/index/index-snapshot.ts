import type { Resource, Result } from '../../models';
import type { Digest } from '../../ports';
import type { ResourceFacets } from '../resource-profile';
import type { FieldIndexContent } from './field-index';
import type { GramIndexContent } from './gram-index';
import type { IndexContent } from './index-content';
import { ResourceMarker } from './resource-marker';
import { hashNames } from './name-table';
import { NumberReader, NumberWriter } from './number-text';
import type { PackedPostings } from './posting-table';

/** What of an index is written down; the rest follows from the resources. */
export interface WritableContent {
  readonly fingerprint: string;
  readonly fields: readonly string[];
  /** By document. */
  readonly resources: readonly Resource[];
  readonly facets: readonly ResourceFacets[];
  readonly fullText: FieldIndexContent;
  readonly grams: GramIndexContent;
}

/** The texts of a snapshot. */
interface SnapshotTexts {
  readonly fingerprint: string;
  readonly fields: readonly string[];
  readonly keys: readonly string[];
  readonly tokens: readonly string[];
  readonly grams: readonly string[];
  /** Every list of intents that some resource has. */
  readonly intents: readonly (readonly string[])[];
  /** Document, then pairs of canonical and written symptom. */
  readonly symptoms: readonly (readonly [number, readonly (readonly [string, string])[]])[];
}

const KIND = 'capability-index';
/** Raise it when the form of the file changes, or what is worked out from a definition. */
const FORMAT = 1;
const RESOURCES_AT_ONCE = 500;

/**
 * Writes an index as text: a line of kind, format and SHA-256 of the rest, a line of JSON with every text, then one line of numbers each for
 * marks, intents, names, field lengths and the two kinds of postings. `pause` is awaited between pieces of work, so that nobody waits long.
 */
export async function writeSnapshot(
  content: WritableContent,
  digest: Digest,
  pause: () => Promise<void>,
): Promise<string> {
  const { lists, texts } = collectTexts(content);
  const lines = [JSON.stringify(texts)];
  const [marks, names, marker] = [new NumberWriter(), new NumberWriter(), new ResourceMarker()];
  for (let from = 0; from < content.resources.length; from += RESOURCES_AT_ONCE) {
    await pause();
    for (const resource of content.resources.slice(from, from + RESOURCES_AT_ONCE)) {
      for (const part of marker.markOf(resource)) marks.write(part);
      names.writeAll(hashNames(resource));
    }
  }
  await pause();
  lines.push(marks.text(), writeNumbers(lists), names.text(), writeNumbers(content.fullText.lengths));
  for (const { postings } of [content.fullText, content.grams]) {
    await pause();
    lines.push(writePostings(postings));
  }
  await pause();
  const rest = lines.join('\n');
  return `${KIND} ${FORMAT} ${digest.sha256(rest)}\n${rest}`;
}

/** Reads a snapshot, or says in a few words why it is of no use. */
export function readSnapshot(text: string, digest: Digest): Result<IndexContent, string> {
  const end = text.indexOf('\n');
  const [kind, format, sum] = text.slice(0, Math.max(0, end)).split(' ');
  if (kind !== KIND) return { ok: false, problem: 'it is no index' };
  if (format !== String(FORMAT)) return { ok: false, problem: `it is of another version (${format ?? '?'})` };
  const rest = text.slice(end + 1);
  if (digest.sha256(rest) !== sum) return { ok: false, problem: 'it is damaged' };
  const content = readContent(rest.split('\n'));
  return content ? { ok: true, value: content } : { ok: false, problem: 'it is incomplete' };
}

function collectTexts({ facets, ...content }: WritableContent): {
  readonly texts: SnapshotTexts;
  readonly lists: readonly number[];
} {
  const numbers = new Map<string, number>();
  const intents: (readonly string[])[] = [];
  const lists = facets.map((facet) => {
    const name = facet.intents.join('\n');
    const known = numbers.get(name) ?? intents.push(facet.intents) - 1;
    numbers.set(name, known);
    return known;
  });
  const symptoms = facets.flatMap((facet, document) =>
    facet.symptoms.size > 0 ? [[document, [...facet.symptoms]] as const] : [],
  );
  const { fingerprint, fields, resources, fullText, grams } = content;
  const keys = resources.map(({ key }) => key);
  return {
    lists,
    texts: { fingerprint, fields, keys, tokens: fullText.tokens, grams: grams.grams, intents, symptoms },
  };
}

function writeNumbers(numbers: ArrayLike<number>): string {
  const writer = new NumberWriter();
  writer.writeAll(numbers);
  return writer.text();
}

/** Entries of a term ascend, so their differences are small. */
function writePostings({ starts, entries }: PackedPostings): string {
  const writer = new NumberWriter();
  writer.write(starts.length - 1);
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const [start = 0, end = 0] = [starts[term], starts[term + 1]];
    writer.write(end - start);
    let before = 0;
    for (let at = start; at < end; at += 1) {
      const entry = entries[at] ?? 0;
      writer.write(entry - before);
      before = entry;
    }
  }
  return writer.text();
}

function readPostings(text: string): PackedPostings | undefined {
  const reader = new NumberReader(text);
  const starts = new Uint32Array(Math.min(reader.read(), reader.most) + 1);
  const entries = new Uint32Array(reader.most);
  let length = 0;
  for (let term = 1; term < starts.length; term += 1) {
    const count = reader.read();
    if (count > entries.length - length) return undefined;
    reader.readSums(entries, length, count);
    length += count;
    starts[term] = length;
  }
  return reader.isAtEnd ? { starts, entries: entries.slice(0, length) } : undefined;
}

function readNumbers(text: string): Uint32Array | undefined {
  const reader = new NumberReader(text);
  const numbers = reader.readAll();
  return reader.isAtEnd ? numbers : undefined;
}

function readMarks(text: string, count: number): Uint32Array {
  const reader = new NumberReader(text);
  const marks = new Uint32Array(2 * count);
  for (let at = 0; at < marks.length; at += 1) marks[at] = reader.read();
  return marks;
}

function readNames(text: string, count: number): Pick<IndexContent, 'names' | 'namesFrom'> {
  const reader = new NumberReader(text);
  const names: number[] = [];
  const namesFrom = new Uint32Array(count + 1);
  for (let document = 0; document < count; document += 1) {
    for (let left = Math.min(reader.read(), reader.most); left > 0; left -= 1) names.push(reader.read());
    namesFrom[document + 1] = names.length;
  }
  return { names, namesFrom };
}

function readContent(lines: readonly string[]): IndexContent | undefined {
  const [json = '', marks = '', lists = '', names = '', lengths = '', terms = '', grams = ''] = lines;
  // The sum says that this is what was written.
  const texts = JSON.parse(json) as SnapshotTexts;
  const [intents, fieldLengths] = [readNumbers(lists), readNumbers(lengths)];
  const [termPostings, gramPostings] = [readPostings(terms), readPostings(grams)];
  if (!intents || !fieldLengths || !termPostings || !gramPostings) return undefined;
  const symptoms = new Map(texts.symptoms.map(([document, pairs]) => [document, new Map(pairs)]));
  const none: ReadonlyMap<string, string> = new Map();
  return {
    fingerprint: texts.fingerprint,
    fields: texts.fields,
    keys: texts.keys,
    marks: readMarks(marks, texts.keys.length),
    facets: Array.from(intents, (list, document) => ({
      intents: texts.intents[list] ?? [],
      symptoms: symptoms.get(document) ?? none,
    })),
    ...readNames(names, texts.keys.length),
    fullText: { tokens: texts.tokens, postings: termPostings, lengths: Uint16Array.from(fieldLengths) },
    grams: { grams: texts.grams, postings: gramPostings },
  };
}

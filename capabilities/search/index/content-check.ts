import type { Lexicon } from '../lexicon/lexicon';
import { facetsOf, textsOf } from '../resource-profile';
import type { LexicalField, SearchWeights } from '../search-weights';
import { FieldIndex } from './field-index';
import type { FieldIndexContent } from './field-index';
import type { IndexContent, KeptDocument } from './index-content';
import { TermReader } from './term-reader';

const SAMPLES = 8;

/**
 * Whether a few resources, read anew, come out as the content has them: it may be of a program that read them differently. Costs a few
 * milliseconds.
 */
export function isAsReadNow(
  content: IndexContent,
  kept: readonly KeptDocument[],
  { lexicon, weights }: { readonly lexicon: Lexicon; readonly weights: SearchWeights },
): boolean {
  const fresh = new FieldIndex<LexicalField>(weights.lexical.fields);
  if (fresh.fields.join() !== content.fields.join()) return false;
  const samples = sample(kept);
  const reader = new TermReader(fresh, lexicon);
  samples.forEach(({ resource }, place) => {
    fresh.addTerms(place, reader.read(textsOf(resource, facetsOf(resource, lexicon).intents)));
  });
  const places = new Int32Array(content.keys.length).fill(-1);
  samples.forEach(({ document }, place) => {
    places[document] = place;
  });
  const [before, now] = [occurrences(content.fullText, places), occurrences(fresh.content())];
  const sameFacets = samples.every(({ document, resource }) => {
    const facets = facetsOf(resource, lexicon);
    const known = content.facets[document];
    const pairs = (symptoms: ReadonlyMap<string, string> = new Map()): string => JSON.stringify([...symptoms]);
    return known?.intents.join('\n') === facets.intents.join('\n') && pairs(known.symptoms) === pairs(facets.symptoms);
  });
  return sameFacets && before === now;
}

function sample(kept: readonly KeptDocument[]): readonly KeptDocument[] {
  const step = Math.max(1, Math.floor(kept.length / SAMPLES));
  return kept.filter((_, index) => index % step === 0).slice(0, SAMPLES);
}

/** What the documents hold, as text that can be compared; with `places`, only those that have one. */
function occurrences({ tokens, postings }: FieldIndexContent, places?: Int32Array): string {
  const { starts, entries } = postings;
  const found: string[] = [];
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const entry = entries[at] ?? 0;
      const place = places ? (places[entry >>> 8] ?? -1) : entry >>> 8;
      if (place >= 0) found.push(`${place} ${tokens[term] ?? ''} ${entry & 255}`);
    }
  }
  return found.sort().join('\n');
}

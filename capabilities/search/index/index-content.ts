import type { Resource } from '../../models';
import type { ResourceFacets } from '../resource-profile';
import type { FieldIndexContent } from './field-index';
import type { GramIndexContent } from './gram-index';
import type { NameHashes } from './name-table';
import { ResourceMarker } from './resource-marker';

/** What an index has worked out, for keeping it on disk. Document `d` is of the resource `keys[d]`. */
export interface IndexContent {
  /** Of the word lists that it was made with. */
  readonly fingerprint: string;
  readonly fields: readonly string[];
  readonly keys: readonly string[];
  /** The {@link ResourceMarker mark} of each definition, two numbers each. */
  readonly marks: Uint32Array;
  readonly facets: readonly ResourceFacets[];
  /** The names of document `d` stand from `namesFrom[d]` to before `namesFrom[d + 1]`. */
  readonly names: NameHashes;
  readonly namesFrom: Uint32Array;
  readonly fullText: FieldIndexContent;
  readonly grams: GramIndexContent;
}

/** A document of the content with the resource that it is of. */
export interface KeptDocument {
  readonly document: number;
  readonly resource: Resource;
}

/** What of a content still holds, its documents in their order: `numbers` are the places of its documents in `kept`, -1 for those that are gone or have changed. */
export interface KeptContent {
  readonly kept: readonly KeptDocument[];
  readonly numbers: Int32Array;
}

/** Finds the documents whose resources are as they were. */
export function keepUnchanged({ keys, marks }: IndexContent, resources: readonly Resource[]): KeptContent {
  const byKey = new Map<string, Resource>();
  for (const resource of resources) byKey.set(resource.key, resource);
  const marker = new ResourceMarker();
  const kept: KeptDocument[] = [];
  const numbers = new Int32Array(keys.length).fill(-1);
  keys.forEach((key, document) => {
    const resource = byKey.get(key);
    if (!resource) return;
    const [first, second] = marker.markOf(resource);
    if (marks[2 * document] !== first || marks[2 * document + 1] !== second) return;
    numbers[document] = kept.push({ document, resource }) - 1;
  });
  return { kept, numbers };
}

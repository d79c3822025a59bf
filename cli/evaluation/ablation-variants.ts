import { SEARCH_PARTS, type SearchPart, type SearchSwitches } from '../../capabilities/search/search-switches';

/** One way to leave something out. */
export interface Variant {
  readonly without: string;
  readonly switches: SearchSwitches;
}

const off = (...parts: readonly SearchPart[]): SearchSwitches => ({ off: new Set(parts) });

/** Retrievers that a plain lexical search does not have. */
const besideLexical: readonly SearchPart[] = ['exact', 'semantic', 'metadata', 'hierarchy', 'history'];

/** Every part by itself, then stages together: what is left when the pipeline is cut down to plain retrieval. */
export const ABLATION_VARIANTS: readonly Variant[] = [
  ...SEARCH_PARTS.map((part): Variant => ({ without: part, switches: off(part) })),
  { without: 'rerank + diversify', switches: off('rerank', 'diversify') },
  { without: 'all but lexical', switches: off(...besideLexical, 'names', 'rerank', 'diversify', 'packs') },
];

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

/** The variants that `--ablate part,part` names, all of them without names. Throws on a name that there is not. */
export function chosenVariants([names]: readonly string[]): readonly Variant[] {
  if (names === undefined) return ABLATION_VARIANTS;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !ABLATION_VARIANTS.some(({ without }) => without === name));
  if (unknown === undefined) return ABLATION_VARIANTS.filter(({ without }) => wanted.includes(without));
  throw new Error(
    `There is no part of this name; there are ${ABLATION_VARIANTS.map(({ without }) => without).join(', ')}.`,
  );
}

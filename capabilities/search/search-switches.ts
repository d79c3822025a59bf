import type { ParsedQuery, RetrieverName } from '../models';
import type { RerankWeights, SearchWeights } from './search-weights';

/** Every part of the search that can be left out, one at a time or several, to measure what it is worth. */
export const SEARCH_PARTS = [
  // Retrievers.
  'exact',
  'lexical',
  'semantic',
  'metadata',
  'hierarchy',
  'history',
  // What the lexical retriever and the normaliser know.
  'character_grams',
  'glossary',
  'arguments',
  'expansions',
  'names',
  'pack_names',
  'browse_requests',
  'intents',
  'entities',
  'symptoms',
  'prohibitions',
  // Packs as results.
  'packs',
  // What decides the order.
  'rerank',
  'rerank_fusion',
  'rerank_text',
  'rerank_coverage',
  'rerank_name',
  'rerank_when_to_use',
  'rerank_risk',
  'rerank_kind',
  'when_not_to_use',
  'diversify',
] as const;

/** One part of the search. */
export type SearchPart = (typeof SEARCH_PARTS)[number];

/** Which parts of a search are left out. The product leaves out none. */
export interface SearchSwitches {
  readonly off: ReadonlySet<SearchPart>;
}

/** Everything runs. */
export const ALL_ON: SearchSwitches = { off: new Set() };

const NO_RISK: Pick<RerankWeights, 'sideEffect' | 'irreversible' | 'riskLevel'> = {
  sideEffect: { R: 0, 'W-local': 0, 'W-shared': 0, I: 0 },
  irreversible: 0,
  riskLevel: { low: 0, medium: 0, high: 0, critical: 0 },
};

/** The order of the fusion as it is. What violates the goal stays at the end: that is a rule, not a weight. */
const FUSION_ONLY: Partial<RerankWeights> = {
  ...NO_RISK,
  ...{
    fusion: 1,
    text: 0,
    intent: 0,
    relatedIntent: 0,
    entity: 0,
    symptom: 0,
    whenToUse: 0,
    coverage: 0,
    name: 0,
    scope: 0,
  },
  ...{ recommended: 0, verifying: 0, nextStage: 0, recipe: 0, pack: 0, packForVagueGoal: 0, unavailable: 0 },
};

/** What each part that is a weight becomes without it. A `when_not_to_use` line can't be met by more than all of it. */
const RERANK_WITHOUT: Readonly<Partial<Record<SearchPart, Partial<RerankWeights>>>> = {
  rerank_fusion: { fusion: 0 },
  rerank_text: { text: 0 },
  rerank_coverage: { coverage: 0 },
  rerank_name: { name: 0 },
  rerank_when_to_use: { whenToUse: 0 },
  rerank_risk: NO_RISK,
  rerank_kind: { recipe: 0, pack: 0, packForVagueGoal: 0 },
  when_not_to_use: { negativeUsageShare: Number.POSITIVE_INFINITY },
  rerank: FUSION_ONLY,
};

/** The weights without the parts that are switched off. */
export function switchWeights(weights: SearchWeights, { off }: SearchSwitches): SearchWeights {
  const { lexical } = weights;
  const rerank = Object.assign({}, weights.rerank, ...[...off].map((part) => RERANK_WITHOUT[part])) as RerankWeights;
  return {
    ...weights,
    rerank,
    lexical: {
      ...lexical,
      fields: off.has('arguments') ? { ...lexical.fields, detail: { weight: 0, lengthShare: 0 } } : lexical.fields,
      ...(off.has('character_grams') ? { characterGrams: 0, leastSimilarity: Number.POSITIVE_INFINITY } : {}),
    },
  };
}

/** The query without what the parts that are switched off would have read in it. */
export function switchQuery(query: ParsedQuery, { off }: SearchSwitches): ParsedQuery {
  if (off.size === 0) return query;
  return {
    ...query,
    ...(off.has('names') ? { explicitKeys: [] } : {}),
    ...(off.has('pack_names') && !query.scopeIsHard ? { scope: undefined } : {}),
    ...(off.has('browse_requests') ? { isBrowseRequest: false } : {}),
    ...(off.has('intents') ? { intents: [] } : {}),
    ...(off.has('entities') ? { entities: [] } : {}),
    ...(off.has('symptoms') ? { symptoms: [] } : {}),
    ...(off.has('prohibitions') ? { forbiddenIntents: [], excludedKeys: [] } : {}),
    ...(off.has('expansions') ? { expansions: [] } : {}),
  };
}

/** Whether a retriever takes part. */
export function isRetrieverOn(name: RetrieverName, { off }: SearchSwitches): boolean {
  return !off.has(name);
}

import type { ParsedQuery, QueryConcept, RankedCandidate } from '../models';
import { FOLLOW_UP } from './follow-up';
import { isCovered } from './concept-coverage';
import type { ConceptCoverage } from './concept-coverage';
import type { NameCoverage } from './name-coverage';
import type { SearchIndex } from './search-index';

/** What the verdict is taken from, in the order of the table; each between 0 and 1. */
export const CONFIDENCE_FEATURES = [
  'coverage',
  'rare_coverage',
  'covered_concepts',
  'unknown_concepts',
  'score',
  'gap',
  'name',
  'lexical_first',
  'semantic_first',
  'similarity',
  'without_semantic',
  'intent',
  'entity',
  'symptom',
  'length',
  'intent_with_entity',
  'led',
  'plain',
  'sibling',
  'size',
  'question',
  'follow_up',
  'unspecified',
  'foreign_name',
] as const;

/** One of them. */
export type ConfidenceFeature = (typeof CONFIDENCE_FEATURES)[number];

/** More of these never speaks against a candidate: the models give them no weight below 0. */
export const RISING_FEATURES: ReadonlySet<ConfidenceFeature> = new Set([
  ...(['coverage', 'rare_coverage', 'covered_concepts', 'score', 'gap', 'name', 'lexical_first'] as const),
  ...(['semantic_first', 'similarity', 'intent', 'entity', 'symptom', 'intent_with_entity', 'led'] as const),
]);

/** The features of one search. */
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>;

/** Of a query's concepts, the rarest are what it is about. */
const RAREST = 2;
const CONCEPTS_FOR_FULL_COVER = 4;
const LONG_QUERY = 12;
/** Resources at which a registry counts as large in full; by chance alone something in it resembles any goal. */
const LARGE_REGISTRY = 10_000;

/** In a Chinese sentence a word in Latin letters is nearly always a name: of a product, a file, a command. */
const HAN = /\p{Script=Han}/u;
const LATIN_WORD = /^[A-Za-z]{3,}$/u;

/** What the features are read from. */
export interface ConfidenceKnowledge {
  readonly index: SearchIndex;
  readonly coverage: ConceptCoverage;
  readonly names: NameCoverage;
  /** Weight of query words that no resource holds, against the rarest word. */
  readonly unknownWeight: number;
}

/** Describes the first candidate of a page, and how far the others are behind, in numbers. Pure. */
export function readConfidenceFeatures(
  query: ParsedQuery,
  page: readonly RankedCandidate[],
  { index, coverage, names, unknownWeight }: ConfidenceKnowledge,
): ConfidenceFeatures {
  const [first] = page;
  const { concepts } = query;
  const words = first === undefined ? { has: () => false } : index.profile(first.resource).words;
  const rarest = coverage.rarest(concepts, RAREST);
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const unknown = concepts.filter((concept) => !isKnown(concept, index));
  const evidenceOf = (source: string) => first?.evidence.find((found) => found.source === source);
  const semantic = evidenceOf('semantic');
  const isSemanticThere = page.some(({ evidence }) => evidence.some(({ source }) => source === 'semantic'));
  const second = page.find((candidate) => candidate !== first && !candidate.violates);
  const has = (matched: readonly string[] | undefined): number => ((matched?.length ?? 0) > 0 ? 1 : 0);
  return {
    coverage: coverage.share(concepts, words, unknownWeight),
    rare_coverage: share(rarest.filter((concept) => isCovered(concept, words)).length, rarest.length),
    covered_concepts: Math.min(
      1,
      concepts.filter((concept) => isCovered(concept, words)).length / CONCEPTS_FOR_FULL_COVER,
    ),
    unknown_concepts: share(unknown.length, concepts.length),
    score: first?.score ?? 0,
    gap: first === undefined || first.score === 0 ? 0 : clip((first.score - (second?.score ?? 0)) / first.score),
    name: first === undefined ? 0 : names.share(first.resource, query),
    lexical_first: evidenceOf('lexical')?.rank === 1 ? 1 : 0,
    semantic_first: semantic?.rank === 1 ? 1 : 0,
    similarity: clip(semantic?.similarity ?? 0),
    without_semantic: isSemanticThere ? 0 : 1,
    intent: has(first?.matchedIntents),
    entity: has(first?.matchedEntities),
    symptom: has(first?.matchedSymptoms),
    length: Math.min(1, concepts.length / LONG_QUERY),
    intent_with_entity: has(first?.matchedIntents) * has(first?.matchedEntities),
    led: evidenceOf('hierarchy')?.matchedFields.includes('session') === true ? 1 : 0,
    plain: isPlain(first, index) ? 1 : 0,
    sibling: second !== undefined && second.resource.parentId === first?.resource.parentId ? 1 : 0,
    size: clip(Math.log(1 + index.size) / Math.log(LARGE_REGISTRY)),
    ...readAttitude(query),
    foreign_name: HAN.test(query.text) && unknown.some(({ term }) => LATIN_WORD.test(term)) ? 1 : 0,
  };
}

/** Whether its author has said nothing of what it is about but its title and summary, as with imported tools. */
function isPlain(candidate: RankedCandidate | undefined, index: SearchIndex): boolean {
  if (candidate === undefined) return false;
  const { declaresIntents, entities, symptoms } = index.profile(candidate.resource);
  return !declaresIntents && entities.size + symptoms.size === 0;
}

/** Whether any resource holds what the word means. */
function isKnown({ forms }: QueryConcept, index: SearchIndex): boolean {
  return forms.some((form) => form.length > 0 && form.every((token) => index.frequency(token) > 0));
}

/** How the goal is meant, as the normaliser has marked it. */
function readAttitude({
  constraints,
}: ParsedQuery): Pick<ConfidenceFeatures, 'question' | 'follow_up' | 'unspecified'> {
  const isMarked = (constraint: string): number => (constraints.includes(constraint) ? 1 : 0);
  return {
    question: isMarked('question'),
    follow_up: isMarked(FOLLOW_UP),
    unspecified: isMarked('unspecified'),
  };
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value));
}

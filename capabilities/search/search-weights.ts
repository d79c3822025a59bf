import type { RetrieverName } from '../models';
import type { FieldWeight } from './index/field-index';

/** Fields of the full-text index. */
export type LexicalField =
  | 'name'
  | 'path'
  | 'title'
  | 'aliases'
  | 'symptoms'
  | 'when_to_use'
  | 'entities'
  | 'tags'
  | 'intents'
  | 'summary'
  | 'detail'
  | 'gloss';

/** Every weight and cap of the search pipeline except the confidence thresholds. One table, so that evaluation can tune and ablate it. */
export interface SearchWeights {
  /** Most hits taken from each retriever, and candidates kept after gathering (§13.4). */
  readonly hitsPerRetriever: Readonly<Record<RetrieverName, number>>;
  readonly candidates: number;
  readonly timeoutMs: Readonly<Record<RetrieverName, number>>;
  /** Weighted reciprocal rank fusion (§15). */
  readonly fusion: { readonly k: number; readonly sources: Readonly<Record<RetrieverName, number>> };
  readonly text: {
    /** Weight of the semantic score against the lexical one. */
    readonly semantic: number;
    /** Candidates by text that go on, the best by both scores. */
    readonly kept: number;
  };
  readonly lexical: {
    readonly fields: Readonly<Record<LexicalField, FieldWeight>>;
    /** Weight of a translation or synonym against a term as written. */
    readonly expansion: number;
    /** Weight of character n-gram similarity against full-text rank. */
    readonly characterGrams: number;
    /** Least n-gram similarity that counts without any word in common. */
    readonly leastSimilarity: number;
    /** Distinct terms used of a long query, rarest first. */
    readonly terms: number;
  };
  readonly metadata: {
    readonly intent: number;
    readonly relatedIntent: number;
    readonly entity: number;
    readonly symptom: number;
  };
  readonly rerank: RerankWeights;
  /** Difference of two scores up to which past use decides between them. */
  readonly history: { readonly nearTie: number };
  readonly diversity: {
    readonly perParent: number;
    readonly perIntent: number;
    /** Share of its score that a candidate over a cap counts for, where the goal is clear. */
    readonly overCapShare: number;
    readonly nearTie: number;
    readonly leavesToCollapse: number;
    readonly leastShare: number;
  };
}

/** Weights of the features that the reranker adds up (§16); fusion and text are between 0 and 1. */
export interface RerankWeights {
  readonly fusion: number;
  readonly text: number;
  readonly intent: number;
  readonly relatedIntent: number;
  /** Share of the intent's weight when the intents of a candidate are guessed from its name. */
  readonly guessedIntentShare: number;
  /** Share of the intent's weight for one that means nearly the same. */
  readonly nearIntentShare: number;
  /** What is left of a candidate that has nothing of the only thing a vague request names. */
  readonly besideTopicShare: number;
  readonly entity: number;
  readonly symptom: number;
  readonly whenToUse: number;
  readonly coverage: number;
  /** For a name that the query says in full; parts count by {@link nameExponent}. */
  readonly name: number;
  /** Above 1: a part of a name counts for less than its share. */
  readonly nameExponent: number;
  readonly scope: number;
  readonly recommended: number;
  readonly verifying: number;
  /** For the stage of the workflow that follows what was run last. */
  readonly nextStage: number;
  /** For what a short goal after a run most likely means; less for longer goals. */
  readonly followUp: number;
  readonly recipe: number;
  readonly recipeForGuide: number;
  readonly recipeForHowTo: number;
  readonly recipeForQuestion: number;
  /** A deed asked for in so many words wants the action. */
  readonly recipeForDeed: number;
  readonly pack: number;
  readonly packForVagueGoal: number;
  readonly unavailable: number;
  readonly violation: number;
  /** Share of a `when_not_to_use` line that the goal must meet for it to count; above 1 none does. */
  readonly negativeUsageShare: number;
  readonly sideEffect: Readonly<Record<'R' | 'W-local' | 'W-shared' | 'I', number>>;
  readonly irreversible: number;
  readonly riskLevel: Readonly<Record<'low' | 'medium' | 'high' | 'critical', number>>;
  /** Share of the risk penalty that stays when a write was asked for in so many words. */
  readonly riskShareForExplicitWrite: number;
  /** Times the risk penalty where a deed is asked for without saying to what. */
  readonly riskShareForUnspecified: number;
  /** Taken off a write where only an answer was asked for, or a look first. */
  readonly writeForReader: number;
  /** Taken off what does first of all what the goal tells as done. */
  readonly alreadyDone: number;
}

/** The weights in use: §15 for fusion, chosen by hand for the rest until evaluation tunes them. */
export const DEFAULT_SEARCH_WEIGHTS: SearchWeights = {
  // Text is found deep and cut to 20 by both scores together: see keepBestText.
  hitsPerRetriever: { exact: 20, metadata: 20, lexical: 100, hierarchy: 20, history: 20, semantic: 100 },
  text: { semantic: 0.45, kept: 20 },
  candidates: 30,
  timeoutMs: { exact: 50, metadata: 100, lexical: 200, hierarchy: 100, history: 300, semantic: 500 },
  fusion: { k: 60, sources: { exact: 2, metadata: 1.4, lexical: 1.2, semantic: 1, hierarchy: 0.8, history: 0.4 } },
  lexical: {
    fields: {
      name: { weight: 2.5, lengthShare: 0.2 },
      path: { weight: 0.4, lengthShare: 0.2 },
      title: { weight: 1.5, lengthShare: 0.2 },
      aliases: { weight: 1.5, lengthShare: 0.4 },
      symptoms: { weight: 1.5, lengthShare: 0.4 },
      when_to_use: { weight: 1, lengthShare: 0.5 },
      entities: { weight: 1.2, lengthShare: 0.3 },
      tags: { weight: 0.8, lengthShare: 0.3 },
      intents: { weight: 0.8, lengthShare: 0.3 },
      summary: { weight: 1, lengthShare: 0.75 },
      detail: { weight: 0.8, lengthShare: 0.5 },
      gloss: { weight: 0.2, lengthShare: 0.5 },
    },
    expansion: 0.3,
    characterGrams: 0.15,
    leastSimilarity: 0.3,
    terms: 64,
  },
  metadata: { intent: 1.5, relatedIntent: 0.5, entity: 1, symptom: 2 },
  rerank: {
    fusion: 0.1,
    text: 0.4,
    intent: 0.18,
    relatedIntent: 0.06,
    guessedIntentShare: 0.2,
    nearIntentShare: 0.6,
    besideTopicShare: 0.6,
    entity: 0.12,
    symptom: 0.2,
    whenToUse: 0.12,
    coverage: 0.32,
    name: 0.14,
    nameExponent: 2.5,
    scope: 0.12,
    recommended: 0.15,
    verifying: 0.1,
    nextStage: 0.05,
    followUp: 1,
    recipe: -0.07,
    recipeForGuide: 0.2,
    recipeForHowTo: 0.03,
    recipeForQuestion: -0.18,
    recipeForDeed: -0.2,
    pack: -0.3,
    packForVagueGoal: 0.2,
    unavailable: 0.12,
    violation: 0.5,
    negativeUsageShare: 0.75,
    sideEffect: { R: 0, 'W-local': 0.03, 'W-shared': 0.06, I: 0.1 },
    irreversible: 0.02,
    riskLevel: { low: 0, medium: 0.01, high: 0.03, critical: 0.05 },
    riskShareForExplicitWrite: 0.1,
    riskShareForUnspecified: 3,
    writeForReader: 0.35,
    alreadyDone: 0.12,
  },
  history: { nearTie: 0.02 },
  diversity: { perParent: 3, perIntent: 2, overCapShare: 0.92, nearTie: 0.12, leavesToCollapse: 2, leastShare: 0.15 },
};

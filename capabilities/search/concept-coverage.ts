import type { ParsedQuery, QueryConcept } from '../models';
import type { TokenSet } from './resource-profile';
import type { SearchIndex } from './search-index';

interface Weighed {
  readonly concepts: ParsedQuery['concepts'];
  readonly unknownWeight: number;
  readonly weights: readonly number[];
}

/** Measures how much of what a query is about a text holds, rare words counting more. */
export class ConceptCoverage {
  readonly #index: SearchIndex;
  #last: Weighed | undefined;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** Share of the concepts' weight that the words cover, 0 to 1; 0 when there is no concept. `unknownWeight`: weight of a concept no resource holds, against the rarest word. */
  share(concepts: ParsedQuery['concepts'], words: TokenSet, unknownWeight: number): number {
    let total = 0;
    let covered = 0;
    const weights = this.#weightsOf(concepts, unknownWeight);
    concepts.forEach((concept, index) => {
      const weight = weights[index] ?? 0;
      total += weight;
      if (isCovered(concept, words)) covered += weight;
    });
    return total === 0 ? 0 : covered / total;
  }

  /** The concepts that the fewest resources hold, at most `count`. */
  rarest(concepts: ParsedQuery['concepts'], count: number): ParsedQuery['concepts'] {
    const weights = new Map(concepts.map((concept) => [concept, this.#weight(concept, 1)]));
    return [...concepts].sort((left, right) => (weights.get(right) ?? 0) - (weights.get(left) ?? 0)).slice(0, count);
  }

  /** One query is measured against many texts in a row; its weights are worked out once. */
  #weightsOf(concepts: ParsedQuery['concepts'], unknownWeight: number): readonly number[] {
    if (this.#last?.concepts !== concepts || this.#last.unknownWeight !== unknownWeight) {
      const weights = concepts.map((concept) => this.#weight(concept, unknownWeight));
      this.#last = { concepts, unknownWeight, weights };
    }
    return this.#last.weights;
  }

  /** Inverse document frequency of the concept's commonest form. */
  #weight(concept: QueryConcept, unknownWeight: number): number {
    const frequencies = concept.forms.map((form) => Math.min(...form.map((token) => this.#index.frequency(token))));
    const commonest = Math.max(0, ...frequencies.filter(Number.isFinite));
    const rarity = Math.log(1 + (this.#index.size + 0.5) / (commonest + 0.5));
    return commonest === 0 ? rarity * unknownWeight : rarity;
  }
}

/** Whether the words hold every token of one of the concept's forms. */
export function isCovered(concept: QueryConcept, words: TokenSet): boolean {
  return concept.forms.some((form) => form.length > 0 && form.every((token) => words.has(token)));
}

import type { ParsedQuery, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { IntentLexicon } from '../lexicon/intent-lexicon';
import type { ResourceProfile } from '../resource-profile';
import type { SearchIndex } from '../search-index';
import type { SearchWeights } from '../search-weights';
import { rankHits } from './ranked-hits';
import type { ScoredKey } from './ranked-hits';

const FACETS = ['intents', 'entities', 'symptoms'] as const;
type Facet = (typeof FACETS)[number];

/** Share of an intent's weight that the second and later intents of a query have. */
const LATER_INTENT = 0.5;

/** Matches the structured fields: intents, entities and symptoms, after both sides are made canonical. */
export class MetadataRetriever implements Retriever {
  readonly name = 'metadata';
  readonly #index: SearchIndex;
  readonly #intents: IntentLexicon;
  readonly #weights: SearchWeights['metadata'];

  constructor(index: SearchIndex, knowledge: { intents: IntentLexicon; weights: SearchWeights['metadata'] }) {
    this.#index = index;
    this.#intents = knowledge.intents;
    this.#weights = knowledge.weights;
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    this.#index.refresh();
    const { query } = context;
    const scored: ScoredKey[] = [];
    for (const key of this.#matchingKeys(query)) {
      const resource = this.#index.resourceOf(key);
      if (resource === undefined) continue;
      const profile = this.#index.profile(resource);
      const parts = this.#score(profile, query);
      const score = parts.intents + parts.entities + parts.symptoms;
      if (score === 0 || !context.admits(resource)) continue;
      const matchedFields = FACETS.filter((facet) => parts[facet] > 0);
      scored.push({ key: resource.key, score, matchedFields });
    }
    return Promise.resolve(rankHits(scored, context.limit));
  }

  #matchingKeys(query: ParsedQuery): ReadonlySet<string> {
    const intents = query.intents.flatMap((intent) => this.#intents.relatives(intent));
    return new Set([
      ...intents.flatMap((value) => [...this.#index.keysWith({ kind: 'intent', value })]),
      ...query.entities.flatMap((value) => [...this.#index.keysWith({ kind: 'entity', value })]),
      ...query.symptoms.flatMap((value) => [...this.#index.keysWith({ kind: 'symptom', value })]),
    ]);
  }

  #score(profile: ResourceProfile, query: ParsedQuery): Readonly<Record<Facet, number>> {
    let entities = 0;
    let symptoms = 0;
    for (const entity of query.entities) if (profile.entities.has(entity)) entities += this.#weights.entity;
    for (const symptom of query.symptoms) if (profile.symptoms.has(symptom)) symptoms += this.#weights.symptom;
    return { intents: this.#intentScore(profile, query), entities, symptoms };
  }

  #intentScore(profile: ResourceProfile, query: ParsedQuery): number {
    if (!profile.declaresIntents) return 0;
    let score = 0;
    let share = 1;
    for (const intent of query.intents) {
      if (profile.intents.includes(intent)) score += share * this.#weights.intent;
      else if (profile.intents.some((own) => this.#intents.areRelated(own, intent)))
        score += share * this.#weights.relatedIntent;
      share = LATER_INTENT;
    }
    return score;
  }
}

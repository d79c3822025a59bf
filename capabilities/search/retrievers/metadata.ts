import type { ParsedQuery, RegistryView, RetrievalContext, RetrievalHit, Retriever } from '../../models';
import type { IntentLexicon } from '../lexicon/intent-lexicon';
import type { ResourceProfile } from '../resource-profile';
import type { SearchIndex } from '../search-index';
import type { SearchWeights } from '../search-weights';
import { rankHits } from './ranked-hits';
import type { ScoredKey } from './ranked-hits';

/** Share of an intent's weight that the second and later intents of a query have. */
const LATER_INTENT = 0.5;

/** Matches the structured fields: intents, entities and symptoms, after both sides are made canonical. */
export class MetadataRetriever implements Retriever {
  readonly name = 'metadata';
  private readonly registry: RegistryView;
  private readonly index: SearchIndex;
  private readonly intents: IntentLexicon;
  private readonly weights: SearchWeights['metadata'];

  constructor(
    registry: RegistryView,
    index: SearchIndex,
    knowledge: { intents: IntentLexicon; weights: SearchWeights['metadata'] },
  ) {
    this.registry = registry;
    this.index = index;
    this.intents = knowledge.intents;
    this.weights = knowledge.weights;
  }

  retrieve(context: RetrievalContext): Promise<readonly RetrievalHit[]> {
    this.index.refresh();
    const scored: ScoredKey[] = [];
    for (const resource of this.registry.all()) {
      const hit = this.score(resource.key, this.index.profile(resource), context.query);
      if (hit.score > 0 && context.admits(resource)) scored.push(hit);
    }
    return Promise.resolve(rankHits(scored, context.limit));
  }

  private score(key: string, profile: ResourceProfile, query: ParsedQuery): ScoredKey {
    const intent = this.intentScore(profile, query);
    const entities = query.entities.filter((entity) => profile.entities.has(entity)).length;
    const symptoms = query.symptoms.filter((symptom) => profile.symptoms.has(symptom)).length;
    const matchedFields = [
      ...(intent > 0 ? ['intents'] : []),
      ...(entities > 0 ? ['entities'] : []),
      ...(symptoms > 0 ? ['symptoms'] : []),
    ];
    return { key, score: intent + entities * this.weights.entity + symptoms * this.weights.symptom, matchedFields };
  }

  private intentScore(profile: ResourceProfile, query: ParsedQuery): number {
    if (!profile.declaresIntents) return 0;
    let score = 0;
    query.intents.forEach((intent, index) => {
      const share = index === 0 ? 1 : LATER_INTENT;
      if (profile.intents.includes(intent)) score += share * this.weights.intent;
      else if (profile.intents.some((own) => this.intents.areRelated(own, intent)))
        score += share * this.weights.relatedIntent;
    });
    return score;
  }
}

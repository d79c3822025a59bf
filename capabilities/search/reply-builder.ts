import type { RankedCandidate, Resolution, SearchMatch, SearchMeta, SearchReply } from '../models';
import { shorten } from './language/shorten';
import { estimateTokens } from './language/token-estimate';

/** Everything a reply says, not yet cut to size. */
export interface ReplyContent {
  readonly query: string;
  readonly scope: string | null;
  readonly resolution: Resolution;
  readonly advice: string | undefined;
  readonly matches: readonly RankedCandidate[];
  /** The id to show for a resource: bare, or with its scope where the bare id is not unique. */
  readonly shownId: (candidate: RankedCandidate) => string;
  readonly meta: Omit<SearchMeta, 'returned_count'>;
}

/** How short the parts of a reply are; widths as in {@link shorten}. */
interface Detail {
  readonly query: number;
  readonly title: number;
  readonly summary: number;
  readonly matched: number;
  readonly nextStep: 'every' | 'first';
}

const LONGEST: Detail = { query: 200, title: 120, summary: 200, matched: 4, nextStep: 'every' };

const DETAILS: readonly Detail[] = [
  LONGEST,
  { query: 200, title: 90, summary: 140, matched: 3, nextStep: 'every' },
  { query: 160, title: 75, summary: 100, matched: 3, nextStep: 'every' },
  { query: 120, title: 60, summary: 70, matched: 2, nextStep: 'every' },
  { query: 100, title: 60, summary: 70, matched: 2, nextStep: 'first' },
  { query: 80, title: 45, summary: 45, matched: 1, nextStep: 'first' },
  { query: 60, title: 36, summary: 45, matched: 0, nextStep: 'first' },
  { query: 60, title: 30, summary: 24, matched: 0, nextStep: 'first' },
];

const BASE_TOKENS = 200;
const TOKENS_PER_MATCH = 100;
const USUAL_MATCHES = 5;

/** `R` needs none; `W-shared` and `I` need a person unless the definition of the former says otherwise. */
function needsConfirmation({ resource }: RankedCandidate): boolean {
  if (resource.type !== 'action') return false;
  const { requires_confirmation: declared, side_effect: effect } = resource.definition;
  return effect === 'I' || (declared ?? effect === 'W-shared');
}

function actionFacts(candidate: RankedCandidate): Partial<SearchMatch> {
  const { resource } = candidate;
  if (resource.type !== 'action') return {};
  return {
    side_effect: resource.definition.side_effect,
    risk_level: resource.definition.risk_level,
    requires_confirmation: needsConfirmation(candidate),
  };
}

function matchedLists(candidate: RankedCandidate, most: number): Partial<SearchMatch> {
  const some = (list: readonly string[]): string[] => list.slice(0, most).map((text) => shorten(text, 40));
  const [entities, intents, symptoms] = [
    candidate.matchedEntities,
    candidate.matchedIntents,
    candidate.matchedSymptoms,
  ].map(some);
  return {
    ...(entities !== undefined && entities.length > 0 ? { matched_entities: entities } : {}),
    ...(intents !== undefined && intents.length > 0 ? { matched_intents: intents } : {}),
    ...(symptoms !== undefined && symptoms.length > 0 ? { matched_symptoms: symptoms } : {}),
  };
}

function buildMatch(candidate: RankedCandidate, rank: number, id: string, detail: Detail): SearchMatch {
  const { resource } = candidate;
  const hasNextStep = rank === 1 || detail.nextStep === 'every';
  return {
    rank,
    resource_type: resource.type,
    resource_id: id,
    title: shorten(resource.definition.title, detail.title),
    summary: shorten(resource.definition.summary, detail.summary),
    ...matchedLists(candidate, detail.matched),
    ...actionFacts(candidate),
    availability: candidate.availability,
    score: Math.round(candidate.score * 100) / 100,
    why: shorten(candidate.why, 60),
    ...(hasNextStep ? { next_step: { tool: 'capability_describe', arguments: { resource_id: id } } } : {}),
  };
}

function assemble(
  content: ReplyContent,
  ids: readonly string[],
  { count, detail }: { readonly count: number; readonly detail: Detail },
): SearchReply {
  const matches = content.matches
    .slice(0, count)
    .map((candidate, index) => buildMatch(candidate, index + 1, ids[index] ?? candidate.resource.key, detail));
  return {
    query: shorten(Array.from(content.query).slice(0, 200).join(''), detail.query),
    scope: content.scope,
    resolution: content.resolution,
    ...(content.advice === undefined ? {} : { advice: content.advice }),
    matches,
    search_meta: { ...content.meta, returned_count: matches.length },
  };
}

/**
 * Builds the reply (§20) within the budget: five matches stay under 700 tokens of o200k, each one more adds at most 100. `tokenBudget` lowers that.
 * Texts are shortened first, then matches are left out; one match always stays.
 */
export function buildSearchReply(content: ReplyContent, tokenBudget = Number.POSITIVE_INFINITY): SearchReply {
  const usual = BASE_TOKENS + TOKENS_PER_MATCH * Math.max(USUAL_MATCHES, content.matches.length);
  const budget = Math.min(tokenBudget, usual);
  const ids = content.matches.map((candidate) => content.shownId(candidate));
  const shortest = DETAILS[DETAILS.length - 1] ?? LONGEST;
  for (let count = content.matches.length; count > 0; count -= 1) {
    for (const detail of DETAILS) {
      const reply = assemble(content, ids, { count, detail });
      if (estimateTokens(JSON.stringify(reply)) <= budget) return reply;
    }
  }
  return assemble(content, ids, { count: Math.min(1, content.matches.length), detail: shortest });
}

import type { ParsedQuery, RankedCandidate, Resolution } from '../models';
import { isEmptyGoal } from './goal-clarity';

/** What the advice is taken from. */
export interface AdviceFacts {
  readonly query: ParsedQuery;
  readonly resolution: Resolution;
  readonly shown: readonly RankedCandidate[];
  /** Candidates that could be shown; more than `shown` when the page is full. */
  readonly available: number;
  readonly filtered: Readonly<Record<string, number>>;
  /** Ids of the packs at the top that may be discovered. */
  readonly topPacks: readonly string[];
  /** Whether this is one search too many without a describe or a run between. */
  readonly isRephrasing: boolean;
}

const NAMED_PACKS = 6;
const NEAREST = 3;
const STOP_REPHRASING =
  'Several searches in a row without describing anything: stop rephrasing, describe the best match or tell the user that nothing fits.';

const FILTER_WORDS: Readonly<Record<string, string>> = {
  disabled: 'switched off',
  unsupported_os: 'for another operating system',
  outside_scope: 'outside `within`',
  other_type: 'of another type',
  stronger_effect: 'above `side_effect_max`',
};

function packsText(topPacks: readonly string[]): string {
  if (topPacks.length === 0) return 'No capability is registered here.';
  const more = topPacks.length > NAMED_PACKS ? ' …' : '';
  return `Packs here: ${topPacks.slice(0, NAMED_PACKS).join(', ')}${more}.`;
}

function leftOutText(filtered: Readonly<Record<string, number>>): string {
  const parts = Object.entries(filtered).map(([reason, count]) => `${count} ${FILTER_WORDS[reason] ?? reason}`);
  return parts.length === 0 ? '' : ` Left out: ${parts.join(', ')}.`;
}

function noMatchAdvice({ query, shown, filtered, topPacks }: AdviceFacts): string {
  if (isEmptyGoal(query))
    return `The query names nothing to look for: say the object and the wanted result. ${packsText(topPacks)}`;
  if (shown[0]?.violates === true)
    return 'Everything related is ruled out by the limits in the query or by its own; ask the user before going on.';
  const nearest = shown.slice(0, NEAREST).map((candidate) => candidate.resource.id);
  const hint = nearest.length > 0 ? `Nearest: ${nearest.join(', ')}.` : packsText(topPacks);
  return `Nothing registered does this; do not rephrase. ${hint}${nearest.length > 0 ? '' : leftOutText(filtered)}`;
}

function ambiguousAdvice({ shown }: AdviceFacts): string {
  if (shown.some((candidate) => candidate.resource.type === 'pack')) {
    return 'The goal fits several places: ask the user which one, or search again with `within` and the concrete problem.';
  }
  return 'No clear winner: compare the summaries and describe the one that fits, or ask the user.';
}

/** The sentence that tells the model what to do next; undefined when there is nothing to say. English, stable. */
export function adviseNext(facts: AdviceFacts): string | undefined {
  const { query, resolution, shown, available } = facts;
  const parts: string[] = [];
  if (facts.isRephrasing && resolution !== 'confident') parts.push(STOP_REPHRASING);
  if (resolution === 'no_confident_match') parts.push(noMatchAdvice(facts));
  if (resolution === 'ambiguous') parts.push(ambiguousAdvice(facts));
  if (query.isBrowseRequest && available > shown.length) {
    const target = query.scope === undefined ? '' : ` with within "${query.scope}"`;
    parts.push(`${shown.length} of ${available} shown; capability_list${target} shows all.`);
  }
  if (parts.length === 0 && facts.isRephrasing) parts.push(STOP_REPHRASING);
  return parts.length === 0 ? undefined : parts.join(' ');
}

import type { QueryConcept, UsageEvent, UsageOutcome } from '../../models';

const DAY = 24 * 60 * 60 * 1000;

/** Time after which a use counts half, in milliseconds. */
export const HALF_LIFE = 14 * DAY;

/** What one fresh use says for a resource. */
const WORTH: Readonly<Record<UsageOutcome, number>> = { described: 0.25, succeeded: 1, failed: -0.5, declined: -1 };

/** Less than this says nothing: one look that is weeks old. */
const LEAST_SCORE = 0.15;

/** Share of what is asked, and of what was asked then, that must be in common for two goals to be alike. */
const LEAST_LIKENESS = 0.5;

/** Score of each id that was used with success more than in vain, recent uses counting more. */
export function commonScores(events: readonly UsageEvent[], now: number): ReadonlyMap<string, number> {
  return sumById(events, (event) => WORTH[event.outcome] * freshness(event, now));
}

/** The same over uses that goals like this one led to, by how alike they are. */
export function similarScores(
  events: readonly UsageEvent[],
  concepts: readonly QueryConcept[],
  now: number,
): ReadonlyMap<string, number> {
  return sumById(events, (event) => {
    const alike = likeness(concepts, new Set(event.goal));
    return alike === 0 ? 0 : alike * WORTH[event.outcome] * freshness(event, now);
  });
}

/** How alike a query and the words of an earlier goal are: 0, or between 0.5 and 1. Words count in any form the lexicon knows. */
export function likeness(concepts: readonly QueryConcept[], goal: ReadonlySet<string>): number {
  if (concepts.length === 0 || goal.size === 0) return 0;
  let asked = 0;
  const met = new Set<string>();
  for (const { forms } of concepts) {
    const form = forms.find((tokens) => tokens.length > 0 && tokens.every((token) => goal.has(token)));
    if (form === undefined) continue;
    asked += 1;
    for (const token of form) met.add(token);
  }
  const [share, reverse] = [asked / concepts.length, met.size / goal.size];
  return Math.min(share, reverse) < LEAST_LIKENESS ? 0 : (share + reverse) / 2;
}

/** A clock that was set back must not make uses count more than fresh ones. */
function freshness({ time }: UsageEvent, now: number): number {
  return 0.5 ** (Math.max(0, now - time) / HALF_LIFE);
}

function sumById(events: readonly UsageEvent[], worth: (event: UsageEvent) => number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const event of events) sums.set(event.id, (sums.get(event.id) ?? 0) + worth(event));
  return new Map([...sums].filter(([, sum]) => sum >= LEAST_SCORE));
}

import type { SetScores } from './ranker';
import { roundTo } from './ranker';
import { QUALITY_MEASURES } from './ranking-metrics';

/** Which languages a set is about. `zh2en`: goals in one language, tools in the other. */
export type SetGroup = 'en' | 'zh' | 'zh2en';

/** The groups, in the order they are shown. */
export const SET_GROUPS: readonly SetGroup[] = ['en', 'zh', 'zh2en'];

/** The group of a set, by the end of its name; English unless it says otherwise. */
export function groupOf(name: string): SetGroup {
  if (/(?:zh2en|en2zh)$/.test(name)) return 'zh2en';
  return name.endsWith('-zh') ? 'zh' : 'en';
}

/** The collection that a set is a form of, by the beginning of its name: sets of one family share tools or goals. */
export function familyOf(name: string): string {
  return name.split('-')[0] ?? name;
}

/** Scores of a set under its name. */
export interface NamedScores {
  readonly set: string;
  readonly scores: SetScores;
}

/** Mean over sets, each set counting the same whatever its size. */
export interface GroupMean {
  readonly group: SetGroup;
  readonly sets: number;
  readonly scores: SetScores;
}

/** The macro means of the groups that have a set. `n` is the sum; the times are means of the sets' percentiles. */
export function meansByGroup(all: readonly NamedScores[]): readonly GroupMean[] {
  return SET_GROUPS.flatMap((group) => {
    const members = all.filter(({ set }) => groupOf(set) === group).map(({ scores }) => scores);
    return members.length === 0 ? [] : [{ group, sets: members.length, scores: meanScores(members) }];
  });
}

function meanScores(members: readonly SetScores[]): SetScores {
  const mean = (measure: keyof SetScores): number =>
    members.reduce((sum, scores) => sum + scores[measure], 0) / members.length;
  const scores = { n: 0, top1: 0, r1: 0, r5: 0, r10: 0, ndcg10: 0, mrr: 0, comp10: 0 };
  for (const measure of QUALITY_MEASURES) scores[measure] = roundTo(mean(measure), 1);
  scores.n = members.reduce((sum, { n }) => sum + n, 0);
  return { ...scores, ms_p50: roundTo(mean('ms_p50'), 2), ms_p95: roundTo(mean('ms_p95'), 2) };
}

import { visibleText } from '../capabilities/execution/visible-text';
import type { ParsedQuery, RankedCandidate, SearchTrace } from '../capabilities/models';

/** How a search came about, as data: the query as it was read, the candidates in their order with what speaks for each, the reply. */
export function explanationOf({ query, ranking, reply }: SearchTrace): object {
  return {
    query,
    candidates: ranking.map((candidate, index) => ({
      place: index + 1,
      resource: candidate.resource.key,
      score: round(candidate.score),
      violates: candidate.violates,
      why: candidate.why,
      evidence: candidate.evidence.map(({ source, rank, rawScore, matchedFields }) => ({
        ...{ source, rank },
        score: rawScore === undefined ? null : round(rawScore),
        matched: matchedFields,
      })),
    })),
    reply,
  };
}

/** The same for a person. */
export function showExplanation({ query, ranking, reply }: SearchTrace): string {
  const { planned_retrievers: planned, completed_retrievers: completed } = reply.search_meta;
  const lines = [
    ...describeQuery(query),
    `retrievers   ${planned.join(', ') || 'none'}${completed.length < planned.length ? ` (answered: ${completed.join(', ') || 'none'})` : ''}`,
    `verdict      ${reply.resolution}${reply.advice === undefined ? '' : `: ${reply.advice}`}`,
    '',
    ...ranking.flatMap(describeCandidate),
  ];
  return lines.map(visibleText).join('\n');
}

function describeQuery(query: ParsedQuery): readonly string[] {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['language', [query.language]],
    ['named', query.explicitKeys],
    ['scope', query.scope === undefined ? [] : [`${query.scope}${query.scopeIsHard ? ' (only there)' : ''}`]],
    ['asks', query.isBrowseRequest ? ['what there is'] : query.isExplicitWrite ? ['for a change'] : []],
    ['intents', query.intents],
    ['entities', query.entities],
    ['symptoms', query.symptoms],
    ['constraints', query.constraints],
    ['forbidden', [...query.forbiddenIntents, ...query.excludedKeys]],
    ['outcome', query.desiredOutcome === undefined ? [] : [query.desiredOutcome]],
    ['about', query.concepts.map(({ term }) => term)],
    ['words', query.terms],
    ['also', query.expansions],
  ];
  return facts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name.padEnd(12)} ${values.join(', ')}`);
}

function describeCandidate(candidate: RankedCandidate, index: number): readonly string[] {
  const evidence = candidate.evidence.map(
    ({ source, rank, rawScore }) => `${source} #${rank}${rawScore === undefined ? '' : ` (${round(rawScore)})`}`,
  );
  return [
    `${index + 1}. ${candidate.resource.key}  ${round(candidate.score)}${candidate.violates ? '  ruled out' : ''}  ${candidate.why}`,
    `   ${evidence.join(', ') || 'shown in the place of others'}`,
  ];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

import { percentile } from '../ranking-metrics';
import { failingSamples } from '../sample-report';
import type { SampleOutcome, UsageLineOutcome } from '../sample-run';
import type { SampleScores } from '../sample-scores';
import { drawBars } from './bar-chart';
import type { PageSection } from './html-page';
import { htmlTable } from './html-text';

const QUALITY = ['top1', 'recall1', 'recall5', 'recall10', 'mrr', 'ndcg10', 'pack_hit', 'confident_right'] as const;
const RESOLUTIONS = [
  'resolution',
  'resolution_confident',
  'resolution_ambiguous',
  'resolution_no_confident_match',
] as const;
const HARM = ['forbidden_in_top1', 'leaks', 'not_to_use_violations', 'retriever_timeouts'] as const;
const PERCENTILES = [10, 25, 50, 75, 90, 95, 99, 100];

/** The sections of a report on a workspace's own samples. */
export function sampleSections(
  scores: SampleScores,
  outcomes: readonly SampleOutcome[],
  lines: readonly UsageLineOutcome[],
): readonly PageSection[] {
  const failing = failingSamples(outcomes).map(({ path, line, query, problems }) => [
    `${path}:${line}`,
    query,
    problems.join('; '),
  ]);
  const violated = lines.filter(({ isViolated }) => isViolated).map(({ id, line }) => [id, line]);
  const measures = Object.entries(scores).map(([measure, value]) => [measure, String(value)]);
  return [
    { heading: 'What is found', html: plotShares('What is found', scores, QUALITY) },
    { heading: 'The right verdict', html: plotShares('The right verdict', scores, RESOLUTIONS) },
    { heading: 'What must not happen', html: plotShares('What must not happen', scores, HARM) },
    { heading: 'Kinds of goals answered as expected', html: plotKinds(outcomes) },
    { heading: 'Time a search takes', html: plotTimes(outcomes) },
    { heading: `Failing samples (${failing.length})`, html: htmlTable(['place', 'query', 'what is wrong'], failing) },
    {
      heading: `First for what they say they are not for (${violated.length})`,
      html: htmlTable(['id', 'line'], violated),
    },
    { heading: 'Every measure', html: htmlTable(['measure', 'value'], measures) },
  ];
}

function plotShares(title: string, scores: SampleScores, measures: readonly (keyof SampleScores)[]): string {
  const groups = measures.map((measure) => ({ label: measure.replaceAll('_', ' '), values: [scores[measure]] }));
  return drawBars({ title, series: ['percent'], groups, maximum: 100, unit: ' %' });
}

function plotKinds(outcomes: readonly SampleOutcome[]): string {
  const kindOf = ({ loaded }: SampleOutcome): string => loaded.sample.kind ?? 'other';
  const groups = [...new Set(outcomes.map(kindOf))].sort().map((kind) => {
    const own = outcomes.filter((outcome) => kindOf(outcome) === kind);
    const right = own.length - failingSamples(own).length;
    return { label: `${kind} (${own.length})`, values: [Math.round((1000 * right) / own.length) / 10] };
  });
  return drawBars({ title: 'Kinds of goals', series: ['percent'], groups, maximum: 100, unit: ' %' });
}

function plotTimes(outcomes: readonly SampleOutcome[]): string {
  const durations = outcomes.map(({ durationMs }) => durationMs);
  const groups = PERCENTILES.map((share) => ({
    label: share === 100 ? 'slowest' : `P${share}`,
    values: [Math.round(percentile(durations, share / 100) * 100) / 100],
  }));
  const slowest = Math.max(1, Math.ceil(percentile(durations, 1)));
  return drawBars({ title: 'Time a search takes', series: ['ms'], groups, maximum: slowest, unit: ' ms' });
}

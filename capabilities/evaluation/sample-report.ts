import { isResolutionRight, isTopForbidden, isTopRight } from './sample-scores';
import type { SampleScores } from './sample-scores';
import type { SampleOutcome, UsageLineOutcome } from './sample-run';
import { layOutTable } from './text-table';

/** A sample that went wrong, and how. */
export interface FailingSample {
  readonly path: string;
  readonly line: number;
  readonly query: string;
  readonly problems: readonly string[];
}

const NEAREST_SHOWN = 3;

/** Every sample whose answer is not the expected one, in file order. */
export function failingSamples(outcomes: readonly SampleOutcome[]): readonly FailingSample[] {
  return outcomes.flatMap((outcome) => {
    const { path, line, sample } = outcome.loaded;
    const problems = problemsOf(outcome);
    return problems.length > 0 ? [{ path, line, query: sample.query, problems }] : [];
  });
}

function problemsOf(outcome: SampleOutcome): readonly string[] {
  const { loaded, ranking, resolution, leaked } = outcome;
  const { expected_top_actions: expected, expected_resolution: wanted } = loaded.sample;
  const problems: string[] = [];
  if (isTopForbidden(outcome)) problems.push(`forbidden first: ${ranking[0] ?? ''}`);
  if (expected.length > 0 && !isTopRight(outcome)) {
    const place = ranking.findIndex((id) => expected.includes(id));
    const where = place < 0 ? 'not found' : `at ${place + 1}`;
    problems.push(
      `expected ${expected[0] ?? ''} ${where}; got ${ranking.slice(0, NEAREST_SHOWN).join(', ') || 'nothing'}`,
    );
  }
  if (!isResolutionRight(outcome)) problems.push(`${resolution} instead of ${wanted}`);
  if (leaked.length > 0) problems.push(`leaks ${leaked.join(', ')}`);
  return problems;
}

/** The scores and the failing samples as text. */
export function showSampleScores(
  scores: SampleScores,
  outcomes: readonly SampleOutcome[],
  lines: readonly UsageLineOutcome[],
): string {
  const rows = Object.entries(scores).map(([measure, value]) => [measure.replaceAll('_', ' '), String(value)]);
  const parts = [
    layOutTable(
      [
        { heading: 'measure', align: 'left' },
        { heading: 'value', align: 'right' },
      ],
      rows,
    ),
    showGroups(outcomes),
  ];
  const failing = failingSamples(outcomes);
  if (failing.length > 0) {
    const list = failing.map(
      ({ path, line, query, problems }) => `${path}:${line} ${query}\n    ${problems.join('\n    ')}`,
    );
    parts.push(`${failing.length} of ${outcomes.length} samples fail:\n${list.join('\n')}`);
  }
  const violated = lines.filter(({ isViolated }) => isViolated);
  if (violated.length > 0) {
    const list = violated.map(({ id, line }) => `  ${id}: ${line}`);
    parts.push(`First for what they say they are not for:\n${list.join('\n')}`);
  }
  return parts.join('\n\n');
}

/** How many samples of each kind, and in each language, are answered as expected. */
function showGroups(outcomes: readonly SampleOutcome[]): string {
  const groups = [
    ...groupRows(outcomes, ({ loaded }) => loaded.sample.kind ?? 'other'),
    'line' as const,
    ...groupRows(outcomes, ({ loaded }) => languageOf(loaded.sample.query)),
  ];
  const headings = ['samples', 'as expected', 'first right', 'of', 'resolution right'];
  return layOutTable(
    [{ heading: 'group', align: 'left' }, ...headings.map((heading) => ({ heading, align: 'right' }) as const)],
    groups,
  );
}

function groupRows(
  outcomes: readonly SampleOutcome[],
  nameOf: (outcome: SampleOutcome) => string,
): readonly (readonly string[])[] {
  return [...new Set(outcomes.map(nameOf))].sort().map((name) => {
    const own = outcomes.filter((outcome) => nameOf(outcome) === name);
    const expecting = own.filter(({ loaded }) => loaded.sample.expected_top_actions.length > 0);
    const isRight = own.length - failingSamples(own).length;
    const cells = [own.length, isRight, expecting.filter(isTopRight).length, expecting.length];
    return [name, ...cells.map(String), String(own.filter(isResolutionRight).length)];
  });
}

function languageOf(query: string): string {
  if (!/\p{Script=Han}/u.test(query)) return 'English';
  return /[A-Za-z]{2}/.test(query) ? 'mixed' : 'Chinese';
}

import { validateEvaluationSample } from '../generated/validators';
import type { EvaluationSample, Lookup, Result, Span } from '../models';

/** A sample with where it stands. */
export interface LoadedSample {
  readonly sample: EvaluationSample;
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** Something that is wrong with a file of samples. */
export interface SampleProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What is wrong and what belongs there. */
  readonly message: string;
}

type KeyPath = readonly (string | number)[];

/** A YAML file as the registry's reader gives it. */
export interface SampleYaml {
  readonly documents: readonly {
    readonly value: unknown;
    readonly span: Span;
    spanOf(path: KeyPath, part: 'key' | 'value'): Span;
  }[];
  readonly diagnostics: readonly { readonly severity: string; readonly message: string; readonly span: Span }[];
}

/** A file of samples: its path for messages, and its text. */
export interface SampleFile {
  readonly path: string;
  readonly text: string;
}

/** Reads the samples of a file; fails with everything that is wrong with it. `readYaml` is the registry's reader. */
export function loadSamples(
  { path, text }: SampleFile,
  readYaml: (text: string) => SampleYaml,
): Result<readonly LoadedSample[], readonly SampleProblem[]> {
  const { documents, diagnostics } = readYaml(text);
  const lineAt = (offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/).length;
  const problems: SampleProblem[] = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ span, message }) => ({ path, line: lineAt(span.start), message }));
  if (problems.length > 0) return { ok: false, problem: problems };
  const samples: LoadedSample[] = [];
  for (const document of documents) {
    const list = sampleList(document.value);
    const fail = (place: KeyPath, message: string): void => {
      problems.push({ path, line: lineAt(document.spanOf(place, 'value').start), message });
    };
    if (!list) fail([], 'A file of samples holds one key, `samples`, with a list of at least one sample.');
    list?.forEach((value, index) => {
      const place = ['samples', index];
      const faults = faultsOf(value);
      for (const { within, message } of faults) fail([...place, ...within], `Sample ${index + 1}: ${message}`);
      const { start } = document.spanOf(place, 'value');
      if (faults.length === 0) samples.push({ sample: value as EvaluationSample, path, line: lineAt(start) });
    });
  }
  return problems.length > 0 ? { ok: false, problem: problems } : { ok: true, value: samples };
}

function sampleList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'samples') return undefined;
  const { samples } = value as { readonly samples: unknown };
  return Array.isArray(samples) && samples.length > 0 ? samples : undefined;
}

interface Fault {
  readonly within: KeyPath;
  readonly message: string;
}

function faultsOf(value: unknown): readonly Fault[] {
  if (!validateEvaluationSample(value)) {
    return (validateEvaluationSample.errors ?? []).map(({ instancePath, keyword, message, params }) => {
      const within = instancePath.split('/').slice(1);
      const field = within.length > 0 ? `\`${within.join('.')}\` ` : '';
      return { within: within.map(toKey), message: `${field}${wordFault(keyword, message, params)}.` };
    });
  }
  const {
    expected_resolution: resolution,
    expected_top_actions: expected,
    forbidden_actions: forbidden = [],
  } = value as EvaluationSample;
  const faults: Fault[] = [];
  const add = (key: keyof EvaluationSample, message: string): number => faults.push({ within: [key], message });
  const isNothing = resolution === 'no_confident_match';
  if (!isNothing && expected.length === 0) {
    add(
      'expected_top_actions',
      `\`expected_top_actions\` must name something when the resolution is \`${resolution}\`.`,
    );
  }
  const both = expected.find((id) => forbidden.includes(id));
  if (both !== undefined) add('forbidden_actions', `\`${both}\` can't be both expected and forbidden.`);
  return faults;
}

function toKey(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment;
}

function wordFault(keyword: string, message: string | undefined, params: Readonly<Record<string, unknown>>): string {
  const list = params['allowedValues'];
  if (keyword === 'enum' && Array.isArray(list)) return `must be one of ${list.join(', ')}`;
  if (keyword === 'additionalProperties')
    return `has a key that is not known, \`${String(params['additionalProperty'])}\``;
  return message ?? `breaks the rule \`${keyword}\``;
}

/** Ids in samples that mean nothing in the registry. */
export function checkSampleIds(
  samples: readonly LoadedSample[],
  registry: { lookup(reference: string): Lookup },
): readonly SampleProblem[] {
  return samples.flatMap(({ sample, path, line }) => {
    const {
      expected_top_actions: expected,
      forbidden_actions: forbidden = [],
      within,
      runtime_context: context,
    } = sample;
    const ids = [...expected, ...forbidden, ...[within, context?.ran].filter((id) => id !== undefined)];
    return ids
      .filter((id) => registry.lookup(id).kind !== 'found')
      .map((id) => ({ path, line, message: `There is no resource \`${id}\`.` }));
  });
}

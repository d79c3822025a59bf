import type { Resource } from '../../../capabilities/models';
import type { OutlinePath } from '../outline/outline-model';
import { textsAt } from '../outline/outline-queries';
import type { CompletionScope } from './completion-request';

/** Keys whose values are a vocabulary that a team shares. */
const vocabularies = [
  'intents',
  'entities',
  'symptoms',
  'tags',
  'produces',
  'required_executors',
  'required_credentials',
  'feature_flag',
] as const;

type Vocabulary = (typeof vocabularies)[number];

const MOST_VALUES = 200;

/** What other resources write at a place, most used first, without what its list holds already. */
export function valuesInUse(scope: CompletionScope, path: OutlinePath): readonly string[] {
  const key = vocabularies.find((name) => name === path[0]);
  if (key === undefined || path.length !== (key === 'feature_flag' ? 1 : 2)) return [];
  const counts = new Map<string, number>();
  for (const resource of scope.registry.all()) {
    for (const value of valuesOf(resource, key)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const index = typeof path[1] === 'number' ? path[1] : -1;
  const present = textsAt(scope.context.text, scope.context.outline.root, [key]);
  for (const value of present.filter((_, place) => place !== index)) counts.delete(value);
  const byUse = [...counts].sort(([first, firstCount], [second, secondCount]) =>
    firstCount === secondCount ? compare(first, second) : secondCount - firstCount,
  );
  return byUse.slice(0, MOST_VALUES).map(([value]) => value);
}

function valuesOf({ definition }: Resource, key: Vocabulary): readonly string[] {
  const values = (definition as Partial<Record<Vocabulary, string | readonly string[]>>)[key] ?? [];
  return typeof values === 'string' ? [values] : values;
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

import type { Resource } from '../../../capabilities/models';
import type { OutlinePath } from '../outline/outline-model';
import type { CompletionScope } from './completion-request';

const MOST_NAMES = 200;

/** Entities or symptoms that definitions use, where a lexicon says more words for them: most used first. None elsewhere. */
export function lexiconNamesInUse({ context, registry }: CompletionScope, path: OutlinePath): readonly string[] {
  const [key] = path;
  if (context.types[0] !== 'lexicon' || path.length !== 1 || (key !== 'entities' && key !== 'symptoms')) return [];
  const counts = new Map<string, number>();
  const namesOf = ({ definition }: Resource): readonly string[] => definition[key] ?? [];
  for (const name of registry.all().flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([one, oneCount], [other, otherCount]) => otherCount - oneCount || (one < other ? -1 : 1))
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

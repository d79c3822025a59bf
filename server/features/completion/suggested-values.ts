import type { CompletionScope } from './completion-request';
import type { ValueSlot } from './completion-slots';
import { viewsAt } from '../schema/value-views';

/** Values worth offering where a schema allows many, by the title of the schema. */
const suggestions: ReadonlyMap<string, readonly string[]> = new Map([
  ['Principals', ['*', 'user', 'agent', 'host:vscode', 'host:mcp', 'host:cli']],
  ['Timeout', ['10s', '30s', '60s', '5m', '15m', '1h']],
  ['RequiredExecutors', ['git', 'node', 'npm', 'python3', 'docker', 'shell']],
  ['RequiredContext', ['git_repository']],
]);

/** Values that are often meant at a place: well-known ones, and files of the workspace where a file is named. */
export function suggestedValues(scope: CompletionScope, slot: ValueSlot): readonly string[] {
  const { path } = slot;
  const isItem = typeof path.at(-1) === 'number';
  const views = viewsAt(scope.context, scope.registry, isItem ? path.slice(0, -1) : path);
  const titles = new Set(views.flatMap((view) => view.titles));
  const known = [...titles].flatMap((title) => suggestions.get(title) ?? []);
  if (path.length === 2 && path[0] === 'handler' && path[1] === 'file') return [...known, ...scope.files];
  return titles.has('RequiredContext') ? [...known, ...scope.files.map((file) => `file:${file}`)] : known;
}

import type { ActionReference, ActionResource, ResourceResolver, RuntimeContext } from '../models';

const mostRecommendations = 8;
const deepest = 4;
const idForm = /^(?:[A-Za-z0-9][A-Za-z0-9 ._-]*:)?[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/;

/**
 * What usually follows a run: the actions its output recommends, its `next_actions`, and after a change its `verify`. Only what
 * the caller may discover is named, and each once.
 */
export function followingActions(
  resource: ActionResource,
  output: string,
  resolver: ResourceResolver,
  context: RuntimeContext,
): ActionReference[] {
  const { next_actions = [], verify = [], side_effect } = resource.definition;
  const candidates = [...recommendedIn(output), ...next_actions, ...(side_effect === 'R' ? [] : verify)];
  const found = new Map<string, ActionReference>();
  for (const candidate of candidates) {
    const reference = typeof candidate === 'string' ? candidate : candidate.action;
    const resolved = resolve(reference, resource, resolver, context);
    if (resolved === undefined || found.has(resolved.key)) continue;
    found.set(resolved.key, typeof candidate === 'string' ? resolved.name : { ...candidate, action: resolved.name });
  }
  return [...found.values()];
}

/** A reference means the action of its own scope first; the name given back is one that the caller can use. */
function resolve(
  reference: string,
  resource: ActionResource,
  resolver: ResourceResolver,
  context: RuntimeContext,
): { readonly key: string; readonly name: string } | undefined {
  const local = resolver.resolve(`${resource.scope.name}:${reference}`, context);
  const bare = resolver.resolve(reference, context);
  if (local.ok && local.value.type === 'action') {
    const isUnique = bare.ok && bare.value.key === local.value.key;
    return { key: local.value.key, name: isUnique ? reference : local.value.key };
  }
  return bare.ok && bare.value.type === 'action' ? { key: bare.value.key, name: reference } : undefined;
}

/** Ids under `recommended_actions`, on any of the first levels of a JSON output. */
function recommendedIn(output: string): readonly string[] {
  const found: string[] = [];
  collect(parseJson(output), 0, found);
  return found.filter((id) => idForm.test(id)).slice(0, mostRecommendations);
}

function collect(value: unknown, depth: number, found: string[]): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (key === 'recommended_actions' && Array.isArray(item)) found.push(...item.flatMap(idOf));
    else collect(item, depth + 1, found);
  }
}

function idOf(item: unknown): readonly string[] {
  if (typeof item === 'string') return [item];
  const action: unknown = typeof item === 'object' && item !== null && 'action' in item ? item.action : undefined;
  return typeof action === 'string' ? [action] : [];
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

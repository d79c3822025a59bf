import type {
  ActionDefinition,
  Lookup,
  PackDefinition,
  RegistryView,
  Resource,
  Scope,
} from '../../../capabilities/models';

/** A scope for tests. */
export function scopeNamed(name: string): Scope {
  return { name, kind: 'workspace', root: `/${name}`, definitions: `/${name}/.capabilities` };
}

/** An action as the registry holds it. */
export function action(id: string, definition: Partial<ActionDefinition> = {}, scope = scopeNamed('main')): Resource {
  const full: ActionDefinition = {
    action_id: id,
    version: 1,
    title: `Title of ${id}`,
    summary: `Summary of ${id}`,
    arguments_schema: { type: 'object' },
    handler: { type: 'command', argv: ['true'] },
    side_effect: 'R',
    risk_level: 'low',
    ...definition,
  };
  return { type: 'action', definition: full, ...common(id, scope) };
}

/** A pack as the registry holds it. */
export function pack(id: string, definition: Partial<PackDefinition> = {}, scope = scopeNamed('main')): Resource {
  const full = { pack_id: id, version: 1, title: `Title of ${id}`, summary: `Summary of ${id}`, ...definition };
  return { type: 'pack', definition: full, ...common(id, scope) };
}

/** A registry that holds just these resources. */
export function registryOf(resources: readonly Resource[]): RegistryView {
  const keysById = new Map<string, string[]>();
  for (const { id, key } of resources) keysById.set(id, [...(keysById.get(id) ?? []), key]);
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const lookup = (reference: string): Lookup => {
    const keys = keysById.get(reference) ?? [reference];
    const resource = byKey.get(keys[0] ?? '');
    if (keys.length > 1) return { kind: 'ambiguous', keys };
    return resource === undefined ? { kind: 'unknown' } : { kind: 'found', resource };
  };
  return {
    revision: 1,
    all: () => resources,
    get: (key) => byKey.get(key),
    lookup,
    children: (packId) => resources.filter(({ parentId }) => parentId === packId),
    ancestors: () => [],
  };
}

function common(id: string, scope: Scope) {
  const dot = id.lastIndexOf('.');
  return {
    id,
    scope,
    key: `${scope.name}:${id}`,
    parentId: dot < 0 ? undefined : id.slice(0, dot),
    source: {
      path: `${scope.definitions}/${id}.yaml`,
      span: { start: 0, end: 30 },
      idSpan: { start: 11, end: 11 + id.length },
    },
    hash: '0',
    enabled: true,
  };
}

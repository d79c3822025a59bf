import type { Scope } from './models';
import type { Digest } from './ports';
import type { TypedDefinition } from './registry/definition-validator';
import { Registry } from './registry/registry';

/** A definition under its id. */
export interface MemoryDefinition {
  readonly id: string;
  readonly typed: TypedDefinition;
}

const SCOPE: Scope = { name: 'memory', kind: 'workspace', root: '/memory', definitions: '/memory/.capabilities' };
const NOWHERE = { start: 0, end: 0 };

/** A registry of definitions that come from no file, each as if it had one of its own. */
export function createMemoryRegistry(digest: Digest): Registry {
  const registry = new Registry(digest);
  registry.setScopes([SCOPE]);
  return registry;
}

/** Puts definitions into such a registry, or in the place of those with the same ids. */
export function setDefinitions(registry: Registry, definitions: readonly MemoryDefinition[]): void {
  for (const { id, typed } of definitions) {
    const parsed = { id, type: typed.type, span: NOWHERE, idSpan: NOWHERE, typed, references: [], secrets: [] };
    registry.update(`${SCOPE.definitions}/${id}.yaml`, SCOPE, { text: '', diagnostics: [], definitions: [parsed] });
  }
}

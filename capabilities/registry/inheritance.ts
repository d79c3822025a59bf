/** What resources get from the packs above them. */
import type { ActionDefinition, PackDefinition, PackDefaults, ResourceType } from '../models';
import type { TypedDefinition } from './definition-validator';
import { ancestorIds } from './scope-index';
import type { ScopeIndex } from './scope-index';

/** The defaults that reach a resource, and whether a pack above switches it off. */
export interface Inheritance {
  readonly defaults: PackDefaults;
  readonly isSwitchedOff: boolean;
}

/** Defaults that make sense for every type; the others are about running. */
const COMMON_KEYS: ReadonlySet<string> = new Set([
  'acl',
  'enabled',
  'feature_flag',
  'required_context',
  'required_credentials',
  'required_executors',
  'supported_os',
]);

/**
 * Collects the defaults of the packs above an id; the nearest pack wins, key by key. What a broken or duplicated pack would
 * have said can't be known, and may have been a restriction: everything below it is off until it is mended.
 */
export function inheritFor(index: ScopeIndex, id: string): Inheritance {
  let defaults: PackDefaults = {};
  let isSwitchedOff = false;
  for (const packId of ancestorIds(id)) {
    if (index.isUncertainPack(packId)) isSwitchedOff = true;
    const state = index.state(packId);
    if (state.kind !== 'defined' || state.claim.typed.type !== 'pack') continue;
    const pack = state.claim.typed.definition;
    if ((pack.enabled ?? defaults.enabled) === false) isSwitchedOff = true;
    defaults = { ...defaults, ...pack.defaults };
  }
  return { defaults, isSwitchedOff };
}

/** A definition with what the packs above state. */
export type EffectiveDefinition =
  Exclude<TypedDefinition, { type: 'action' }> | { readonly type: 'action'; readonly definition: ActionDefinition };

/** The definition with the inherited values filled in, and the rule for confirmations applied. */
export function applyInheritance(typed: TypedDefinition, defaults: PackDefaults): EffectiveDefinition {
  const inherited = pickFor(typed.type, defaults);
  if (typed.type !== 'action') {
    return { type: typed.type, definition: { ...inherited, ...typed.definition } } as EffectiveDefinition;
  }
  // Without a stated risk the worst is assumed; the file's diagnostics say that it is missing.
  const worst: Pick<ActionDefinition, 'risk_level'> = { risk_level: 'critical' };
  const definition: ActionDefinition = { ...worst, ...inherited, ...typed.definition };
  definition.requires_confirmation = mustConfirm(definition);
  return { type: 'action', definition };
}

/** What can't be undone is always confirmed; what others share is, unless the definition says otherwise. */
function mustConfirm({ side_effect, requires_confirmation }: ActionDefinition): boolean {
  if (side_effect === 'I') return true;
  return requires_confirmation ?? side_effect === 'W-shared';
}

function pickFor(type: ResourceType, defaults: PackDefaults): PackDefaults {
  if (type === 'action') return defaults;
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => COMMON_KEYS.has(key)));
}

/** Definition of a pack that only its children imply. */
export function implyPack(id: string): PackDefinition {
  const name = id.slice(id.lastIndexOf('.') + 1).replace(/[_-]+/g, ' ');
  return {
    pack_id: id,
    version: 1,
    title: name.charAt(0).toUpperCase() + name.slice(1),
    summary: `Everything below ${id}.`,
  };
}

/** What of a pack reaches the resources below it, as text that can be compared. */
export function describeReach(index: ScopeIndex, id: string): string {
  const state = index.state(id);
  const pack = state.kind === 'defined' && state.claim.typed.type === 'pack' ? state.claim.typed.definition : undefined;
  return JSON.stringify([index.isUncertainPack(id), pack?.enabled, pack?.defaults]);
}

import type { PackContent } from './pack-content';
import type { StoredApproval } from './approval-store';

/** How a pack differs from what was approved; names of items, sorted. */
export interface PackChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares a pack with its approval; undefined when nothing differs. Pure. */
export function findChanges(content: PackContent, approved: StoredApproval): PackChanges | undefined {
  const names = [...content.items.keys()];
  const changes = {
    changed: names.filter((name) => approved.items.has(name) && approved.items.get(name) !== content.items.get(name)),
    added: names.filter((name) => !approved.items.has(name)),
    removed: [...approved.items.keys()].filter((name) => !content.items.has(name)),
  };
  return Object.values(changes).every((list) => list.length === 0) ? undefined : changes;
}

import type { ListChild, PolicyService, Resource, ResourceResolver, RuntimeContext } from '../models';
import type { PackTree } from './pack-tree';
import { shownId } from './shown-id';

/** What a child's line is made from. */
export interface ListChildParts {
  readonly tree: PackTree;
  readonly policy: PolicyService;
  readonly resolver: ResourceResolver;
}

const SUMMARY_LENGTH = 160;

/** Cuts at a whole character, white space made single. */
function shortSummary(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/gu, ' ').trim());
  return characters.length <= SUMMARY_LENGTH
    ? characters.join('')
    : `${characters
        .slice(0, SUMMARY_LENGTH - 1)
        .join('')
        .trimEnd()}…`;
}

/** One line of a listing: never a schema. */
export function describeChild(resource: Resource, parts: ListChildParts, context: RuntimeContext): ListChild {
  const { availability } = parts.policy.availability(resource, context);
  return {
    resource_type: resource.type,
    resource_id: shownId(resource, parts.resolver, context),
    title: resource.definition.title,
    summary: shortSummary(resource.definition.summary),
    ...(resource.type === 'action'
      ? { side_effect: resource.definition.side_effect, risk_level: resource.definition.risk_level }
      : {}),
    ...(resource.type !== 'pack' || availability !== 'available' ? { availability } : {}),
    ...(resource.type === 'pack' ? { child_counts: parts.tree.counts(resource, context) } : {}),
  };
}

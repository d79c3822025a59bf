import type { Resource, ResourceResolver, RuntimeContext } from '../models';

/** The bare id where it means exactly this resource to the caller, else the id with its scope. */
export function shownId(resource: Resource, resolver: ResourceResolver, context: RuntimeContext): string {
  const found = resolver.resolve(resource.id, context);
  return found.ok && found.value.key === resource.key ? resource.id : resource.key;
}

/** Turns what a caller sent as an id into a resource it may know of. */
import type {
  PolicyService,
  Problem,
  Resource,
  ResourceResolver as ResourceResolverContract,
  Result,
  RuntimeContext,
} from '../models';
import { findNearestNames } from './nearest-names';
import type { Registry } from './registry';

/** Ids that are suggested for an unknown one. */
const MAX_SUGGESTIONS = 3;
/** Longer text is no id and is not repeated in a message. */
const MAX_ID_LENGTH = 300;

/** Resolves ids. What the caller may not discover answers exactly like what does not exist. */
export class ResourceResolver implements ResourceResolverContract {
  readonly #registry: Registry;
  readonly #policy: PolicyService;

  constructor(registry: Registry, policy: PolicyService) {
    this.#registry = registry;
    this.#policy = policy;
  }

  resolve(reference: string, context: RuntimeContext): Result<Resource> {
    const wanted = reference.trim();
    const claimants = this.#registry.claimants(wanted);
    const isVisible = (resource: Resource): boolean => this.#policy.may('discover', resource, context);
    // Of two definitions with one id, a hidden one hides the clash: its file must not be named.
    const hidden = new Set(claimants.filter((claimant) => !isVisible(claimant)).map(({ key }) => key));
    const visible = claimants.filter(({ key }) => !hidden.has(key));
    const [first] = visible;
    if (!first) return { ok: false, problem: this.#describeUnknown(wanted, isVisible) };
    const keys = [...new Set(visible.map(({ key }) => key))].sort();
    if (keys.length > 1) return { ok: false, problem: describeAmbiguous(wanted, keys) };
    if (visible.length > 1) return { ok: false, problem: describeDuplicate(first.id, visible) };
    return { ok: true, value: first };
  }

  #describeUnknown(wanted: string, isVisible: (resource: Resource) => boolean): Problem {
    if (wanted === '' || wanted.length > MAX_ID_LENGTH) {
      const message =
        'A resource id is needed, for example "maintenance.codex.diagnose". Find one with capability_search.';
      return { code: 'unknown_resource', message, retryable: false };
    }
    const names = this.#registry
      .all()
      .filter(isVisible)
      .map(({ id }) => id);
    const suggestions = findNearestNames(wanted, new Set(names), MAX_SUGGESTIONS);
    const advice =
      suggestions.length > 0
        ? `Did you mean ${suggestions.join(' or ')}?`
        : 'Find the right id with capability_search.';
    const message = `There is no resource "${wanted}". ${advice}`;
    const problem: Problem = { code: 'unknown_resource', message, retryable: false };
    return suggestions.length > 0 ? { ...problem, did_you_mean: [...suggestions] } : problem;
  }
}

function describeAmbiguous(wanted: string, keys: readonly string[]): Problem {
  const message = `"${wanted}" stands in several scopes. Call it ${keys.map((key) => `"${key}"`).join(' or ')}.`;
  return { code: 'invalid_request', message, retryable: false, did_you_mean: [...keys] };
}

function describeDuplicate(id: string, definitions: readonly Resource[]): Problem {
  const places = [...new Set(definitions.flatMap(({ source }) => source?.path ?? []))].sort();
  const message = `"${id}" is defined ${definitions.length} times (${places.join(', ')}), so that none of the definitions can be used. The user has to rename or remove all but one.`;
  return { code: 'invalid_request', message, retryable: false };
}

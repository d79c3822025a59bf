import type {
  AvailabilityReport,
  GatheredCandidate,
  PolicyService,
  Resource,
  ResourceType,
  RuntimeContext,
  SearchInput,
  SideEffect,
} from '../models';

const EFFECT_ORDER: readonly SideEffect[] = ['R', 'W-local', 'W-shared', 'I'];

/** Limits that the request itself sets. */
export interface RequestLimits {
  readonly within: Resource | undefined;
  readonly types: readonly ResourceType[] | undefined;
  readonly sideEffectMax: SearchInput['side_effect_max'];
}

/** A candidate that may be shown, with whether it can be used here and now. */
export interface AdmittedCandidate {
  readonly candidate: GatheredCandidate;
  readonly report: AvailabilityReport;
}

/** The hard filter before recall, and what it has left out so far. */
export interface Admission {
  admits(resource: Resource): boolean;
  /** How many distinct resources were left out, by reason. What may not be discovered is not counted. */
  counts(): Readonly<Record<string, number>>;
}

/** Keeps out what must not or can't be shown, in two layers (§14): before recall by fixed properties, after gathering by the state of things. */
export class PolicyFilter {
  readonly #policy: PolicyService;

  constructor(policy: PolicyService) {
    this.#policy = policy;
  }

  /** Layer one: discover permission, scope, kind, effect, enabled, operating system. */
  admission(limits: RequestLimits, context: RuntimeContext): Admission {
    const decided = new Map<string, string | undefined>();
    const decide = (resource: Resource): string | undefined => {
      if (!decided.has(resource.key)) decided.set(resource.key, this.#reasonAgainst(resource, limits, context));
      return decided.get(resource.key);
    };
    return {
      admits: (resource) => decide(resource) === undefined,
      counts: () => countReasons([...decided.values()]),
    };
  }

  /** Layer two: asks the policy service again about each candidate; unusable ones stay, marked, unless they are switched off or foreign to this system. */
  filter(candidates: readonly GatheredCandidate[], context: RuntimeContext): readonly AdmittedCandidate[] {
    return candidates.flatMap((candidate) => {
      if (!this.#policy.may('discover', candidate.resource, context)) return [];
      const report = this.#policy.availability(candidate.resource, context);
      const isOut = report.availability === 'disabled' || report.availability === 'unsupported_os';
      return isOut ? [] : [{ candidate, report }];
    });
  }

  #reasonAgainst(resource: Resource, limits: RequestLimits, context: RuntimeContext): string | undefined {
    if (!this.#policy.may('discover', resource, context)) return UNDISCOVERABLE;
    if (limits.within !== undefined && !isBelow(resource, limits.within)) return 'outside_scope';
    if (limits.types !== undefined && limits.types.length > 0 && !limits.types.includes(resource.type))
      return 'other_type';
    if (isStronger(resource, limits.sideEffectMax)) return 'stronger_effect';
    if (!resource.enabled) return 'disabled';
    const systems = resource.definition.supported_os;
    return systems !== undefined && !systems.includes(context.os) ? 'unsupported_os' : undefined;
  }
}

const UNDISCOVERABLE = 'undiscoverable';

function countReasons(reasons: readonly (string | undefined)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reason of [...reasons].sort()) {
    if (reason !== undefined && reason !== UNDISCOVERABLE) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function isBelow(resource: Resource, pack: Resource): boolean {
  return resource.scope.name === pack.scope.name && resource.id.startsWith(`${pack.id}.`);
}

function isStronger(resource: Resource, limit: SideEffect | undefined): boolean {
  if (limit === undefined || resource.type !== 'action') return false;
  return EFFECT_ORDER.indexOf(resource.definition.side_effect) > EFFECT_ORDER.indexOf(limit);
}

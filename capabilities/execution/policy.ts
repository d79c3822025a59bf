import type {
  ActionResource,
  Availability,
  AvailabilityReport,
  EnvironmentFacts,
  Permission,
  PolicyService,
  Resource,
  RuntimeContext,
} from '../models';
import { decideByRules, type PolicySource, type RuleCase, type RuleDecision } from './policy-rules/policy-tiers';

interface Finding {
  readonly availability: Exclude<Availability, 'available'>;
  readonly reason: string;
}

/** The policy as the execution asks it: with the arguments of one call. */
export interface ExecutionPolicy extends PolicyService {
  /** What the rules say of one call, its arguments known. */
  ruling(resource: ActionResource, context: RuntimeContext, args: Readonly<Record<string, unknown>>): RuleDecision;
}

const systemNames = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const;

/**
 * Access lists, rules, feature flags, switches, environment and workspace trust. The three permissions are independent of each
 * other. An access list that is left out is open; an empty one admits nobody.
 */
export class Policy implements ExecutionPolicy {
  readonly #facts: EnvironmentFacts;
  readonly #source: PolicySource;

  /** @param source rules beside the access lists; none when left out. */
  constructor(facts: EnvironmentFacts, source: PolicySource = { tiersFor: () => [] }) {
    this.#facts = facts;
    this.#source = source;
  }

  may(permission: Permission, resource: Resource, context: RuntimeContext): boolean {
    const flag = resource.definition.feature_flag;
    if (flag !== undefined && !context.featureFlags.has(flag)) return false;
    const list = resource.definition.acl?.[permission];
    const isListed = list === undefined || list.some((entry) => entry === '*' || context.principals.includes(entry));
    return isListed && this.#decide({ permission, resource, context }).effect !== 'deny';
  }

  ruling(resource: ActionResource, context: RuntimeContext, args: Readonly<Record<string, unknown>>): RuleDecision {
    return this.#decide({ permission: 'execute', resource, context, arguments: args });
  }

  #decide(asked: RuleCase): RuleDecision {
    return decideByRules(this.#source.tiersFor(asked.resource), asked);
  }

  /**
   * Checks, in this order: switched on, execute, operating system, programs, credentials, context, workspace trust,
   * describe. Describe comes last because an action that may not be described may still be run.
   */
  availability(resource: Resource, context: RuntimeContext): AvailabilityReport {
    const findings = [
      ...checkSwitch(resource),
      ...(resource.type === 'action' ? this.#checkExecute(resource, context) : []),
      ...checkSystem(resource, context),
      ...this.#checkExecutors(resource),
      ...this.#checkCredentials(resource),
      ...this.#checkContext(resource),
      ...checkTrust(resource, context),
      ...this.#checkDescribe(resource, context),
    ];
    return {
      availability: findings[0]?.availability ?? 'available',
      reasons: findings.map((finding) => finding.reason),
    };
  }

  #checkExecute(resource: ActionResource, context: RuntimeContext): readonly Finding[] {
    if (this.may('execute', resource, context)) return [];
    const { effect, by = '', reason: why } = this.#decide({ permission: 'execute', resource, context });
    const reason =
      effect === 'deny'
        ? `A policy refuses it (${by}${why === undefined ? '' : `: ${why}`}).`
        : 'You do not have permission to execute it; someone who may change its access list (`acl.execute`) has to grant it.';
    return [{ availability: 'execute_denied', reason }];
  }

  #checkDescribe(resource: Resource, context: RuntimeContext): readonly Finding[] {
    if (this.may('describe', resource, context)) return [];
    const reason =
      'You do not have permission to read its contract; someone who may change its access list (`acl.describe`) has to grant it.';
    return [{ availability: 'describe_denied', reason }];
  }

  #checkExecutors(resource: Resource): readonly Finding[] {
    const missing = (resource.definition.required_executors ?? []).filter((name) => !this.#facts.hasExecutor(name));
    return missing.map((name) => ({
      availability: 'missing_executor',
      reason: `The program "${name}" is not on PATH; install it, or start the editor where it is on PATH.`,
    }));
  }

  #checkCredentials(resource: Resource): readonly Finding[] {
    const missing = (resource.definition.required_credentials ?? []).filter((name) => !this.#facts.hasCredential(name));
    return missing.map((name) => ({
      availability: 'missing_credential',
      reason: `It needs the credential "${name}", and this version can't hold credentials yet. Never ask for its value in the conversation.`,
    }));
  }

  #checkContext(resource: Resource): readonly Finding[] {
    const required = resource.definition.required_context ?? [];
    const missing = required.filter((requirement) => !this.#facts.hasContext(requirement, resource.scope));
    return missing.map((requirement) => ({ availability: 'missing_context', reason: describeContext(requirement) }));
  }
}

function checkSwitch(resource: Resource): readonly Finding[] {
  if (resource.enabled) return [];
  return [
    {
      availability: 'disabled',
      reason: 'It, or a pack above it, is switched off (`enabled: false` in its definition).',
    },
  ];
}

function checkSystem(resource: Resource, context: RuntimeContext): readonly Finding[] {
  const supported = resource.definition.supported_os;
  if (supported === undefined || supported.includes(context.os)) return [];
  const names = supported.map((os) => systemNames[os]).join(', ');
  return [
    {
      availability: 'unsupported_os',
      reason: `It works on ${names} only; this machine runs ${systemNames[context.os]}.`,
    },
  ];
}

/** The user's own packs are trusted as the user's; a workspace is trusted when the user has said so. */
function checkTrust(resource: Resource, context: RuntimeContext): readonly Finding[] {
  if (resource.type !== 'action' || resource.scope.kind === 'user' || context.workspaceTrusted) return [];
  return [
    {
      availability: 'workspace_untrusted',
      reason: 'The workspace is not trusted; the user has to trust it before anything in it may run.',
    },
  ];
}

function describeContext(requirement: string): string {
  if (requirement === 'git_repository') return 'The workspace folder is not in a Git repository; open one that is.';
  return `The file "${requirement.slice('file:'.length)}" does not exist in the workspace folder; create it or open the right folder.`;
}

import type {
  ActionResource,
  FrozenPlan,
  Problem,
  RegistryView,
  ResourceResolver,
  Result,
  RunInput,
  RuntimeContext,
} from '../models';
import type { ArgumentValidator } from './argument-validation';
import type { ExecutionPlanner } from './execution-plan';
import type { ExecutionPolicy } from './policy';
import {
  changedSincePlan,
  deniedByPolicy,
  invalidArguments,
  notAnAction,
  notAvailable,
  versionConflict,
} from './problems';

/** A call whose target, arguments and permissions are settled. */
export interface AuthorizedRun {
  readonly resource: ActionResource;
  readonly plan: FrozenPlan;
}

/** Why a call was refused; the resource when it was found. */
export interface Refusal {
  readonly problem: Problem;
  readonly resource: ActionResource | undefined;
}

/** All that a caller learns who may not read the contract. */
const unsaidDifference = { pointer: '', message: 'do not fit the contract, which you do not have permission to read' };

/** What the decision needs. */
export interface AuthorizationParts {
  readonly resolver: ResourceResolver;
  readonly registry: RegistryView;
  readonly policy: ExecutionPolicy;
  readonly validator: ArgumentValidator;
  readonly planner: ExecutionPlanner;
}

/**
 * The steps before confirmation, in their fixed order: id, definition, version, arguments, access list, environment, workspace
 * trust, plan. Whatever a search said is decided again here, on the resolved target.
 */
export class RunAuthorization {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  /** Settles the call or names the first step that refuses it. */
  async authorize(input: RunInput, context: RuntimeContext): Promise<Result<AuthorizedRun, Refusal>> {
    const found = this.#findAction(input, context);
    if (!found.ok) return { ok: false, problem: { problem: found.problem, resource: undefined } };
    const resource = found.value;
    const refuse = (problem: Problem): Result<never, Refusal> => ({
      ok: false,
      problem: { problem: this.#withHelp(problem, resource, input, context), resource },
    });
    const asked = input.action_version;
    if (asked !== undefined && asked !== resource.definition.version) return refuse(versionConflict(resource, asked));
    const valid = this.#parts.validator.validate(resource, input.arguments);
    if (!valid.ok) return refuse(valid.problem);
    const obstacle = this.#findObstacle(resource, context);
    if (obstacle !== undefined) return refuse(obstacle);
    const ruling = this.#parts.policy.ruling(resource, context, valid.value);
    if (ruling.effect === 'deny') return refuse(deniedByPolicy(resource.id, describeRule(ruling)));
    const askedByPolicy = ruling.effect === 'ask' ? describeRule(ruling) : undefined;
    const plan = await this.#parts.planner.plan({ resource, arguments: valid.value, context, askedByPolicy });
    return plan.ok ? { ok: true, value: { resource, plan: plan.value } } : refuse(plan.problem);
  }

  /** The same decisions after a wait: the contract may have changed, and so may the permission to run it. */
  findChange(run: AuthorizedRun, context: RuntimeContext): Problem | undefined {
    const current = this.#parts.registry.get(run.resource.key);
    const isSame = current?.type === 'action' && current.hash === run.plan.definitionHash;
    if (!isSame) return changedSincePlan(run.plan, 'The definition');
    const obstacle = this.#findObstacle(current, context);
    if (obstacle !== undefined) return obstacle;
    const ruling = this.#parts.policy.ruling(current, context, run.plan.arguments);
    if (ruling.effect === 'deny') return deniedByPolicy(current.id, describeRule(ruling));
    const isNewlyAsked = ruling.effect === 'ask' && !run.plan.requiresConfirmation;
    return isNewlyAsked ? changedSincePlan(run.plan, 'The policy') : undefined;
  }

  #findAction(input: RunInput, context: RuntimeContext): Result<ActionResource> {
    const resolved = this.#parts.resolver.resolve(input.action_id, context);
    if (!resolved.ok) return resolved;
    const resource = resolved.value;
    if (resource.type === 'action') return { ok: true, value: resource };
    return { ok: false, problem: notAnAction(resource.id, resource.type) };
  }

  /** `describe_denied` is no obstacle: what may not be described may still be run. */
  #findObstacle(resource: ActionResource, context: RuntimeContext): Problem | undefined {
    const { availability, reasons } = this.#parts.policy.availability(resource, context);
    if (!this.#parts.policy.may('execute', resource, context) && availability !== 'disabled') {
      return notAvailable(resource.id, 'execute_denied', ['you do not have permission to execute it.']);
    }
    const isRunnable = availability === 'available' || availability === 'describe_denied';
    return isRunnable ? undefined : notAvailable(resource.id, availability, reasons);
  }

  /** A schema is disclosed to those who may describe, and to nobody else: its messages name arguments and allowed values too. */
  #withHelp(problem: Problem, resource: ActionResource, input: RunInput, context: RuntimeContext): Problem {
    if (problem.code !== 'invalid_arguments') return problem;
    if (!this.#parts.policy.may('describe', resource, context))
      return invalidArguments(resource.id, [unsaidDifference]);
    return invalidArguments(resource.id, problem.problems ?? [], this.#parts.validator.help(resource, input.arguments));
  }
}

function describeRule({ by = 'policy', reason }: ReturnType<ExecutionPolicy['ruling']>): string {
  return reason === undefined ? by : `${by}: ${reason}`;
}

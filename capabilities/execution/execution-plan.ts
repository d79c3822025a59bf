import { canonicalJson } from '../canonical-json';
import type { ActionDefinition, FrozenPlan, Handler, IsolationLimits, Result } from '../models';
import type { Digest, Machine } from '../ports';
import type { ActionHandler, HandlerRequest, PreparedCommand } from './action-handler';
import { deepFreeze } from './deep-freeze';
import type { IsolationPlanner } from './isolation/isolation-planner';
import { fillTemplate, templateScope } from './template-filling';
import { timeoutMilliseconds } from './timeout-duration';

/** The handlers by type; the compiler says when one is missing. */
export type HandlerTable = Readonly<Record<Handler['type'], ActionHandler>>;

/** What the planner works with. */
export interface PlannerParts {
  readonly handlers: HandlerTable;
  readonly digest: Digest;
  readonly machine: Machine;
  readonly isolation: Pick<IsolationPlanner, 'plan'>;
}

/** Turns a validated call into the frozen plan: what is shown, confirmed, hashed and run. */
export class ExecutionPlanner {
  readonly #handlers: HandlerTable;
  readonly #digest: Digest;
  readonly #machine: Machine;
  readonly #isolation: PlannerParts['isolation'];

  constructor({ handlers, digest, machine, isolation }: PlannerParts) {
    this.#handlers = handlers;
    this.#digest = digest;
    this.#machine = machine;
    this.#isolation = isolation;
  }

  /**
   * Builds the plan; starts nothing. Fails with `invalid_arguments`, `missing_executor`, `missing_context`,
   * `missing_credential`, `isolation_unavailable`, or `execution_failed` when the definition itself is at fault.
   */
  async plan(request: HandlerRequest): Promise<Result<FrozenPlan>> {
    const { definition } = request.resource;
    const prepared = await this.#handlers[definition.handler.type].prepare(request);
    if (!prepared.ok) return prepared;
    const declared = { network: definition.network_policy ?? 'none', write: writablePlaces(definition) } as const;
    const isolation = await this.#isolation.plan(request.resource, declared);
    return isolation.ok ? { ok: true, value: this.#freeze(request, prepared.value, isolation.value) } : isolation;
  }

  #freeze(request: HandlerRequest, prepared: PreparedCommand, isolation: IsolationLimits | undefined): FrozenPlan {
    const { resource } = request;
    const { definition } = resource;
    const canonicalArguments = canonicalJson(request.arguments);
    const plan: Omit<FrozenPlan, 'planHash'> = {
      key: resource.key,
      actionId: resource.id,
      version: definition.version,
      definitionHash: resource.hash,
      title: definition.title,
      sideEffect: definition.side_effect,
      riskLevel: definition.risk_level,
      reversible: definition.reversible,
      scope: { ...resource.scope },
      // A copy: the caller's object may change, the plan may not.
      arguments: JSON.parse(canonicalArguments) as Record<string, unknown>,
      argumentsHash: this.#digest.sha256(canonicalArguments),
      ...prepared,
      network: structuredClone(definition.network_policy ?? 'none'),
      write: [...writablePlaces(definition)],
      isolation,
      affectedResources: this.#affectedResources(request),
      timeoutMs: timeoutMilliseconds(definition.timeout),
      // Where nothing enforces the limits, a person decides each time.
      requiresConfirmation:
        needsConfirmation(definition) || isolation === undefined || request.askedByPolicy !== undefined,
      askedByPolicy: request.askedByPolicy,
    };
    return deepFreeze({ ...plan, planHash: this.#digest.sha256(canonicalJson(plan)) });
  }

  /** A template whose argument is not given is shown as it is written: hiding it would hide an effect. */
  #affectedResources(request: HandlerRequest): readonly string[] {
    const scope = templateScope(request.resource, request.arguments, this.#machine);
    return (request.resource.definition.affected_resources ?? []).map((template) => {
      const filled = fillTemplate(template, scope);
      return filled.ok ? filled.value : template;
    });
  }
}

/** Whether a person must confirm each run: always for `I`, by default for `W-shared`, else when the definition says so. */
export function needsConfirmation(definition: ActionDefinition): boolean {
  if (definition.side_effect === 'I') return true;
  return definition.requires_confirmation ?? definition.side_effect === 'W-shared';
}

function writablePlaces(definition: ActionDefinition): readonly string[] {
  return definition.filesystem?.write ?? (definition.side_effect === 'W-local' ? ['.'] : []);
}

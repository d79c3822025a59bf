import type {
  ActionReference,
  ActionResource,
  DescribeInput,
  DescribeReply,
  ErrorReply,
  NextStep,
  PolicyService,
  Problem,
  RecipeResource,
  RegistryView,
  Resource,
  ResourceResolver,
  RuntimeContext,
} from '../models';
import { describeChild } from './list-child';
import { normalizeSchema } from './normalize-schema';
import { PackTree } from './pack-tree';
import { shownId } from './shown-id';

const DEFAULT_TIMEOUT_SECONDS = 60;
const CHILDREN_SHOWN = 50;

/** Answers capability_describe: the full contract of one resource, the only place where a schema is disclosed. */
export class DescribeService {
  readonly #registry: RegistryView;
  readonly #policy: PolicyService;
  readonly #resolver: ResourceResolver;
  readonly #tree: PackTree;

  constructor(registry: RegistryView, policy: PolicyService, resolver: ResourceResolver) {
    this.#registry = registry;
    this.#policy = policy;
    this.#resolver = resolver;
    this.#tree = new PackTree(registry, policy);
  }

  /** Fails with `unknown_resource`, `invalid_request` (the id stands in several scopes), `describe_denied` or `version_conflict`. */
  describe(input: DescribeInput, context: RuntimeContext): DescribeReply | ErrorReply {
    const found = this.#resolver.resolve(input.resource_id.trim(), context);
    if (!found.ok) return { status: 'error', ...found.problem };
    const resource = found.value;
    const id = shownId(resource, this.#resolver, context);
    if (!this.#policy.may('describe', resource, context)) return { status: 'error', ...describeDenied(id) };
    const { version } = resource.definition;
    if (input.version !== undefined && input.version !== version) {
      return { status: 'error', ...versionConflict(id, input.version, version) };
    }
    return { ...this.#commonFacts(resource, id, context), ...this.#ownFacts(resource, id, context) };
  }

  #commonFacts(resource: Resource, id: string, context: RuntimeContext): DescribeReply {
    const { definition } = resource;
    const { availability, reasons } = this.#policy.availability(resource, context);
    const conventions = this.#conventions(resource, context);
    return {
      resource_type: resource.type,
      resource_id: id,
      ...(resource.type === 'action' ? { action_id: id } : {}),
      version: definition.version,
      title: definition.title,
      summary: definition.summary,
      ...(definition.when_to_use === undefined ? {} : { when_to_use: definition.when_to_use }),
      ...(definition.when_not_to_use === undefined ? {} : { when_not_to_use: definition.when_not_to_use }),
      ...(conventions.length === 0 ? {} : { conventions }),
      availability,
      ...(reasons.length === 0 ? {} : { availability_reasons: [...reasons] }),
    };
  }

  /** Rules of the packs above, outermost first; a pack's own come last. */
  #conventions(resource: Resource, context: RuntimeContext): string[] {
    const packs = [...this.#registry.ancestors(resource), ...(resource.type === 'pack' ? [resource] : [])];
    return packs
      .filter((pack) => this.#policy.may('discover', pack, context))
      .flatMap((pack) => pack.definition.conventions?.trim() ?? []);
  }

  #ownFacts(resource: Resource, id: string, context: RuntimeContext): Partial<DescribeReply> {
    switch (resource.type) {
      case 'action':
        return {
          ...actionContract(resource),
          ...this.#actionLinks(resource, context),
          ...this.#runStep(resource, id, context),
        };
      case 'recipe':
        return this.#recipeFacts(resource, context);
      case 'pack': {
        const parts = { tree: this.#tree, policy: this.#policy, resolver: this.#resolver };
        const children = this.#tree.below(resource, 1, context).slice(0, CHILDREN_SHOWN);
        return {
          children: children.map((child) => describeChild(child, parts, context)),
          next_step: { tool: 'capability_list', arguments: { within: id } },
        };
      }
    }
  }

  /** References to what the caller may not discover are left out. */
  #actionLinks({ definition }: ActionResource, context: RuntimeContext): Partial<DescribeReply> {
    const isVisible = (reference: ActionReference): boolean => this.#isVisible(idOf(reference), context);
    const verify = (definition.verify ?? []).filter(isVisible);
    const next = (definition.next_actions ?? []).filter(isVisible);
    return {
      ...(definition.undo !== undefined && isVisible(definition.undo) ? { undo: definition.undo } : {}),
      ...(verify.length === 0 ? {} : { verify }),
      ...(next.length === 0 ? {} : { next_actions: next }),
    };
  }

  #isVisible(id: string, context: RuntimeContext): boolean {
    return this.#resolver.resolve(id, context).ok;
  }

  #runStep(resource: ActionResource, id: string, context: RuntimeContext): { next_step?: NextStep } {
    if (this.#policy.availability(resource, context).availability !== 'available') return {};
    const { examples, version } = resource.definition;
    const step = { action_id: id, action_version: version, arguments: examples?.[0]?.arguments ?? {} };
    return { next_step: { tool: 'capability_run', arguments: step } };
  }

  #recipeFacts({ definition }: RecipeResource, context: RuntimeContext): Partial<DescribeReply> {
    const steps = (definition.steps ?? []).flatMap((step) => {
      if (typeof step === 'string' || this.#isVisible(step.action, context))
        return [typeof step === 'string' ? step : { ...step }];
      return step.why === undefined ? [] : [step.why];
    });
    const firstAction = steps.find((step) => typeof step !== 'string');
    const step: NextStep | undefined =
      firstAction === undefined
        ? undefined
        : { tool: 'capability_describe', arguments: { resource_id: firstAction.action } };
    return {
      ...(steps.length === 0 ? {} : { steps }),
      ...(definition.body === undefined ? {} : { body: definition.body }),
      ...(step === undefined ? {} : { next_step: step }),
    };
  }
}

function idOf(reference: ActionReference): string {
  return typeof reference === 'string' ? reference : reference.action;
}

function timeoutText(timeout: number | string | undefined): string {
  return typeof timeout === 'string' ? timeout : `${timeout ?? DEFAULT_TIMEOUT_SECONDS}s`;
}

function actionContract({ definition }: ActionResource): Partial<DescribeReply> {
  const { side_effect: effect, examples } = definition;
  const isConfirmed = effect === 'I' || (definition.requires_confirmation ?? effect === 'W-shared');
  return {
    arguments_schema: normalizeSchema(definition.arguments_schema),
    ...(definition.output_schema === undefined ? {} : { output_schema: normalizeSchema(definition.output_schema) }),
    ...(definition.produces === undefined ? {} : { produces: definition.produces }),
    side_effect: effect,
    risk_level: definition.risk_level,
    requires_confirmation: isConfirmed,
    ...(definition.reversible === undefined ? {} : { reversible: definition.reversible }),
    ...(definition.affected_resources === undefined ? {} : { affected_resources: definition.affected_resources }),
    timeout: timeoutText(definition.timeout),
    network_policy: definition.network_policy ?? 'none',
    ...(definition.filesystem === undefined ? {} : { filesystem: definition.filesystem }),
    ...(examples === undefined ? {} : { examples: examples.map((example) => ({ ...example })) }),
  };
}

function describeDenied(id: string): Problem {
  return {
    code: 'describe_denied',
    message: `"${id}" may be found but its contract may not be read here. Choose another capability, or ask the user who may read it.`,
    retryable: false,
  };
}

function versionConflict(id: string, asked: number, current: number): Problem {
  return {
    code: 'version_conflict',
    message: `"${id}" is at version ${current}, not ${asked}. Call capability_describe without \`version\` and use what it says now.`,
    retryable: false,
    current_version: current,
    next_step: { tool: 'capability_describe', arguments: { resource_id: id } },
  };
}

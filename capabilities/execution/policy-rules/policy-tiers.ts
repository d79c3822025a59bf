import type { ActionResource, Permission, PolicyFile, PolicyRule, Resource, RuntimeContext } from '../../models';
import { isAbout, type PolicyQuestion } from './rule-matching';

/** A rule with its place in the file, from 1. */
interface NumberedRule {
  readonly rule: PolicyRule;
  readonly number: number;
}

/** Rules of one origin, sorted by what they are about: a search asks about every resource, and most rules are about runs. */
export class PolicyTier {
  readonly origin: 'user' | 'workspace';
  /** `broken`: there are rules, but they can't be read; then nothing runs that they might have forbidden. */
  readonly rules: PolicyFile | 'broken';
  readonly #byPermission = new Map<Permission, readonly NumberedRule[]>();

  constructor(origin: PolicyTier['origin'], rules: PolicyFile | 'broken') {
    this.origin = origin;
    this.rules = rules;
  }

  /** Those that may be about a permission. */
  rulesFor(permission: Permission): readonly NumberedRule[] {
    const known = this.#byPermission.get(permission);
    if (known !== undefined) return known;
    const all = this.rules === 'broken' ? [] : (this.rules.rules ?? []);
    const found = all
      .map((rule, index) => ({ rule, number: index + 1 }))
      .filter(({ rule }) => (rule.permissions ?? ['execute']).includes(permission));
    this.#byPermission.set(permission, found);
    return found;
  }
}

/** Where rules come from. Asked for each decision, so that a change holds at once. */
export interface PolicySource {
  tiersFor(resource: Resource): readonly PolicyTier[];
}

/** What the rules say. */
export interface RuleDecision {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** Which rule it was, for the record: `workspace rule 3`, `user default`; undefined when none spoke. */
  readonly by: string | undefined;
  /** Its reason, as its author wrote it. */
  readonly reason: string | undefined;
}

/** Who asks for what. */
export interface RuleCase {
  readonly permission: Permission;
  readonly resource: Resource;
  readonly context: RuntimeContext;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

const NO_RULE: RuleDecision = { effect: 'allow', by: undefined, reason: undefined };
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/**
 * The strictest decision of all tiers: no tier can widen what another has narrowed. Within a tier `deny` outweighs `ask` and `ask` outweighs
 * `allow`, in whatever order they stand; what no rule speaks of has the tier's default. Pure.
 */
export function decideByRules(
  tiers: readonly PolicyTier[],
  { permission, resource, context, ...call }: RuleCase,
): RuleDecision {
  if (tiers.length === 0) return NO_RULE;
  const question: PolicyQuestion = {
    ...{ permission, id: resource.id, principals: context.principals, host: context.host, arguments: call.arguments },
    sideEffect: resource.type === 'action' ? sideEffectOf(resource) : undefined,
    riskLevel: resource.type === 'action' ? resource.definition.risk_level : undefined,
  };
  return tiers.map((tier) => decideInTier(tier, question)).reduce(stricter, NO_RULE);
}

function decideInTier(tier: PolicyTier, question: PolicyQuestion): RuleDecision {
  const { origin, rules: file } = tier;
  if (file === 'broken') {
    const reason = `the ${origin === 'user' ? 'policy of the user' : 'policy file of the workspace'} has errors and can't be read`;
    return question.permission === 'execute' ? { effect: 'deny', by: `${origin} policy`, reason } : NO_RULE;
  }
  let found: RuleDecision | undefined;
  for (const { rule, number } of tier.rulesFor(question.permission)) {
    if (found !== undefined && STRICTNESS[rule.effect] <= STRICTNESS[found.effect]) continue;
    if (isAbout(rule, question)) found = { effect: rule.effect, by: `${origin} rule ${number}`, reason: rule.reason };
  }
  if (found !== undefined) return found;
  const effect = question.permission === 'execute' ? (file.default ?? 'allow') : 'allow';
  return effect === 'allow' ? NO_RULE : { effect, by: `${origin} default`, reason: undefined };
}

function stricter(one: RuleDecision, other: RuleDecision): RuleDecision {
  return STRICTNESS[other.effect] > STRICTNESS[one.effect] ? other : one;
}

function sideEffectOf({ definition }: ActionResource): ActionResource['definition']['side_effect'] {
  return definition.side_effect;
}

import type { HostName, Permission, PolicyRule, PolicyTest, RiskLevel, SideEffect } from '../../models';
import { fitsIdPattern } from './id-pattern';

/** What a rule is asked about. */
export interface PolicyQuestion {
  readonly permission: Permission;
  /** Id within its folder. */
  readonly id: string;
  /** Undefined for packs and recipes, which do nothing. */
  readonly sideEffect: SideEffect | undefined;
  readonly riskLevel: RiskLevel | undefined;
  readonly principals: readonly string[];
  readonly host: HostName;
  /** After defaults; undefined while they are not known, as in a search. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
}

const SIDE_EFFECTS: readonly SideEffect[] = ['R', 'W-local', 'W-shared', 'I'];
const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];

/** Whether a rule is about what is asked. A condition on arguments that are not known does not hold. Pure. */
export function isAbout(rule: PolicyRule, question: PolicyQuestion): boolean {
  const { permissions = ['execute'], resources, principals, hosts } = rule;
  return (
    permissions.includes(question.permission) &&
    (rule.effect !== 'ask' || question.permission === 'execute') &&
    (resources === undefined || resources.some((pattern) => fitsIdPattern(question.id, pattern))) &&
    (principals === undefined || principals.some((name) => question.principals.includes(name))) &&
    (hosts === undefined || hosts.includes(question.host)) &&
    isOnItsSide(rule.effect, rule.side_effect_max, question.sideEffect, SIDE_EFFECTS) &&
    isOnItsSide(rule.effect, rule.risk_max, question.riskLevel, RISKS) &&
    holdsCondition(rule, question)
  );
}

/** Whether a rule is about the call of a test that it carries. Pure. */
export function matchesTest(rule: PolicyRule, test: PolicyTest): boolean {
  return isAbout(rule, {
    ...{ permission: test.permission ?? 'execute', id: test.resource, host: test.host ?? 'vscode' },
    ...{ sideEffect: test.side_effect, riskLevel: test.risk_level, principals: test.principals ?? ['agent'] },
    arguments: test.arguments ?? {},
  });
}

/** `allow` is about what is up to the limit, the others about what is beyond it. What has no such level is never beyond. */
function isOnItsSide<Level>(
  effect: PolicyRule['effect'],
  limit: Level | undefined,
  level: Level | undefined,
  order: readonly Level[],
): boolean {
  if (limit === undefined) return true;
  const isBeyond = level !== undefined && order.indexOf(level) > order.indexOf(limit);
  return effect === 'allow' ? !isBeyond : isBeyond;
}

function holdsCondition({ when }: PolicyRule, question: PolicyQuestion): boolean {
  if (when === undefined) return true;
  const given = question.arguments;
  if (given === undefined || question.permission !== 'execute') return false;
  return Object.entries(when.arguments).every(([name, condition]) => {
    const isPresent = Object.hasOwn(given, name);
    const value = isPresent ? given[name] : undefined;
    const { equals, one_of: oneOf, starts_with: prefix, contains, present } = condition;
    return (
      (present === undefined || present === isPresent) &&
      (equals === undefined || value === equals) &&
      (oneOf === undefined || oneOf.some((each) => each === value)) &&
      (prefix === undefined || (typeof value === 'string' && value.startsWith(prefix))) &&
      (contains === undefined || holds(value, contains))
    );
  });
}

function holds(value: unknown, part: string): boolean {
  if (typeof value === 'string') return value.includes(part);
  return Array.isArray(value) && value.includes(part);
}

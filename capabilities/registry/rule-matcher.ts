import type { PolicyRule, PolicyTest } from '../models';

/** Whether a rule is about the call of a test. */
export type RuleMatcher = (rule: PolicyRule, test: PolicyTest) => boolean;

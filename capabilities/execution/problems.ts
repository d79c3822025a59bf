import type { ActionResource, Availability, ErrorCode, FrozenPlan, InputProblem, Problem } from '../models';
import { clipText } from './text-budget';

/** The reason in one sentence and the way out in the next; a model acts on nothing else. */
function problem(code: ErrorCode, message: string, extra: Partial<Problem> = {}): Problem {
  return { code, message, retryable: false, ...extra };
}

/** Only an action can be run. */
export function notAnAction(id: string, type: 'pack' | 'recipe'): Problem {
  const tool = type === 'pack' ? 'capability_list' : 'capability_describe';
  const argument = type === 'pack' ? { within: id } : { resource_id: id };
  const what =
    type === 'pack'
      ? 'a pack: list it and run one of its actions'
      : 'a recipe, a guide that is never executed: describe it and follow its steps';
  return problem('invalid_request', `"${id}" is ${what}.`, { next_step: { tool, arguments: argument } });
}

/** The caller pinned another version than the one that is registered. */
export function versionConflict(resource: ActionResource, asked: number): Problem {
  const current = resource.definition.version;
  return problem(
    'version_conflict',
    `You asked for version ${asked} of "${resource.id}", but version ${current} is registered. Describe it again: its contract changed.`,
    {
      current_version: current,
      next_step: { tool: 'capability_describe', arguments: { resource_id: resource.id } },
    },
  );
}

/** The definition or its script changed between the plan and the start. */
export function changedSincePlan(plan: FrozenPlan, what: string): Problem {
  return problem(
    'version_conflict',
    `${what} changed while the run of "${plan.actionId}" was being prepared, so nothing ran. Describe the action again and repeat the call.`,
    {
      retryable: true,
      next_step: { tool: 'capability_describe', arguments: { resource_id: plan.actionId } },
    },
  );
}

/** What a caller who may read the contract gets to correct its arguments. */
export interface ArgumentsHelp {
  readonly arguments_schema?: Record<string, unknown>;
  readonly corrected_example?: Record<string, unknown>;
}

/** The arguments do not fit. */
export function invalidArguments(id: string, problems: readonly InputProblem[], help: ArgumentsHelp = {}): Problem {
  const first = problems[0];
  const where =
    first === undefined
      ? ''
      : ` ${first.pointer === '' ? 'the arguments' : first.pointer} ${first.message.replace(/[.?]$/, '')}.`;
  const advice =
    help.arguments_schema === undefined
      ? 'Correct them and call again.'
      : 'Correct them by the schema and the example here and call again.';
  return problem('invalid_arguments', `The arguments do not fit "${id}".${where} ${advice}`, {
    problems: [...problems],
    ...help,
  });
}

/** The definition itself can't be carried out; only its author can mend it. */
export function brokenDefinition(id: string, reason: string): Problem {
  return problem(
    'execution_failed',
    `The definition of "${id}" can't be carried out: ${reason} Nothing ran. Tell the user; the definition file has to be corrected.`,
  );
}

/** Policy or the environment forbids the run. `reasons` name the way out. */
export function notAvailable(
  id: string,
  availability: Exclude<Availability, 'available'>,
  reasons: readonly string[],
): Problem {
  const retryable =
    availability !== 'execute_denied' && availability !== 'disabled' && availability !== 'unsupported_os';
  return problem(availability, `"${id}" can't run here: ${reasons.join(' ')} Nothing ran.`, { retryable });
}

/** A dry run by someone who may run the action, but not read how it works. */
export function planDenied(id: string): Problem {
  return problem(
    'describe_denied',
    `The plan of "${id}" shows its contract, which you do not have permission to read. Nothing ran. Without dry_run the call may be run.`,
  );
}

/** A program is not on PATH. */
export function missingExecutor(id: string, program: string): Problem {
  return notAvailable(id, 'missing_executor', [
    `the program "${program}" was not found on PATH; install it or correct the definition.`,
  ]);
}

/** A rule forbids this call. */
export function deniedByPolicy(id: string, rule: string): Problem {
  return problem(
    'execute_denied',
    `A policy refuses this call of "${id}" (${clipText(rule, 400)}). Nothing ran. Do not try to get around it; tell the user.`,
  );
}

/** The user's limit on runs is used up. */
export function budgetExceeded(id: string, limit: string, resetsInSeconds: number): Problem {
  const minutes = Math.ceil(resetsInSeconds / 60);
  return problem(
    'budget_exceeded',
    `"${id}" was refused: the limit of ${limit} is used up. Nothing ran. Some of it is free again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}; the user can raise it (setting \`capabilities.budget\`). Do not retry before; go on with what needs no run, or tell the user.`,
    { retryable: true },
  );
}

/** Nobody has approved the pack as it is now. */
export function packNotApproved(id: string, packId: string, reason: string): Problem {
  return problem(
    'pack_not_approved',
    `The pack "${packId}" of "${id}" is not approved. ${reason} Nothing ran. You can't approve it: tell the user, who is asked at the next run in the editor, or approves it with \`capability approve ${packId}\` in a terminal.`,
    { retryable: reason !== 'The user did not approve it.' },
  );
}

/** The run's limits can't be enforced here, and the user has not allowed runs without. */
export function isolationUnavailable(id: string, reason: string, fix: string): Problem {
  return problem(
    'isolation_unavailable',
    `"${id}" was refused: this machine can't isolate it. ${reason} Nothing ran. Tell the user: ${fix} \`capability doctor\` shows what is missing.`,
  );
}

/** A person said no. */
export function confirmationDeclined(id: string): Problem {
  return problem(
    'confirmation_declined',
    `The user declined to run "${id}". Nothing ran. Do not repeat the call; ask the user what they want instead.`,
  );
}

/** The token was not approved, or belongs to another call. */
export function confirmationRequired(id: string, reason: string): Problem {
  return problem(
    'confirmation_required',
    `${reason} Nothing ran. "${id}" runs only after a person has confirmed exactly this call; you can't confirm for them. Repeat the call with its token once they have, or without a token to ask anew.`,
    { retryable: true },
  );
}

/** The token's time is over, or it was used. */
export function confirmationExpired(id: string, reason: string): Problem {
  return problem(
    'confirmation_expired',
    `${reason} Nothing ran. Call "${id}" again without a token to ask for a new confirmation.`,
    { retryable: true },
  );
}

/** The caller withdrew before anything ran. */
export function cancelledBeforeStart(id: string): Problem {
  return problem('cancelled', `The call of "${id}" was cancelled before it started. Nothing ran.`, { retryable: true });
}

/** No audit, no write. */
export function auditUnavailable(id: string): Problem {
  return problem(
    'internal',
    `The audit log can't be written, so "${id}", which is not read-only, was refused. Nothing ran. Ask the user to check the free space and the permissions of the data folder.`,
    { retryable: true },
  );
}

/** A bug or a broken machine; the reason is for the user, the model can only try again. */
export function internalProblem(reason: string): Problem {
  return problem(
    'internal',
    `An internal error stopped the call: ${clipText(reason, 300)} Try once more; if it stays, tell the user to look at the log.`,
    { retryable: true },
  );
}

import type { ExecutionPlan, FrozenPlan } from '../models';
import { jsonBytes } from './text-budget';

/** Longest text and longest list shown, from generous to small; the first that fits is used. */
const sizes = [
  { text: 4_000, items: 256 },
  { text: 1_000, items: 64 },
  { text: 300, items: 24 },
  { text: 100, items: 10 },
  { text: 40, items: 5 },
  { text: 16, items: 2 },
] as const;

/** No fewer keys of a map are shown than the plan itself has. */
const planKeys = 16;

/** The plan as a reply shows it, in at most about `budget` bytes of JSON. What is left out is counted in its place. */
export function planReply(
  plan: FrozenPlan,
  budget: number,
): { readonly plan: ExecutionPlan; readonly isShortened: boolean } {
  const whole = describePlan(plan);
  if (jsonBytes(whole) <= budget) return { plan: whole, isShortened: false };
  let shown = whole;
  for (const size of sizes) {
    shown = shrink(whole, size) as ExecutionPlan;
    if (jsonBytes(shown) <= budget) break;
  }
  return { plan: shown, isShortened: true };
}

function describePlan(plan: FrozenPlan): ExecutionPlan {
  return {
    command: [...plan.argv],
    ...(plan.script === undefined ? {} : { script: plan.script }),
    cwd: plan.cwd,
    // A script's input is its arguments, which stand below.
    ...(plan.stdin === undefined || plan.script !== undefined ? {} : { stdin: plan.stdin }),
    network: structuredClone(plan.network),
    write: [...plan.write],
    environment: Object.keys(plan.environment),
    timeout_ms: plan.timeoutMs,
    arguments: structuredClone(plan.arguments),
    affected_resources: [...plan.affectedResources],
    requires_confirmation: plan.requiresConfirmation,
    isolated: plan.isolation !== undefined,
  };
}

interface Size {
  readonly text: number;
  readonly items: number;
}

function shrink(value: unknown, size: Size): unknown {
  if (typeof value === 'string') return shrinkText(value, size.text);
  if (Array.isArray(value)) {
    const shown = value.slice(0, size.items).map((item) => shrink(item, size));
    return value.length > size.items ? [...shown, `… and ${value.length - size.items} more`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(shrinkEntries(Object.entries(value), size));
}

/** The keys of the plan itself are few; those of the arguments may be thousands. */
function shrinkEntries(entries: readonly [string, unknown][], size: Size): readonly [string, unknown][] {
  const most = Math.max(size.items, planKeys);
  const shown = entries
    .slice(0, most)
    .map(([key, item]): [string, unknown] => [shrinkText(key, size.text), shrink(item, size)]);
  return entries.length > most ? [...shown, ['…', `and ${entries.length - most} more`]] : shown;
}

function shrinkText(text: string, limit: number): string {
  const characters = Array.from(text);
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('')}… ${characters.length - limit} more characters`;
}

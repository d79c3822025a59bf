import { NO_BUDGET } from '../capabilities/execution/run-budget';
import type { BudgetLimits, MeaningSettings, OperatingSystem, RuntimeContext } from '../capabilities/models';
import type { HostContext } from '../protocol/requests';

/** Trusts nothing until the client says more. */
export const UNTRUSTED_CONTEXT: HostContext = {
  workspaceTrusted: false,
  roles: [],
  featureFlags: [],
  userPackFolders: [],
  isolationFallback: 'refuse',
  budget: NO_BUDGET,
  usesHistory: false,
  checksDiscoverability: true,
  restatesGoals: false,
  meaning: { mode: 'offline', url: '', model: '', dimensions: 0 },
};

/** What a client sent as its context. A part of the wrong kind counts as not said, and what is not said is not granted. */
export function readHostContext(sent: unknown): HostContext {
  const given = typeof sent === 'object' && sent !== null ? (sent as Partial<Record<keyof HostContext, unknown>>) : {};
  return {
    workspaceTrusted: given.workspaceTrusted === true,
    roles: textsOf(given.roles),
    featureFlags: textsOf(given.featureFlags),
    userPackFolders: textsOf(given.userPackFolders),
    isolationFallback: given.isolationFallback === 'confirm' ? 'confirm' : 'refuse',
    budget: readBudget(given.budget),
    usesHistory: given.usesHistory === true,
    restatesGoals: given.restatesGoals === true,
    checksDiscoverability: given.checksDiscoverability !== false,
    meaning: readMeaningSettings(given.meaning),
  };
}

/** What is not said clearly means the built-in encoder: nothing goes to a host that nobody named. */
function readMeaningSettings(sent: unknown): MeaningSettings {
  const given =
    typeof sent === 'object' && sent !== null ? (sent as Partial<Record<keyof MeaningSettings, unknown>>) : {};
  const { mode, url, model, dimensions } = given;
  return {
    mode: mode === 'endpoint' || mode === 'off' ? mode : 'offline',
    url: typeof url === 'string' ? url : '',
    model: typeof model === 'string' ? model : '',
    dimensions: typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions > 0 ? dimensions : 0,
  };
}

/** A limit that can't be read is none: a typing error must not stop all work, and the editor marks it. */
function readBudget(sent: unknown): BudgetLimits {
  const numberOf = (from: unknown, key: string, otherwise: number): number => {
    const value = typeof from === 'object' && from !== null ? (from as Record<string, unknown>)[key] : undefined;
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
  };
  const partOf = (key: string): unknown =>
    typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[key] : undefined;
  const amounts = (from: unknown): BudgetLimits['session'] => ({
    runs: numberOf(from, 'runs', 0),
    seconds: numberOf(from, 'seconds', 0),
    outputBytes: numberOf(from, 'outputBytes', 0),
  });
  return {
    windowMinutes: Math.max(1, numberOf(sent, 'windowMinutes', NO_BUDGET.windowMinutes)),
    session: amounts(partOf('session')),
    action: amounts(partOf('action')),
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Who asks and from where, for one call. Whoever does not say to be the user is an agent. */
export function toRuntimeContext(
  host: HostContext,
  call: { readonly sessionId: string; readonly requestedBy: 'agent' | 'user'; readonly os: OperatingSystem },
): RuntimeContext {
  return {
    host: 'vscode',
    sessionId: call.sessionId,
    principals: [
      call.requestedBy === 'user' ? 'user' : 'agent',
      'host:vscode',
      ...host.roles.map((role) => `role:${role}`),
    ],
    os: call.os,
    workspaceTrusted: host.workspaceTrusted,
    featureFlags: new Set(host.featureFlags),
  };
}

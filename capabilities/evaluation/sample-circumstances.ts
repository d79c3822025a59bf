import type { ActionReference, EvaluationSample, RegistryView, RuntimeContext, SessionTrail } from '../models';

/** The circumstances that a sample asks for. */
export interface SampleCircumstances {
  readonly context?: Partial<RuntimeContext>;
  readonly trail?: SessionTrail;
  readonly missingExecutors?: ReadonlySet<string>;
  readonly hidden?: ReadonlySet<string>;
}

/** Reads a sample's `runtime_context`. What it leaves out is left to the search that is measured. */
export function circumstancesOf(sample: EvaluationSample, registry: RegistryView): SampleCircumstances {
  const { os, principals, feature_flags: flags, workspace_trusted: trusted } = sample.runtime_context ?? {};
  const missing = sample.runtime_context?.missing_executors;
  const context: Partial<RuntimeContext> = {
    ...(os === undefined ? {} : { os }),
    ...(principals === undefined ? {} : { principals }),
    ...(flags === undefined ? {} : { featureFlags: new Set(flags) }),
    ...(trusted === undefined ? {} : { workspaceTrusted: trusted }),
  };
  return {
    context,
    trail: trailOf(sample, registry),
    ...(missing === undefined ? {} : { missingExecutors: new Set(missing) }),
  };
}

/** The trail that a session has right after it ran an action. */
function trailOf(sample: EvaluationSample, registry: RegistryView): SessionTrail {
  const { ran, searches_in_a_row: searches = 0 } = sample.runtime_context ?? {};
  const found = ran === undefined ? undefined : registry.lookup(ran);
  const action = found?.kind === 'found' && found.resource.type === 'action' ? found.resource : undefined;
  const keysOf = (references: readonly ActionReference[] | undefined): readonly string[] =>
    (references ?? []).flatMap((reference) => {
      const target = registry.lookup(typeof reference === 'string' ? reference : reference.action);
      return target.kind === 'found' ? [target.resource.key] : [];
    });
  return {
    recommended: keysOf(action?.definition.next_actions),
    verifying: keysOf(action?.definition.verify),
    lastRunKey: action?.key,
    searchesInARow: searches,
  };
}

import type { ActionResource, FrozenPlan, Handler, Problem, Result, RuntimeContext } from '../models';
import type { Digest, FileSystem, Machine, ProcessResult, ProcessRunner } from '../ports';

/** What every handler may use of the world. */
export interface HandlerPorts {
  readonly fileSystem: FileSystem;
  readonly machine: Machine;
  readonly digest: Digest;
  readonly processes: ProcessRunner;
}

/** A call that has passed validation and policy. */
export interface HandlerRequest {
  readonly resource: ActionResource;
  /** Arguments after defaults. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: RuntimeContext;
  /** Which rule wants a confirmation of it, and why. */
  readonly askedByPolicy?: string | undefined;
}

/** The part of a plan that only the handler knows. */
export type PreparedCommand = Pick<
  FrozenPlan,
  'argv' | 'script' | 'fileHash' | 'cwd' | 'environment' | 'hostEnvironment' | 'stdin'
>;

/** One way of carrying out actions. */
export interface ActionHandler {
  readonly type: Handler['type'];
  /** Resolves everything that can be resolved before the start; starts nothing. */
  prepare(request: HandlerRequest): Promise<Result<PreparedCommand>>;
  /** Checks, right before the start, that what the plan names is still what it was. */
  findChange(plan: FrozenPlan): Promise<Problem | undefined>;
  /** Carries out the plan and nothing else; a problem when what it names has changed at the last moment. */
  run(plan: FrozenPlan, signal: AbortSignal): Promise<ProcessResult | Problem>;
}

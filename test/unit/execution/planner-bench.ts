import path from 'node:path';
import { ExecutionPlanner } from '../../../capabilities/execution/execution-plan';
import { CommandActionHandler } from '../../../capabilities/execution/handlers/command';
import { ScriptActionHandler } from '../../../capabilities/execution/handlers/script';
import type {
  ActionDefinition,
  CommandHandler,
  FrozenPlan,
  Result,
  RuntimeContext,
} from '../../../capabilities/models';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { NodeMachine } from '../../../capabilities/node/node-machine';
import { nodeRunner, sharedIsolationPlanner } from '../node/shared-isolator';
import type { ProcessResult } from '../../../capabilities/ports';
import { temporaryFolder } from '../node/temporary-folder';
import { sampleAction, sampleContext, sampleScope } from './sample-resources';

/** The host's search path. */
export const PATH = process.env['PATH'] ?? '';
const hostEnvironment = {
  PATH,
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  SECRET_TOKEN: 's3cret',
  NODE_OPTIONS: '--x',
  UNSET: undefined,
};

/** Plans and runs actions of a workspace of its own. */
export interface PlannerBench {
  readonly root: string;
  plan(
    change: Partial<ActionDefinition>,
    args?: Record<string, unknown>,
    context?: RuntimeContext,
  ): Promise<Result<FrozenPlan>>;
  planCommand(
    handler: Partial<CommandHandler>,
    args?: Record<string, unknown>,
    schema?: object,
  ): Promise<Result<FrozenPlan>>;
  /** Throws when the plan no longer fits. */
  run(plan: FrozenPlan): Promise<ProcessResult>;
  findChange(plan: FrozenPlan): ReturnType<CommandActionHandler['findChange']>;
}

/** A new workspace with both handlers on the real machine. */
export function plannerBench(): PlannerBench {
  const root = temporaryFolder();
  const { signal } = new AbortController();
  const clock = new NodeClock();
  const digest = new NodeDigest();
  const machine = new NodeMachine(clock, { platform: 'linux', environment: hostEnvironment });
  const processes = nodeRunner(path.join(root, 'outputs'));
  const ports = { fileSystem: new NodeFileSystem(), machine, digest, processes };
  const handlers = { command: new CommandActionHandler(ports), script: new ScriptActionHandler(ports) };
  const planner = new ExecutionPlanner({ handlers, digest, machine, isolation: sharedIsolationPlanner() });
  const plan: PlannerBench['plan'] = (change, args = {}, context = sampleContext()) =>
    planner.plan({ resource: sampleAction(change, sampleScope(root)), arguments: args, context });
  return {
    root,
    plan,
    planCommand: (handler, args = {}, schema = { type: 'object' }) =>
      plan(
        {
          handler: { type: 'command', argv: ['true'], ...handler },
          arguments_schema: schema as Record<string, unknown>,
        },
        args,
      ),
    run: async (frozen) => {
      const result = await handlers[frozen.script === undefined ? 'command' : 'script'].run(frozen, signal);
      if ('code' in result) throw new Error(result.message);
      return result;
    },
    findChange: (frozen) => handlers[frozen.script === undefined ? 'command' : 'script'].findChange(frozen),
  };
}

/** The plan; throws when there is none. */
export function planOf(result: Result<FrozenPlan>): FrozenPlan {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

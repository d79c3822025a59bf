import type { FrozenPlan, Problem, Result } from '../../models';
import { parseTemplate } from '../../placeholders';
import type { IsolationRequest, ProcessResult, ProcessRunner } from '../../ports';
import type { HandlerPorts, HandlerRequest, PreparedCommand } from '../action-handler';
import { byteLength, longestElementBytes } from '../argument-vector';
import { realPathInside } from '../contained-path';
import { brokenDefinition, invalidArguments } from '../problems';
import { buildEnvironment } from '../process-environment';
import { fillTemplate, type TemplateScope } from '../template-filling';

/** Working folder and environment: the same for every handler that starts a process. */
export type Surroundings = Pick<PreparedCommand, 'cwd' | 'environment' | 'hostEnvironment'>;

/** Bytes kept per stream; what is more goes to a file. */
const keepBytes = 1024 * 1024;

/** Resolves the working folder, which must be a real folder inside the workspace folder, and builds the environment. */
export async function prepareSurroundings(
  request: HandlerRequest,
  scope: TemplateScope,
  ports: HandlerPorts,
): Promise<Result<Surroundings>> {
  const handler = request.resource.definition.handler;
  const folder = fillTemplate(handler.cwd ?? '${workspaceFolder}', scope);
  if (!folder.ok) return folder;
  const cwd = await realPathInside(ports.fileSystem, scope.workspaceFolder, scope.workspaceFolder, folder.value);
  if (cwd.kind !== 'inside') {
    const what = cwd.kind === 'missing' ? 'does not exist' : 'lies outside the workspace folder';
    return { ok: false, problem: wrongFolder(handler.cwd ?? '', `"${folder.value}" ${what}`, scope.actionId) };
  }
  const set = fillVariables(handler.env ?? {}, scope);
  if (!set.ok) return set;
  const declaration = { set: set.value, pass: handler.pass_env ?? [] };
  const environment = buildEnvironment(declaration, request.context.os, scope.hostVariable);
  if (!environment.ok) return { ok: false, problem: brokenDefinition(scope.actionId, environment.problem) };
  const { variables, fromHost } = environment.value;
  return { ok: true, value: { cwd: cwd.path, environment: variables, hostEnvironment: fromHost } };
}

/** The caller's mistake when an argument names the folder, else the author's. */
function wrongFolder(template: string, what: string, actionId: string): Problem {
  const [named] = parseTemplate(template).parts.flatMap((part) => (part.kind === 'args' ? [part.name] : []));
  return named === undefined
    ? brokenDefinition(actionId, `its working folder ${what}.`)
    : invalidArguments(actionId, [{ pointer: `/${named}`, message: `the working folder ${what}` }]);
}

/** How a plan is carried out. */
export interface RunMeans {
  readonly processes: ProcessRunner;
  readonly signal: AbortSignal;
  /** Files that the run is to read as these bytes; needs isolation. */
  readonly pinnedFiles?: IsolationRequest['pinnedFiles'];
}

/** Starts exactly what the plan says, within its limits. */
export function runPlan(plan: FrozenPlan, { processes, signal, pinnedFiles = [] }: RunMeans): Promise<ProcessResult> {
  const { argv, cwd, environment, stdin, timeoutMs } = plan;
  const isolation = plan.isolation && { ...plan.isolation, pinnedFiles };
  return processes.run({ argv, cwd, environment, stdin, timeoutMs, signal, keepBytes, isolation });
}

function fillVariables(
  templates: Readonly<Record<string, string>>,
  scope: TemplateScope,
): Result<Readonly<Record<string, string>>> {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = fillTemplate(template, scope);
    if (!value.ok) return value;
    if (byteLength(`${name}=${value.value}`) > longestElementBytes) {
      const message = `makes the environment variable ${name} longer than 128 KiB, the limit of the system`;
      return { ok: false, problem: invalidArguments(scope.actionId, [{ pointer: '', message }]) };
    }
    filled[name] = value.value;
  }
  return { ok: true, value: filled };
}

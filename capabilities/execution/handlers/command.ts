import type { CommandHandler, FrozenPlan, Problem, Result } from '../../models';
import type { ProcessResult } from '../../ports';
import type { ActionHandler, HandlerPorts, HandlerRequest, PreparedCommand } from '../action-handler';
import { fillArgumentVector } from '../argument-vector';
import { isInside, realPathInside } from '../contained-path';
import { findInlineCode, holdsArgument } from '../inline-code';
import { brokenDefinition, changedSincePlan, missingExecutor } from '../problems';
import { fillTemplate, templateScope, type TemplateScope } from '../template-filling';
import { prepareSurroundings, runPlan } from './surroundings';

/** A program, and its bytes when it is a file of the workspace, which anybody may have written. */
interface Program {
  readonly path: string;
  readonly file: Uint8Array | undefined;
}

const largestProgramBytes = 64 * 1024 * 1024;

/** Starts one program with a fixed list of arguments. No shell is involved. */
export class CommandActionHandler implements ActionHandler {
  readonly type = 'command';
  readonly #ports: HandlerPorts;

  constructor(ports: HandlerPorts) {
    this.#ports = ports;
  }

  async prepare(request: HandlerRequest): Promise<Result<PreparedCommand>> {
    const { resource } = request;
    const handler = resource.definition.handler;
    if (handler.type !== 'command') throw new Error(`The command handler was given a ${handler.type} action.`);
    const mistake = findMistake(handler);
    if (mistake !== undefined) return { ok: false, problem: brokenDefinition(resource.id, mistake) };
    const scope = templateScope(request.resource, request.arguments, this.#ports.machine);
    const surroundings = await prepareSurroundings(request, scope, this.#ports);
    if (!surroundings.ok) return surroundings;
    const [program = '', ...rest] = handler.argv;
    const resolved = await this.#resolveProgram(program, scope, surroundings.value.cwd);
    if (!resolved.ok) return resolved;
    const elements = fillArgumentVector(rest, scope);
    if (!elements.ok) return elements;
    const stdin = handler.stdin === undefined ? undefined : fillTemplate(handler.stdin, scope);
    if (stdin?.ok === false) return stdin;
    return {
      ok: true,
      value: {
        ...surroundings.value,
        argv: [resolved.value.path, ...elements.value],
        stdin: stdin?.value,
        script: undefined,
        fileHash: resolved.value.file && this.#ports.digest.sha256(resolved.value.file),
      },
    };
  }

  async findChange(plan: FrozenPlan): Promise<Problem | undefined> {
    const cwd = await this.#ports.fileSystem.realPath(plan.cwd);
    if (cwd !== plan.cwd) return changedSincePlan(plan, 'The working folder');
    return plan.fileHash === undefined || (await this.#readPlanned(plan)) !== undefined
      ? undefined
      : changedProgram(plan);
  }

  async run(plan: FrozenPlan, signal: AbortSignal): Promise<ProcessResult | Problem> {
    const { processes } = this.#ports;
    if (plan.fileHash === undefined) return runPlan(plan, { signal, processes });
    const bytes = await this.#readPlanned(plan);
    if (bytes === undefined) return changedProgram(plan);
    return runPlan(plan, { signal, processes, pinnedFiles: [{ path: plan.argv[0] ?? '', bytes }] });
  }

  /** The program of the workspace, when it is still the one of the plan. */
  async #readPlanned(plan: FrozenPlan): Promise<Uint8Array | undefined> {
    const read = await this.#ports.fileSystem.readBytes(plan.argv[0] ?? '', largestProgramBytes);
    return read.ok && this.#ports.digest.sha256(read.bytes) === plan.fileHash ? read.bytes : undefined;
  }

  /** A program of the workspace is run from the bytes that were looked at. */
  async #pin(program: string, { actionId, workspaceFolder }: TemplateScope): Promise<Result<Program>> {
    const { fileSystem } = this.#ports;
    const path = await fileSystem.realPath(program);
    const root = await fileSystem.realPath(workspaceFolder);
    if (path === undefined || root === undefined || !isInside(fileSystem.paths, root, path)) {
      return { ok: true, value: { path: program, file: undefined } };
    }
    const read = await fileSystem.readBytes(path, largestProgramBytes);
    return read.ok
      ? { ok: true, value: { path, file: read.bytes } }
      : { ok: false, problem: brokenDefinition(actionId, `its program "${path}" can't be read (${read.reason}).`) };
  }

  /** Pins the program to a full path, so that the person sees and the system starts the same file. */
  async #resolveProgram(template: string, scope: TemplateScope, cwd: string): Promise<Result<Program>> {
    const filled = fillTemplate(template, scope);
    if (!filled.ok) return filled;
    const program = filled.value;
    if (/^(?:[\\/]|[A-Za-z]:)/.test(program)) return this.#pin(program, scope);
    if (!/[\\/]/.test(program)) {
      const found = await this.#ports.machine.findExecutable(program);
      return found === undefined
        ? { ok: false, problem: missingExecutor(scope.actionId, program) }
        : this.#pin(found, scope);
    }
    const inside = await realPathInside(this.#ports.fileSystem, scope.workspaceFolder, cwd, program);
    if (inside.kind === 'inside') return this.#pin(inside.path, scope);
    return inside.kind === 'missing'
      ? { ok: false, problem: missingExecutor(scope.actionId, program) }
      : {
          ok: false,
          problem: brokenDefinition(scope.actionId, `the program "${program}" lies outside the workspace folder.`),
        };
  }
}

function changedProgram(plan: FrozenPlan): Problem {
  return changedSincePlan(plan, `The program ${plan.argv[0] ?? ''}`);
}

function findMistake(handler: CommandHandler): string | undefined {
  if (holdsArgument(handler.argv[0] ?? '')) return 'its program comes from an argument; the program must be fixed.';
  const code = findInlineCode(handler.argv);
  if (code === undefined) return undefined;
  return `it builds program text from an argument (${JSON.stringify(code)}); pass the argument as a separate element instead.`;
}

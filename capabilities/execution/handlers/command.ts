import type { CommandHandler, FrozenPlan, Problem, Result } from '../../models';
import type { ProcessResult } from '../../ports';
import type { ActionHandler, HandlerPorts, HandlerRequest, PreparedCommand } from '../action-handler';
import { fillArgumentVector } from '../argument-vector';
import { realPathInside } from '../contained-path';
import { findInlineCode, holdsArgument } from '../inline-code';
import { brokenDefinition, changedSincePlan, missingExecutor } from '../problems';
import { fillTemplate, templateScope, type TemplateScope } from '../template-filling';
import { prepareSurroundings, runPlan } from './surroundings';

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
        argv: [resolved.value, ...elements.value],
        stdin: stdin?.value,
        script: undefined,
        scriptHash: undefined,
      },
    };
  }

  async findChange(plan: FrozenPlan): Promise<Problem | undefined> {
    const cwd = await this.#ports.fileSystem.realPath(plan.cwd);
    return cwd === plan.cwd ? undefined : changedSincePlan(plan, 'The working folder');
  }

  run(plan: FrozenPlan, signal: AbortSignal): Promise<ProcessResult> {
    return runPlan(plan, { signal, processes: this.#ports.processes });
  }

  /** Pins the program to a full path, so that the person sees and the system starts the same file. */
  async #resolveProgram(template: string, scope: TemplateScope, cwd: string): Promise<Result<string>> {
    const filled = fillTemplate(template, scope);
    if (!filled.ok) return filled;
    const program = filled.value;
    if (/^(?:[\\/]|[A-Za-z]:)/.test(program)) return { ok: true, value: program };
    if (!/[\\/]/.test(program)) {
      const found = await this.#ports.machine.findExecutable(program);
      return found === undefined
        ? { ok: false, problem: missingExecutor(scope.actionId, program) }
        : { ok: true, value: found };
    }
    const inside = await realPathInside(this.#ports.fileSystem, scope.workspaceFolder, cwd, program);
    if (inside.kind === 'inside') return { ok: true, value: inside.path };
    return inside.kind === 'missing'
      ? { ok: false, problem: missingExecutor(scope.actionId, program) }
      : {
          ok: false,
          problem: brokenDefinition(scope.actionId, `the program "${program}" lies outside the workspace folder.`),
        };
  }
}

function findMistake(handler: CommandHandler): string | undefined {
  if (holdsArgument(handler.argv[0] ?? '')) return 'its program comes from an argument; the program must be fixed.';
  const code = findInlineCode(handler.argv);
  if (code === undefined) return undefined;
  return `it builds program text from an argument (${JSON.stringify(code)}); pass the argument as a separate element instead.`;
}

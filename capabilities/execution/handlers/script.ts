import { canonicalJson } from '../../canonical-json';
import type { FrozenPlan, Problem, Result, ScriptHandler } from '../../models';
import type { ProcessResult } from '../../ports';
import type { ActionHandler, HandlerPorts, HandlerRequest, PreparedCommand } from '../action-handler';
import { byteLength, longestElementBytes } from '../argument-vector';
import { realPathInside } from '../contained-path';
import { brokenDefinition, changedSincePlan, invalidArguments, missingExecutor } from '../problems';
import { templateScope } from '../template-filling';
import { prepareSurroundings, runPlan } from './surroundings';

const argumentsVariable = 'CAPABILITY_ARGS';
const largestScriptBytes = 1024 * 1024;

const interpreters: Readonly<Record<string, string>> = {
  '.mjs': 'node',
  '.js': 'node',
  '.cjs': 'node',
  '.py': 'python3',
  '.sh': 'bash',
};

interface ScriptFile {
  /** Real path. */
  readonly path: string;
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/**
 * Runs a script of the workspace; the arguments reach it as JSON on standard input and in `CAPABILITY_ARGS`.
 *
 * The script's bytes are hashed into the plan and hashed again right before the start. Isolated, the run reads those very bytes, at a path of its
 * own from which relative imports find what stands beside the script. Without isolation a moment remains between the second hash and the
 * interpreter's own read.
 */
export class ScriptActionHandler implements ActionHandler {
  readonly type = 'script';
  readonly #ports: HandlerPorts;

  constructor(ports: HandlerPorts) {
    this.#ports = ports;
  }

  async prepare(request: HandlerRequest): Promise<Result<PreparedCommand>> {
    const { resource } = request;
    const handler = resource.definition.handler;
    if (handler.type !== 'script') throw new Error(`The script handler was given a ${handler.type} action.`);
    const file = await this.#readScript(resource.id, resource.scope.root, handler.file);
    if (!file.ok) return file;
    const interpreter = await this.#findInterpreter(resource.id, handler);
    if (!interpreter.ok) return interpreter;
    const surroundings = await prepareSurroundings(
      request,
      templateScope(request.resource, request.arguments, this.#ports.machine),
      this.#ports,
    );
    if (!surroundings.ok) return surroundings;
    const json = canonicalJson(request.arguments);
    if (byteLength(`${argumentsVariable}=${json}`) > longestElementBytes) {
      const message = 'are longer than 128 KiB as JSON, the limit of the system';
      return { ok: false, problem: invalidArguments(resource.id, [{ pointer: '', message }]) };
    }
    return {
      ok: true,
      value: {
        ...surroundings.value,
        environment: { ...surroundings.value.environment, [argumentsVariable]: json },
        argv: [interpreter.value, file.value.path],
        stdin: json,
        script: handler.file,
        fileHash: file.value.hash,
      },
    };
  }

  async findChange(plan: FrozenPlan): Promise<Problem | undefined> {
    const cwd = await this.#ports.fileSystem.realPath(plan.cwd);
    if (cwd !== plan.cwd) return changedSincePlan(plan, 'The working folder');
    const file = await this.#readPlanned(plan);
    return file === undefined ? changedSincePlan(plan, `The script ${plan.script ?? ''}`) : undefined;
  }

  async run(plan: FrozenPlan, signal: AbortSignal): Promise<ProcessResult | Problem> {
    const file = await this.#readPlanned(plan);
    if (file === undefined) return changedSincePlan(plan, `The script ${plan.script ?? ''}`);
    const pinnedFiles = [{ path: file.path, bytes: file.bytes }];
    return runPlan(plan, { signal, pinnedFiles, processes: this.#ports.processes });
  }

  /** The script, when it is still the one of the plan. */
  async #readPlanned(plan: FrozenPlan): Promise<ScriptFile | undefined> {
    const file = await this.#readScript(plan.actionId, plan.scope.root, plan.script ?? '');
    const isSame = file.ok && file.value.path === plan.argv[1] && file.value.hash === plan.fileHash;
    return isSame ? file.value : undefined;
  }

  async #readScript(id: string, root: string, name: string): Promise<Result<ScriptFile>> {
    const { fileSystem, digest } = this.#ports;
    const place = await realPathInside(fileSystem, root, root, name);
    if (place.kind !== 'inside') {
      const what = place.kind === 'missing' ? 'does not exist' : 'lies outside the workspace folder';
      return { ok: false, problem: brokenDefinition(id, `its script "${name}" ${what}.`) };
    }
    const read = await fileSystem.readBytes(place.path, largestScriptBytes);
    if (!read.ok)
      return { ok: false, problem: brokenDefinition(id, `its script "${name}" can't be read (${read.reason}).`) };
    return { ok: true, value: { path: place.path, hash: digest.sha256(read.bytes), bytes: read.bytes } };
  }

  async #findInterpreter(id: string, handler: ScriptHandler): Promise<Result<string>> {
    const name = handler.interpreter ?? interpreters[this.#ports.fileSystem.paths.extension(handler.file)];
    if (name === undefined) {
      const reason = `no interpreter is known for "${handler.file}"; it has to be named in \`interpreter\`.`;
      return { ok: false, problem: brokenDefinition(id, reason) };
    }
    const found = await this.#ports.machine.findExecutable(name);
    return found === undefined ? { ok: false, problem: missingExecutor(id, name) } : { ok: true, value: found };
  }
}

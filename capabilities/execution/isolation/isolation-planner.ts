import type { ActionResource, IsolationLimits, Problem, Result } from '../../models';
import type { FileSystem, Isolator } from '../../ports';
import { brokenDefinition, isolationUnavailable } from '../problems';
import { readWrittenPlace, resolveWritablePlaces } from './writable-places';

/** What a user wants where a machine can't isolate: refuse, or ask before each run and say so. */
export type IsolationFallback = 'refuse' | 'confirm';

/** What the planner asks. */
export interface IsolationPlannerParts {
  readonly isolator: Isolator;
  readonly fileSystem: FileSystem;
  /** The user's choice; a workspace has no say in it. */
  readonly fallback: () => IsolationFallback;
}

/**
 * What programs read as their settings or run by themselves: who may write here decides what happens later, outside any limits. Read-only in
 * every run, unless the definition names the place itself as writable.
 */
const PROTECTED = ['.git', '.vscode', '.capabilities', '.mcp.json', '.devcontainer', '.husky'];
/** Stays read-only even where `.git` is writable: programs run from here. */
const PROTECTED_IN_GIT = ['.git/hooks', '.git/config'];

/** Turns what a definition says it touches into limits, and decides what happens where there can be none. */
export class IsolationPlanner {
  readonly #parts: IsolationPlannerParts;

  constructor(parts: IsolationPlannerParts) {
    this.#parts = parts;
  }

  /**
   * The limits of a run; undefined when it will run without any, which its confirmation has to say. Fails with `isolation_unavailable`, or
   * `execution_failed` when the definition names places that can't be enforced.
   */
  async plan(
    resource: ActionResource,
    declared: Pick<IsolationLimits, 'network'> & { readonly write: readonly string[] },
  ): Promise<Result<IsolationLimits | undefined>> {
    const report = await this.#parts.isolator.check();
    if (!report.available) {
      return this.#parts.fallback() === 'confirm'
        ? { ok: true, value: undefined }
        : refused(isolationUnavailable(resource.id, report.reason, report.fix));
    }
    const { fileSystem } = this.#parts;
    const workspaceFolder = await fileSystem.realPath(resource.scope.root);
    if (workspaceFolder === undefined) return refused(brokenDefinition(resource.id, 'its workspace folder is gone.'));
    const writable = await resolveWritablePlaces(declared.write, { workspaceFolder, fileSystem });
    if (!writable.ok) return refused(brokenDefinition(resource.id, writable.problem));
    const protectedPaths = protectedNames(declared.write).map((name) => fileSystem.paths.join(workspaceFolder, name));
    return {
      ok: true,
      value: { workspaceFolder, writable: writable.value, protectedPaths, network: structuredClone(declared.network) },
    };
  }
}

/** Names below the workspace folder that stay read-only, given what is declared as writable. Pure. */
export function protectedNames(write: readonly string[]): readonly string[] {
  const named = write.flatMap((pattern) => {
    const read = readWrittenPlace(pattern);
    return read.ok && read.value.base === 'workspace' ? [read.value.relative] : [];
  });
  const isKept = (name: string): boolean => !named.includes(name);
  // What lies deeper and is named for itself is opened all the same: the more precise statement wins.
  return [...PROTECTED.filter(isKept), ...(isKept('.git') ? [] : PROTECTED_IN_GIT.filter(isKept))];
}

function refused(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}

import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { EnvironmentFacts, Scope } from '../models';
import type { Clock } from '../ports';
import type { NodeMachine } from './node-machine';

interface Answer {
  readonly value: boolean;
  readonly until: number;
}

/** Workspace answers are asked once per candidate of a search, and change when the user works: two seconds. */
const answerLifetimeMs = 2_000;

/** Names of the secrets that are stored; changes are seen at once. */
export type CredentialNames = () => ReadonlySet<string>;

/**
 * Availability facts from the machine and the workspace. Nothing has to be warmed: an answer that is not cached costs a
 * handful of `stat` calls (well under a millisecond), and is then kept for a short time, so ten thousand actions that need
 * `git` ask the disk once.
 */
export class NodeEnvironmentFacts implements EnvironmentFacts {
  readonly #machine: NodeMachine;
  readonly #clock: Clock;
  readonly #credentials: CredentialNames;
  readonly #answers = new Map<string, Answer>();

  constructor(machine: NodeMachine, clock: Clock, credentials: CredentialNames = () => new Set()) {
    this.#machine = machine;
    this.#clock = clock;
    this.#credentials = credentials;
  }

  hasExecutor(name: string): boolean {
    return this.#machine.locate(name === 'shell' ? 'sh' : name) !== undefined;
  }

  hasCredential(name: string): boolean {
    return this.#credentials().has(name);
  }

  hasContext(requirement: string, scope: Scope): boolean {
    const key = `${scope.root}\0${requirement}`;
    const now = this.#clock.monotonic();
    const known = this.#answers.get(key);
    if (known !== undefined && known.until > now) {
      return known.value;
    }
    const value = checkContext(requirement, scope.root);
    this.#answers.set(key, { value, until: now + answerLifetimeMs });
    return value;
  }
}

function checkContext(requirement: string, root: string): boolean {
  if (requirement === 'git_repository') {
    return isInGitRepository(root);
  }
  return requirement.startsWith('file:') && hasFileInside(root, requirement.slice('file:'.length));
}

/** `.git` is a folder, or a file in worktrees and submodules; it may stand in a folder above the workspace. */
function isInGitRepository(root: string): boolean {
  for (let folder = path.resolve(root); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) {
      return true;
    }
    if (folder === path.dirname(folder)) {
      return false;
    }
  }
}

function hasFileInside(root: string, name: string): boolean {
  try {
    const relative = path.relative(realpathSync(root), realpathSync(path.resolve(root, name)));
    return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  } catch {
    return false;
  }
}

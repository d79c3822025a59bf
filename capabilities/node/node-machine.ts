import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Machine } from '../ports';

/** What is needed to look for programs. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Finding {
  readonly path: string | undefined;
  readonly until: number;
}

/** How long a finding is trusted: long enough for a search over thousands of actions, short enough for a fresh install. */
const findingLifetimeMs = 10_000;

/**
 * Programs and variables of this machine. Relative entries of PATH are skipped: they would let a workspace supply the
 * program. Findings are cached for ten seconds.
 */
export class NodeMachine implements Machine {
  readonly #facts: MachineFacts;
  readonly #clock: Clock;
  readonly #findings = new Map<string, Finding>();

  constructor(clock: Clock, facts: MachineFacts = { platform: process.platform, environment: process.env }) {
    this.#clock = clock;
    this.#facts = facts;
  }

  findExecutable(name: string): Promise<string | undefined> {
    return Promise.resolve(this.locate(name));
  }

  /** The same, at once: the synchronous stages ask for availability. */
  locate(name: string): string | undefined {
    const known = this.#findings.get(name);
    const now = this.#clock.monotonic();
    if (known !== undefined && known.until > now) {
      return known.path;
    }
    const found = findOnPath(name, this.#facts);
    this.#findings.set(name, { path: found, until: now + findingLifetimeMs });
    return found;
  }

  environmentVariable(name: string): string | undefined {
    const environment = this.#facts.environment;
    return Object.hasOwn(environment, name) ? environment[name] : undefined;
  }
}

/** Absolute path of the first executable file called `name` on PATH. A name with a separator is not looked up. */
export function findOnPath(name: string, facts: MachineFacts): string | undefined {
  if (name === '' || name.includes('/') || name.includes('\\') || name.includes('\0')) {
    return undefined;
  }
  const isWindows = facts.platform === 'win32';
  const folders = (facts.environment['PATH'] ?? facts.environment['Path'] ?? '').split(isWindows ? ';' : ':');
  const endings = isWindows ? ['', ...(facts.environment['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  for (const folder of folders.filter((entry) => path.isAbsolute(entry))) {
    const candidate = endings.map((ending) => path.join(folder, name + ending)).find(isExecutableFile);
    if (candidate !== undefined) {
      return candidate;
    }
  }
  return undefined;
}

/** Whether `file` is a regular file this user may execute. */
export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

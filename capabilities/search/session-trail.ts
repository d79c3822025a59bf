import type { SessionTrail } from '../models';

/** What a run leaves for the next search. */
export interface RunTrace {
  readonly key: string;
  /** Keys that the output or `next_actions` recommend, best first. */
  readonly recommended: readonly string[];
  /** Keys of the action's `verify`. */
  readonly verifying: readonly string[];
}

interface Session {
  found: readonly string[];
  described: readonly string[];
  recommended: readonly string[];
  verifying: readonly string[];
  lastRunKey: string | undefined;
  searchesInARow: number;
}

const SESSIONS = 200;
const KEYS = 50;

function newSession(): Session {
  return { found: [], described: [], recommended: [], verifying: [], lastRunKey: undefined, searchesInARow: 0 };
}

/** Most recent first, without repetitions, bounded. */
function prepend(newest: readonly string[], older: readonly string[]): readonly string[] {
  return [...new Set([...newest, ...older])].slice(0, KEYS);
}

/** Remembers per session what was found, described, run and recommended. Holds the 200 sessions used last, 50 keys of each kind. */
export class SessionTrails {
  readonly #sessions = new Map<string, Session>();

  /** After a search: the keys it returned. */
  recordSearch(sessionId: string, found: readonly string[]): void {
    const session = this.#touch(sessionId);
    session.found = prepend(found, session.found);
    session.searchesInARow += 1;
  }

  /** After a describe. */
  recordDescribe(sessionId: string, key: string): void {
    const session = this.#touch(sessionId);
    session.described = prepend([key], session.described);
    session.searchesInARow = 0;
  }

  /** After a run that has finished. What has been run is no longer recommended. */
  recordRun(sessionId: string, trace: RunTrace): void {
    const session = this.#touch(sessionId);
    session.recommended = prepend(trace.recommended, session.recommended).filter((key) => key !== trace.key);
    session.verifying = trace.verifying.slice(0, KEYS);
    session.lastRunKey = trace.key;
    session.searchesInARow = 0;
  }

  /** The session so far, as it stands before the call that asks; an unknown session is empty. */
  view(sessionId: string): SessionTrail {
    const { recommended, verifying, lastRunKey, searchesInARow } = this.#sessions.get(sessionId) ?? newSession();
    return { recommended, verifying, lastRunKey, searchesInARow };
  }

  /** Whether the session has seen a resource in a search or a describe. */
  knows(sessionId: string, key: string): boolean {
    const session = this.#sessions.get(sessionId);
    return session !== undefined && (session.found.includes(key) || session.described.includes(key));
  }

  /** Moves a session to the end of the order of use and drops the oldest beyond the bound. */
  #touch(sessionId: string): Session {
    const session = this.#sessions.get(sessionId) ?? newSession();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    return session;
  }
}

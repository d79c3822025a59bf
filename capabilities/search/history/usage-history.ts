import type { ParsedQuery, Resource, UsageEvent, UsageOutcome } from '../../models';
import type { Clock } from '../../ports';
import { goalWordsOf } from './goal-words';
import { HistoryFiles, LONGEST_KEPT, MOST_USES } from './history-files';
import type { HistoryPorts } from './history-files';

/** A search of a session, until it is seen what it leads to. */
interface PastSearch {
  readonly goal: readonly string[];
  readonly found: ReadonlySet<string>;
  readonly time: number;
}

interface Loaded {
  readonly events: readonly UsageEvent[];
  readonly time: number;
}

/** What is known of the use of one folder's resources. */
export interface UsageSummary {
  readonly root: string;
  readonly uses: Readonly<Record<UsageOutcome, number>>;
  /** How many of them followed a search. */
  readonly withGoal: number;
  /** Milliseconds since the Unix epoch; undefined without uses. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
}

const SESSIONS = 200;
/** A use later than this after a search is not put down to it, in milliseconds. */
const LEADS_TO_WITHIN = 30 * 60 * 1000;
/** Other processes add to the same file. */
const FRESH_FOR = 60 * 1000;

/**
 * Past use for the history retriever (§11.6): what was described and run in which folder, how it ended, and which known words of a
 * goal led to it. Local to this user, apart from the workspace, at most 2,000 uses of 90 days for each folder. While it is off, nothing
 * is read and nothing is written.
 */
export class UsageHistory {
  readonly #files: HistoryFiles;
  readonly #clock: Clock;
  readonly #loaded = new Map<string, Loaded>();
  readonly #searches = new Map<string, PastSearch>();
  #isEnabled = true;

  constructor(ports: HistoryPorts) {
    this.#files = new HistoryFiles(ports);
    this.#clock = ports.clock;
  }

  get isEnabled(): boolean {
    return this.#isEnabled;
  }

  /** Switches recording and use on or off; what is stored stays. */
  setEnabled(isEnabled: boolean): void {
    this.#isEnabled = isEnabled;
    if (isEnabled) return;
    this.#searches.clear();
    this.#loaded.clear();
  }

  /** After a search: what it was for, in known words, and the keys it found. Kept in memory until a use follows. */
  rememberSearch(
    sessionId: string,
    search: {
      readonly query: ParsedQuery;
      readonly found: readonly string[];
      readonly isHeld: (word: string) => boolean;
    },
  ): void {
    if (!this.#isEnabled) return;
    const goal = goalWordsOf(search.query, search.isHeld);
    this.#searches.delete(sessionId);
    this.#searches.set(sessionId, { goal, found: new Set(search.found), time: this.#clock.now() });
    for (const oldest of this.#searches.keys()) {
      if (this.#searches.size <= SESSIONS) break;
      this.#searches.delete(oldest);
    }
  }

  /** After a describe or a run that is on record. Never rejects. */
  async recordUse(sessionId: string, { key, id, scope }: Resource, outcome: UsageOutcome): Promise<void> {
    if (!this.#isEnabled) return;
    const { events } = await this.#load(scope.root);
    const time = this.#clock.now();
    const event = { id, time, outcome, goal: this.#goalOf(sessionId, key, time) };
    this.#loaded.set(scope.root, { events: [...events, event].slice(-MOST_USES), time });
    await this.#files.append(scope.root, event);
  }

  /** The uses of a folder's resources, oldest first; none while it is off. Never rejects. */
  async usesOf(root: string): Promise<readonly UsageEvent[]> {
    return this.#isEnabled ? (await this.#load(root)).events : [];
  }

  /** Forgets the uses of these folders, or of all, in this process and on disk. Rejects when the disk can't be written. */
  async clear(roots: readonly string[] | 'all'): Promise<void> {
    await this.#files.clear(roots);
    this.#searches.clear();
    this.#loaded.clear();
  }

  /** What is stored of a folder, also while it is off. */
  async summarize(root: string): Promise<UsageSummary> {
    const events = await (this.#isEnabled ? this.#files.load(root) : this.#files.peek(root));
    const uses = { described: 0, succeeded: 0, failed: 0, declined: 0 };
    for (const { outcome } of events) uses[outcome] += 1;
    const withGoal = events.filter(({ goal }) => goal.length > 0).length;
    return { root, uses, withGoal, oldest: events[0]?.time, newest: events.at(-1)?.time };
  }

  async #load(root: string): Promise<Loaded> {
    const known = this.#loaded.get(root);
    const now = this.#clock.now();
    if (known !== undefined && now - known.time < FRESH_FOR) return known;
    const events = (await this.#files.load(root)).filter(({ time }) => time > now - LONGEST_KEPT);
    const loaded = { events, time: now };
    this.#loaded.set(root, loaded);
    return loaded;
  }

  #goalOf(sessionId: string, key: string, now: number): readonly string[] {
    const search = this.#searches.get(sessionId);
    if (search === undefined || !search.found.has(key) || now - search.time > LEADS_TO_WITHIN) return [];
    return search.goal;
  }
}

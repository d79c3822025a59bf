import {
  checkDiscoverability,
  discoveryLines,
  sharedAliases,
  type DiscoverySearch,
} from '../capabilities/evaluation/discoverability';
import type { Diagnostic, RegistryView, Resource } from '../capabilities/models';
import type { Logger } from '../capabilities/ports';
import { placeFindings, type ResourceFindings } from './features/discoverability-diagnostics';

/** What the checks need. */
export interface DiscoverabilityParts {
  /** What is saved: search finds nothing else. */
  readonly registry: RegistryView & { onDidChange(listener: () => void): unknown };
  readonly search: DiscoverySearch;
  /** Paths of the files open in the editor. */
  readonly openPaths: () => ReadonlySet<string>;
  /** Text of a file as it was saved. */
  readonly savedTextOf: (path: string) => string | undefined;
  /** `text` is what the places refer to. */
  readonly show: (path: string, text: string, diagnostics: readonly Diagnostic[]) => void;
  readonly logger: Logger;
}

/** Quiet time after a change before anything is searched, in milliseconds. */
const QUIET_TIME = 1500;
/** Searches of one pass. A pass that would need more checks only the files that are open. */
const SEARCHES_PER_PASS = 1500;

/**
 * Finds metadata that does not do its work, in the background: after a quiet time, one search per turn of the event loop, given up as
 * soon as something changes.
 */
export class DiscoverabilityChecks {
  readonly #parts: DiscoverabilityParts;
  readonly #shown = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  /** Counts the reasons to start anew: a pass with an older number gives up. */
  #round = 0;
  #isEnabled = true;

  constructor(parts: DiscoverabilityParts) {
    this.#parts = parts;
    parts.registry.onDidChange(() => {
      this.schedule();
    });
  }

  /** Starts anew after the quiet time: something has changed, or a file was opened. */
  schedule(): void {
    this.#round += 1;
    clearTimeout(this.#timer);
    if (!this.#isEnabled) return;
    const round = this.#round;
    this.#timer = setTimeout(() => void this.#pass(round), QUIET_TIME);
    // A server that is asked to end must not wait for a hint.
    this.#timer.unref();
  }

  /** The user's setting. Switched off, what was shown goes away. */
  setEnabled(isEnabled: boolean): void {
    if (this.#isEnabled === isEnabled) return;
    this.#isEnabled = isEnabled;
    this.schedule();
    if (!isEnabled) this.#clearExcept(new Set());
  }

  async #pass(round: number): Promise<void> {
    try {
      const all = this.#parts.registry.all();
      const shared = sharedAliases(all);
      const byFile = this.#filesToCheck(all);
      for (const [path, resources] of byFile) {
        const found: ResourceFindings[] = [];
        for (const resource of resources) {
          const findings = await checkDiscoverability(resource, shared, (query) => this.#searchLater(query, round));
          found.push({ resource, findings });
        }
        this.#show(path, found);
      }
      this.#clearExcept(new Set(byFile.keys()));
    } catch (error) {
      if (error === GIVEN_UP) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.logger.log('warn', 'discoverability could not be checked', { reason });
    }
  }

  /** Lets everything else go first. */
  async #searchLater(query: string, round: number): Promise<readonly Resource[]> {
    await new Promise((resolve) => setImmediate(resolve));
    if (round !== this.#round) throw GIVEN_UP;
    return this.#parts.search(query);
  }

  /** Files with what they hold, those in the editor first; only those when the whole would take too long. */
  #filesToCheck(all: readonly Resource[]): ReadonlyMap<string, readonly Resource[]> {
    const open = this.#parts.openPaths();
    const searches = all.reduce((sum, resource) => sum + discoveryLines(resource).length, 0);
    const files = new Map<string, Resource[]>([...open].map((path) => [path, []]));
    for (const resource of all) {
      const path = resource.source?.path;
      if (path === undefined || (searches > SEARCHES_PER_PASS && !open.has(path))) continue;
      files.set(path, [...(files.get(path) ?? []), resource]);
    }
    return files;
  }

  #show(path: string, found: readonly ResourceFindings[]): void {
    const text = this.#parts.savedTextOf(path);
    const diagnostics = text === undefined ? [] : placeFindings(text, found);
    if (diagnostics.length > 0) this.#shown.add(path);
    else if (!this.#shown.delete(path)) return;
    this.#parts.show(path, text ?? '', diagnostics);
  }

  #clearExcept(kept: ReadonlySet<string>): void {
    for (const path of this.#shown) if (!kept.has(path)) this.#show(path, []);
  }
}

/** Thrown to leave a pass that is out of date. */
const GIVEN_UP = new Error('out of date');

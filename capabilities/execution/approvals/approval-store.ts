import { canonicalJson } from '../../canonical-json';
import type { Scope } from '../../models';
import type { Clock, DataStore, Digest, Logger } from '../../ports';
import type { PackContent } from './pack-content';

/** What a person has approved, as it was then. */
export interface StoredApproval {
  readonly packId: string;
  /** Absolute path of the folder that the definitions belong to. */
  readonly root: string;
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
  readonly items: ReadonlyMap<string, string>;
}

const folder = 'approvals';
const formatVersion = 1;

/**
 * Approvals in the per-user data folder, one file for each pack of each folder. Written whole, by rename; a file that is damaged, of another
 * format or for another pack approves nothing.
 */
export class ApprovalStore {
  readonly #store: DataStore;
  readonly #digest: Digest;
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor(ports: {
    readonly store: DataStore;
    readonly digest: Digest;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#store = ports.store;
    this.#digest = ports.digest;
    this.#clock = ports.clock;
    this.#logger = ports.logger;
  }

  /** The last approval of a pack; undefined when there is none that can be believed. */
  async read(packId: string, root: string): Promise<StoredApproval | undefined> {
    const name = this.#nameOf(packId, root);
    try {
      const text = await this.#store.read(name);
      const stored = text === undefined ? undefined : parseApproval(text, this.#digest);
      return stored?.packId === packId && stored.root === root ? stored : undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#logger.log('warn', 'An approval could not be read; the pack counts as not approved.', { reason });
      return undefined;
    }
  }

  /** Remembers exactly this content. Rejects when it can't be written. */
  async write({ packId, scope, items }: PackContent): Promise<void> {
    const approvedAt = new Date(this.#clock.now()).toISOString();
    const content = { format: formatVersion, packId, root: scope.root, approvedAt, items: [...items] };
    const sealed = { ...content, hash: this.#digest.sha256(canonicalJson(content)) };
    await this.#store.write(this.#nameOf(packId, scope.root), `${JSON.stringify(sealed)}\n`);
  }

  /** Forgets the approval of a pack. */
  async remove(packId: string, { root }: Pick<Scope, 'root'>): Promise<void> {
    await this.#store.remove(this.#nameOf(packId, root));
  }

  #nameOf(packId: string, root: string): string {
    return `${folder}/${this.#digest.sha256(canonicalJson([root, packId]))}.json`;
  }
}

/** The hash is no signature: it tells a file that is damaged or half there, not one that somebody made. */
function parseApproval(text: string, digest: Digest): StoredApproval | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { hash, ...content } = value as Record<string, unknown>;
  if (content['format'] !== formatVersion || hash !== digest.sha256(canonicalJson(content))) return undefined;
  const { packId, root, approvedAt, items } = content;
  const isText = (part: unknown): part is string => typeof part === 'string';
  const isItem = (part: unknown): part is [string, string] =>
    Array.isArray(part) && part.length === 2 && part.every(isText);
  if (!isText(packId) || !isText(root) || !isText(approvedAt)) return undefined;
  if (!Array.isArray(items) || !items.every(isItem)) return undefined;
  return { packId, root, approvedAt, items: new Map(items) };
}

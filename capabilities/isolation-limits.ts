import type { NetworkPolicy } from './generated/types';

/** A file or folder that a run may write. */
export interface WritablePlace {
  /** Absolute. The part of it that exists is real: no link leads elsewhere. */
  readonly path: string;
  /** What is made when it is missing. */
  readonly kind: 'folder' | 'file';
}

/** What one run may touch; the rest it can read at most. Paths are absolute. */
export interface IsolationLimits {
  /** Real path of the folder that the definition belongs to. */
  readonly workspaceFolder: string;
  readonly writable: readonly WritablePlace[];
  /** Read-only although inside a writable place, and not to be made when missing. */
  readonly protectedPaths: readonly string[];
  readonly network: NetworkPolicy;
}

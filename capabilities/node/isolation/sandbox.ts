import type { IsolationRequest, ProcessRequest } from '../../ports';

/** A run that is ready to be started inside its limits. */
export interface Sandbox {
  /** Words before the command. */
  readonly prefix: readonly string[];
  /** What the descriptors from 3 on are for: bytes to be sent, or `report` where bubblewrap says how it went. */
  readonly descriptors: readonly (Buffer | 'report')[];
  /** Takes away what was made for the run alone; call it once, after the end. */
  release(): Promise<void>;
}

/** A process with limits. */
export type IsolatedRequest = ProcessRequest & { readonly isolation: IsolationRequest };

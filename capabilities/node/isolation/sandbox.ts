import type { Duplex } from 'node:stream';
import type { IsolationRequest, ProcessRequest } from '../../ports';

/** A run that is ready to be started inside its limits. */
export interface Sandbox {
  /** Program and arguments that start the command inside its limits. */
  readonly words: readonly string[];
  /** What the descriptors from 3 on are for: bytes to be sent, `report` where bubblewrap says how it went, `lifeline` by which it shows that the server is there, `network` for the way to the hosts of a list. */
  readonly descriptors: readonly (Buffer | 'report' | 'lifeline' | 'network')[];
  /** Serves the other end of the `network` descriptor. */
  readonly serveNetwork?: (stream: Duplex) => void;
  /** Takes away what was made for the run alone; call it once, after the end. */
  release(): Promise<void>;
}

/** A process with limits. */
export type IsolatedRequest = ProcessRequest & { readonly isolation: IsolationRequest };

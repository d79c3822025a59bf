import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../ports';

/** The machine's clocks. */
export class NodeClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    }
  }
}

import type { Clock } from '../ports';

/** The machine's clocks. */
export class NodeClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  /** Without the promise timers of Node: a search starts several and cuts all of them off, and they make an error with a stack each time. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', fail);
        resolve();
      }, ms);
      if (signal?.aborted === true) fail();
      else signal?.addEventListener('abort', fail, { once: true });
    });
  }
}

/** Gives back a slot. Calling it again does nothing. */
export type ReleaseSlot = () => void;

interface Waiter {
  readonly start: () => void;
}

/** Lets a fixed number of runs go on at a time; the others wait in the order they came. */
export class RunQueue {
  readonly #limit: number;
  readonly #waiting: Waiter[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves with a slot, or with undefined when the signal was aborted before there was one. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#running < this.#limit) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take());
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #take(): ReleaseSlot {
    this.#running += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#running -= 1;
      this.#waiting.shift()?.start();
    };
  }
}

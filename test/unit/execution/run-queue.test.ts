import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunQueue } from '../../../capabilities/execution/run-queue';

const never = (): AbortSignal => new AbortController().signal;

describe('RunQueue', () => {
  it('lets as many go on as it has slots, and the others in their order', async () => {
    const queue = new RunQueue(2);
    const started: number[] = [];
    const slots = [0, 1, 2, 3].map(async (number) => {
      const release = await queue.acquire(never());
      started.push(number);
      return release;
    });
    const [first, second] = await Promise.all(slots.slice(0, 2));
    expect(started).toEqual([0, 1]);
    second?.();
    await slots[2];
    expect(started).toEqual([0, 1, 2]);
    first?.();
    await slots[3];
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('gives a slot back once, however often it is released', async () => {
    const queue = new RunQueue(1);
    const release = await queue.acquire(never());
    const [second, third] = [queue.acquire(never()), queue.acquire(never())];
    release?.();
    release?.();
    const held = await second;
    let isThirdRunning = false;
    void third.then(() => {
      isThirdRunning = true;
    });
    await Promise.resolve();
    expect(isThirdRunning).toBe(false);
    held?.();
    expect(await third).toBeTypeOf('function');
  });

  it('lets a cancelled call leave the line without a slot', async () => {
    const queue = new RunQueue(1);
    const abort = new AbortController();
    const release = await queue.acquire(never());
    const leaving = queue.acquire(abort.signal);
    const staying = queue.acquire(never());
    abort.abort();
    expect(await leaving).toBeUndefined();
    release?.();
    expect(await staying).toBeTypeOf('function');
    expect(await queue.acquire(AbortSignal.abort())).toBeUndefined();
  });

  it('never runs more than its limit and loses nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 15 }),
        async (scheduler, limit, cancels) => {
          const queue = new RunQueue(limit);
          let running = 0;
          const ended = cancels.map(async (isCancelled, index) => {
            const abort = new AbortController();
            const slot = queue.acquire(abort.signal);
            if (isCancelled)
              void scheduler.schedule(Promise.resolve(), `cancel ${index}`).then(() => {
                abort.abort();
              });
            const release = await slot;
            if (release === undefined) return isCancelled;
            running += 1;
            expect(running).toBeLessThanOrEqual(limit);
            await scheduler.schedule(Promise.resolve(), `run ${index}`);
            running -= 1;
            release();
            return true;
          });
          const all = Promise.all(ended);
          await scheduler.waitFor(all);
          expect((await all).every(Boolean)).toBe(true);
        },
      ),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { NodeClock } from '../../../capabilities/node/node-clock';

describe('sleeping', () => {
  const clock = new NodeClock();

  it('ends after the time', async () => {
    const start = clock.monotonic();
    await clock.sleep(5);
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(4);
  });

  it('ends at once with the reason of the signal', async () => {
    const stop = new AbortController();
    const sleeping = clock.sleep(60_000, stop.signal);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(60_000, stop.signal)).rejects.toBe(reason);
  });

  it('does not care about a signal that comes too late', async () => {
    const stop = new AbortController();
    await clock.sleep(0, stop.signal);
    stop.abort();
    expect(stop.signal.aborted).toBe(true);
  });
});

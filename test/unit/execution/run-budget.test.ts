import fc from 'fast-check';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_BUDGET, RunBudget } from '../../../capabilities/execution/run-budget';
import type { BudgetLimits, ErrorReply } from '../../../capabilities/models';
import { ExecutorBench } from './executor-bench';
import { HandClock } from './memory-store';
import { sampleContext } from './sample-resources';

const limits = (
  session: Partial<BudgetLimits['session']>,
  action: Partial<BudgetLimits['action']> = {},
): BudgetLimits => ({
  windowMinutes: 10,
  session: { ...NO_BUDGET.session, ...session },
  action: { ...NO_BUDGET.action, ...action },
});

describe('a budget', () => {
  let clock: HandClock;
  beforeEach(() => {
    clock = new HandClock();
  });

  it('limits runs for a session, and says when one is free again', () => {
    const budget = new RunBudget(clock, () => limits({ runs: 2 }));
    expect(budget.start('s', 'a').ok).toBe(true);
    clock.steady += 60_000;
    expect(budget.start('s', 'b').ok).toBe(true);
    expect(budget.start('s', 'c')).toEqual({
      ok: false,
      excess: { limit: '2 runs for this session', resetsInSeconds: 540 },
    });
    expect(budget.start('other', 'c').ok).toBe(true);
    clock.steady += 540_000;
    expect(budget.start('s', 'c').ok).toBe(true);
  });

  it('limits one action, its time and its output', () => {
    const budget = new RunBudget(clock, () => limits({}, { seconds: 5, outputBytes: 100 }));
    const first = budget.start('s', 'a');
    if (first.ok) first.finish({ seconds: 6, outputBytes: 1 });
    expect(budget.start('s', 'a')).toMatchObject({ excess: { limit: '5 seconds of run time for "a"' } });
    const second = budget.start('s', 'b');
    if (second.ok) second.finish({ seconds: 1, outputBytes: 100 });
    expect(budget.start('s', 'b')).toMatchObject({ excess: { limit: '100 bytes of output for "b"' } });
    expect(budget.start('s', 'c').ok).toBe(true);
  });

  it('is not moved by the clock on the wall', () => {
    const budget = new RunBudget(clock, () => limits({ runs: 1 }));
    budget.start('s', 'a');
    clock.wall += 365 * 86_400_000;
    expect(budget.start('s', 'a').ok).toBe(false);
  });

  it('never lets more through than its limit, however calls and time come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400_000), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (pauses, runs) => {
        const time = new HandClock();
        const budget = new RunBudget(time, () => limits({ runs }));
        const passed: number[] = [];
        for (const pause of pauses) {
          time.steady += pause;
          if (budget.start('s', 'a').ok) passed.push(time.steady);
        }
        for (const at of passed)
          expect(passed.filter((other) => other > at - 600_000 && other <= at).length).toBeLessThanOrEqual(runs);
      }),
    );
  });
});

describe('a run beyond the budget', () => {
  it('is refused after its confirmation, runs nothing, is on record, and the setting holds at once', async () => {
    const bench = new ExecutorBench();
    bench.budget = limits({ runs: 1 });
    bench.addProgram('');
    expect(await bench.run()).toMatchObject({ status: 'ok' });
    bench.addProgram("require('fs').writeFileSync('ran', '')", {
      side_effect: 'W-local',
      requires_confirmation: false,
    });
    const refused = (await bench.run()) as ErrorReply;
    expect(refused).toMatchObject({ code: 'budget_exceeded', retryable: true });
    expect(refused.message).toMatch(/limit of 1 runs for this session.*free again in 10 minutes/u);
    expect(existsSync(path.join(bench.root, 'ran'))).toBe(false);
    expect(bench.audit.at(-1)).toMatchObject({ kind: 'decision', decision: 'refused', outcome: 'budget_exceeded' });
    expect(await bench.run({}, { ...sampleContext(), sessionId: 'another' })).toMatchObject({ status: 'ok' });
    bench.budget = NO_BUDGET;
    expect(await bench.run()).toMatchObject({ status: 'ok' });
  });

  it('is refused when it comes with others at once', async () => {
    const bench = new ExecutorBench();
    bench.budget = limits({ runs: 3 });
    bench.addProgram('');
    await bench.approve();
    const replies = await Promise.all(Array.from({ length: 10 }, () => bench.run()));
    expect(replies.filter(({ status }) => status === 'ok')).toHaveLength(3);
  });
});

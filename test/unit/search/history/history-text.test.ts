import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UsageEvent } from '../../../../capabilities/models';
import { formatHistory, formatUse, parseHistory } from '../../../../capabilities/search/history/history-text';

const use: fc.Arbitrary<UsageEvent> = fc.record({
  id: fc.string({ minLength: 1, maxLength: 40 }),
  time: fc.nat(),
  outcome: fc.constantFrom('described', 'succeeded', 'failed', 'declined'),
  goal: fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 16 }),
});

describe('the text of a history', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.array(use), fc.string(), fc.nat(), (uses, root, clearedAt) => {
        const events = uses.toSorted((one, other) => one.time - other.time);
        expect(parseHistory(formatHistory({ root, clearedAt }, events))).toEqual({
          ...{ root, clearedAt, events, brokenLines: 0 },
        });
      }),
    );
  });

  test('never throws, and gives only whole uses', () => {
    const line = fc.oneof(fc.string(), fc.json(), use.map(formatUse));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { events } = parseHistory(lines.join('\n'));
        for (const { id, time, goal } of events) {
          expect(id).not.toBe('');
          expect(Number.isFinite(time)).toBe(true);
          expect(goal.every((word) => word.length <= 40)).toBe(true);
        }
      }),
    );
  });

  const good = formatUse({ id: 'a', time: 1, outcome: 'succeeded', goal: [] });
  test.each([
    ['nothing', '', 0, 0],
    ['no head', `${good}\n`, 1, 0],
    ['a torn last line', `${good}\n${good.slice(0, 9)}`, 1, 0],
    ['a whole last line without its end', good, 1, 0],
    ['junk', '\u0000\u0001\n{}\n', 0, 2],
    ['an unknown outcome', `${good.replace('succeeded', 'adored')}\n`, 0, 1],
    ['a time that is none', `${good.replace('1', '"1"')}\n`, 0, 1],
    ['words that are none', `${good.replace('}', ',"goal":[7]}')}\n`, 0, 1],
  ])('%s', (_case, text, uses, broken) => {
    const parsed = parseHistory(text);
    expect([parsed.events.length, parsed.brokenLines]).toEqual([uses, broken]);
  });
});

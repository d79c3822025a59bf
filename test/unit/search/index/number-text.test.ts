import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberReader, NumberWriter } from '../../../../capabilities/search/index/number-text';

const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('lists of numbers come back as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.array(number, { maxLength: 40 }), { maxLength: 5 }), (lists) => {
      const writer = new NumberWriter();
      for (const list of lists) writer.writeAll(list);
      const reader = new NumberReader(writer.text());
      expect(lists.map(() => [...reader.readAll()])).toEqual(lists);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

test('a written number is printable ASCII, and small ones take one character', () => {
  fc.assert(
    fc.property(number, (value) => {
      const writer = new NumberWriter();
      writer.write(value);
      expect(writer.text()).toMatch(/^[0-o]{1,7}$/);
      expect(writer.text().length === 1).toBe(value < 32);
    }),
  );
});

test('differences add up to the numbers that they were taken from', () => {
  fc.assert(
    fc.property(fc.array(number), (values) => {
      const ascending = [...values].sort((one, other) => one - other);
      const writer = new NumberWriter();
      ascending.forEach((value, index) => {
        writer.write(value - (ascending[index - 1] ?? 0));
      });
      const sums = new Uint32Array(ascending.length + 1);
      new NumberReader(writer.text()).readSums(sums, 1, ascending.length);
      expect([...sums]).toEqual([0, ...ascending]);
    }),
  );
});

test('text that was cut off is not read to its end by chance', () => {
  const writer = new NumberWriter();
  writer.writeAll([1, 100_000, 3]);
  const reader = new NumberReader(writer.text().slice(0, -2));
  reader.readAll();
  expect(reader.isAtEnd).toBe(false);
});

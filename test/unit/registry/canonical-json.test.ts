import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, tryCanonicalJson } from '../../../capabilities/canonical-json';

/** JSON without `-0`, which is written as `0`. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

describe('canonicalJson', () => {
  test.each([
    [{ b: 1, a: [true, null, 'x\n'] }, '{"a":[true,null,"x\\n"],"b":1}'],
    [{ '😀': 1, '\uFB01': 2 }, '{"😀":1,"ﬁ":2}'],
    [[1e21, 0.1, -0, 100], '[1e+21,0.1,0,100]'],
    [{ a: undefined }, '{}'],
    [JSON.parse('{"__proto__": 1}'), '{"__proto__":1}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ])('writes %j in one way', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  let deep: unknown = 0;
  for (let level = 0; level < 20_000; level += 1) deep = [deep];

  test.each([
    ['a lone surrogate', { a: ['x\uD800'] }, 'lone-surrogate', '/a/0'],
    ['a lone surrogate in a key', { '\uDC00': 1 }, 'lone-surrogate', '/\uDC00'],
    ['NaN', [Number.NaN], 'not-finite', '/0'],
    ['infinity', Number.POSITIVE_INFINITY, 'not-finite', ''],
    ['undefined in a list', [undefined], 'not-json', '/0'],
    ['a Map', { 'a/b': new Map() }, 'not-json', '/a~1b'],
    ['a bigint', 1n, 'not-json', ''],
    ['a deep value', deep, 'too-deep', '/0'.repeat(501)],
  ])('refuses %s', (_, value, code, pointer) => {
    expect(tryCanonicalJson(value)).toMatchObject({ ok: false, problem: { code, pointer } });
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test('gives different values different texts and equal values the same', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const isSame = JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other));
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isSame);
      }),
    );
  });

  test('reads back as the same value, and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(reverseKeys(value))).toBe(text);
      }),
    );
  });
});

function mapEntries(value: unknown, order: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapEntries(item, order));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(order(Object.entries(value)).map(([key, item]) => [key, mapEntries(item, order)]));
}

function sortKeys(value: unknown): unknown {
  return mapEntries(value, (entries) => entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function reverseKeys(value: unknown): unknown {
  return mapEntries(value, (entries) => entries.reverse());
}

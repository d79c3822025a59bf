import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompiledSchema } from '../../../capabilities/models';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';

const compiler = new SchemaCompiler();
const newest = 'https://json-schema.org/draft/2020-12/schema';

function compile(schema: object): CompiledSchema {
  const result = compiler.compile(schema);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.value;
}

/** A value inside `depth` lists. */
function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

describe('SchemaCompiler.check', () => {
  const own: Record<string, unknown> = { type: 'object' };
  own['properties'] = { own };

  test.each<[string, object, string, string]>([
    ['an unknown type', { properties: { a: { type: 'strng' } } }, '/properties/a/type', 'Did you mean `string`?'],
    ['a keyword with a value of the wrong kind', { required: 'a' }, '/required', 'must be a list'],
    ['a negative length', { properties: { a: { minLength: -1 } } }, '/properties/a/minLength', '>= 0'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, '/$schema', 'draft-07'],
    ['a dialect that is no text', { $schema: 7 }, '/$schema', 'draft-07'],
    ['a reference to the network', { $ref: 'http://169.254.169.254/' }, '/$ref', 'Nothing is fetched'],
    ['a reference to a file', { allOf: [{ $ref: 'file:///etc/passwd' }] }, '/allOf/0/$ref', 'Nothing is fetched'],
    ['a reference that can not be decoded', { $ref: '#/%' }, '/$ref', 'Nothing is fetched'],
    ['a reference to nothing', { $ref: '#/definitions/none' }, '/$ref', 'does not lead'],
    ['a reference to what is no schema', { $ref: '#/properties', properties: {} }, '/$ref', 'does not lead'],
    ['a reference to itself', { $ref: '#' }, '', 'never ends'],
    [
      'a loop',
      { definitions: { a: { anyOf: [{ $ref: '#/definitions/b' }] }, b: { not: { $ref: '#/definitions/a' } } } },
      '/definitions/b/not',
      'never ends',
    ],
    ['asynchronous validation', { $async: true }, '/$async', 'not supported'],
    ['an inner $id', { properties: { a: { $id: 'x' } } }, '/properties/a/$id', 'not supported'],
    ['a dynamic reference', { $schema: newest, $dynamicRef: '#x' }, '/$dynamicRef', 'not supported'],
    ['a deep schema', nest(20_000, (inner) => ({ not: inner })) as object, '', 'too large'],
    ['a schema that holds itself', own, '', 'too large'],
    ['a wide schema', { enum: Array.from({ length: 20_000 }, (_, index) => index) }, '', 'too large'],
    ['a list', [], '', 'must be a map'],
  ])('refuses %s', (_, schema, pointer, message) => {
    const problems = compiler.check(schema);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'invalid-schema', severity: 'error', pointer });
    expect(problems[0]!.message).toContain(message);
    expect(compiler.compile(schema)).toEqual({ ok: false, problem: problems });
  });

  test.each(['(?=a)b', '(?<!a)b', '(a)\\1', '(', 'a{1001}', '((a{100}){100}){100}', 'x'.repeat(1001)])(
    'refuses the pattern %s',
    (pattern) => {
      const text = { properties: { a: { pattern } } };
      expect(compiler.check(text)).toMatchObject([{ code: 'unsupported-pattern', pointer: '/properties/a/pattern' }]);
      const keys = { patternProperties: { [pattern]: {} } };
      expect(compiler.check(keys)).toMatchObject([{ code: 'unsupported-pattern' }]);
    },
  );

  test.each<[string, object, string, string]>([
    ['a list without items', { properties: { a: { type: ['array', 'null'] } } }, '/properties/a/type', 'Add `items`'],
    ['a misspelt keyword', { propertys: {} }, '/propertys', 'Did you mean `properties`?'],
    ['an unknown keyword', { zzzzzzzz: 1 }, '/zzzzzzzz', 'It is ignored.'],
    ['a keyword that draft-07 lacks', { prefixItems: [] }, '/prefixItems', '2020-12'],
  ])('warns of %s and compiles', (_, schema, pointer, message) => {
    expect(compiler.check(schema)).toMatchObject([{ severity: 'warning', pointer }]);
    expect(compiler.check(schema)[0]!.message).toContain(message);
    expect(compiler.compile(schema).ok).toBe(true);
  });

  test('has nothing against an ordinary schema', () => {
    const schema = {
      $id: 'https://example.com/x',
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      'x-note': 1,
      properties: { pattern: { type: 'string', format: 'uri' }, items: { type: 'array', items: [{ type: 'string' }] } },
      dependencies: { pattern: ['items'], items: { required: ['pattern'] } },
      default: { $ref: 'http://not-a-schema/' },
    };
    expect(compiler.check(schema)).toEqual([]);
    expect(compiler.compile(schema)).toBe(compiler.compile(schema));
    expect(compiler.compile({ ...schema }).ok).toBe(true);
  });
});

describe('CompiledSchema.validate', () => {
  const schema = compile({
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: {
      id: { type: 'string', pattern: '^(a+)+$', minLength: 1, maxLength: 100_000 },
      mode: { enum: ['fast', 'slow', 3] },
      list: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, maxItems: 3, uniqueItems: true },
      target: {
        anyOf: [{ type: 'string' }, { type: 'object', required: ['host'], properties: { host: { type: 'string' } } }],
      },
      step: {
        oneOf: [
          { properties: { kind: { const: 'a' }, x: { type: 'number' } } },
          { properties: { kind: { const: 'b' } }, required: ['y'] },
        ],
      },
      map: { type: 'object', minProperties: 1, maxProperties: 1, propertyNames: { pattern: '^[a-z]+$' } },
      same: { const: 5 },
    },
  });

  test.each([
    [{ id: 'a' }, []],
    [
      { id: 'aaa', list: [1, 2], mode: 3, target: { host: 'x' }, step: { kind: 'b', y: 1 }, map: { a: 1 }, same: 5 },
      [],
    ],
    [{}, [{ pointer: '', message: '`id` is missing' }]],
    [{ id: 'b' }, [{ pointer: '/id', message: 'must match the pattern `^(a+)+$`' }]],
    [{ id: 1 }, [{ pointer: '/id', message: 'must be text, not the number 1' }]],
    [{ id: null }, [{ pointer: '/id', message: 'must be text, not empty' }]],
    [
      { id: 'a', mode: 'fats' },
      [{ pointer: '/mode', message: 'must be one of `fast`, `slow`, `3`. Did you mean `fast`?' }],
    ],
    [{ id: 'a', same: 4 }, [{ pointer: '/same', message: 'must be `5`.' }]],
    [{ id: 'a', list: [0, 2] }, [{ pointer: '/list/0', message: 'must be >= 1' }]],
    [{ id: 'a', list: [1] }, [{ pointer: '/list', message: 'must have at least 2 items' }]],
    [{ id: 'a', list: [1, 2, 3, 4] }, [{ pointer: '/list', message: 'must have at most 3 items' }]],
    [{ id: 'a', list: [1, 1] }, [{ pointer: '/list', message: 'must not hold the same item twice (items 1 and 2)' }]],
    [{ id: 'a', target: 5 }, [{ pointer: '/target', message: 'must be text or a map, not the number 5' }]],
    [{ id: 'a', target: {} }, [{ pointer: '/target', message: '`host` is missing' }]],
    [{ id: 'a', step: { kind: 'c' } }, [{ pointer: '/step/kind', message: 'must be one of `a`, `b`.' }]],
    [{ id: 'a', step: { kind: 'b' } }, [{ pointer: '/step', message: '`y` is missing' }]],
    [{ id: 'a', map: {} }, [{ pointer: '/map', message: 'must have at least 1 keys' }]],
    [{ id: 'a', map: { A: 1 } }, [{ pointer: '/map/A', message: '`A` is not allowed as a key here' }]],
    [[], [{ pointer: '', message: 'must be a map, not a list' }]],
  ])('says what is wrong with %j', (value, problems) => {
    expect(schema.validate(value)).toEqual(problems);
  });

  test('suggests the argument that was probably meant, and says a misspelt one is missing only once', () => {
    expect(schema.validate({ idd: 'a', 'a/b': 1 })).toEqual([
      { pointer: '/idd', message: '`idd` is not a known key. Did you mean `id`?' },
      {
        pointer: '/a~1b',
        message: '`a/b` is not a known key. Known keys: `id`, `mode`, `list`, `target`, `step`, `map`, `same`.',
      },
    ]);
  });

  test('enforces every pattern of a schema, not only the first', () => {
    const properties = { a: { pattern: '^x' }, b: { pattern: '^y' }, c: { items: { pattern: '^z$' } } };
    const compiled = compiler.compile({ type: 'object', properties });
    if (!compiled.ok) throw new Error('refused');
    expect(compiled.value.validate({ a: 'x1', b: 'y1', c: ['z'] })).toEqual([]);
    expect(compiled.value.validate({ a: 'x1', b: 'x; evil', c: ['z', 'y'] })).toMatchObject([
      { pointer: '/b' },
      { pointer: '/c/1' },
    ]);
  });

  test('takes linear time for any pattern', () => {
    const start = performance.now();
    schema.validate({ id: `${'a'.repeat(50_000)}b` });
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'does not take %s for a property that every object has',
    (name) => {
      expect(compile({ required: [name] }).validate({})).toEqual([{ pointer: '', message: `\`${name}\` is missing` }]);
      expect(compile({ properties: { [name]: { type: 'string' } } }).validate({})).toEqual([]);
    },
  );

  test('answers for data of any depth, also with a schema that refers to itself', () => {
    const recursive = compile({ properties: { a: { $ref: '#' } }, additionalProperties: false });
    expect(recursive.validate(nest(20, (inner) => ({ a: inner })))).toEqual([]);
    expect(recursive.validate(nest(20_000, (inner) => ({ a: inner })))[0]!.message).toContain('too large');
    expect(recursive.validate(Array.from({ length: 200_000 }, () => 0))[0]!.message).toContain('too large');
    expect(recursive.validate({ a: { b: 1 } })).toMatchObject([{ pointer: '/a/b' }]);
  });

  test('reads 2020-12 when the schema says so', () => {
    const tuple = compile({ $schema: newest, type: 'array', prefixItems: [{ type: 'string' }], items: false });
    expect(tuple.validate(['x'])).toEqual([]);
    expect(tuple.validate(['x', 1])).toHaveLength(1);
    const closed = compile({ $schema: newest, type: 'object', properties: { a: {} }, unevaluatedProperties: false });
    expect(closed.validate({ b: 1 })).toMatchObject([{ pointer: '/b' }]);
  });

  test('is deterministic and does not change the value', () => {
    const value = { id: 'b', extra: [1, 2] };
    const before = structuredClone(value);
    expect(schema.validate(value)).toEqual(schema.validate(value));
    expect(value).toEqual(before);
  });
});

describe('CompiledSchema.applyDefaults', () => {
  test.each<[string, object, unknown, unknown]>([
    ['a missing property', { properties: { a: { default: 1 } } }, {}, { a: 1 }],
    ['nothing that is there', { properties: { a: { default: 1 } } }, { a: null }, { a: null }],
    [
      'a property inside a default',
      { properties: { a: { default: {}, properties: { b: { default: [2] } } } } },
      {},
      { a: { b: [2] } },
    ],
    ['properties of items', { items: { properties: { b: { default: 2 } } } }, [{}, { b: 1 }], [{ b: 2 }, { b: 1 }]],
    [
      'items by place',
      { items: [{ properties: { b: { default: 2 } } }], additionalItems: { properties: { c: { default: 3 } } } },
      [{}, {}],
      [{ b: 2 }, { c: 3 }],
    ],
    [
      'through references',
      { properties: { a: { $ref: '#/definitions/a~1x' } }, definitions: { 'a/x': { default: 7 } } },
      {},
      { a: 7 },
    ],
    ['through allOf', { allOf: [{ properties: { a: { default: 1 } } }] }, {}, { a: 1 }],
    ['further properties', { additionalProperties: { properties: { b: { default: 2 } } } }, { x: {} }, { x: { b: 2 } }],
    [
      'a recursive value',
      { properties: { next: { $ref: '#' }, v: { default: 1 } } },
      { next: { next: {} } },
      { v: 1, next: { v: 1, next: { v: 1 } } },
    ],
    ['no alternative', { anyOf: [{ properties: { a: { default: 1 } } }] }, {}, {}],
    ['no text', { properties: { a: { default: 1 } } }, 'x', 'x'],
  ])('fills in %s', (_, schema, value, expected) => {
    expect(compile(schema).applyDefaults(value)).toEqual(expected);
  });

  test('shares nothing with the value or the schema, and keeps odd keys ordinary', () => {
    const schema = { properties: { a: { default: { b: [] } } } };
    const value = JSON.parse('{"c": {"d": 1}, "__proto__": {"e": 1}}') as Record<string, unknown>;
    const filled = compile(schema).applyDefaults(value) as Record<string, Record<string, unknown>>;
    filled['c']!['d'] = 2;
    (filled['a']!['b'] as unknown[]).push(1);
    expect(value['c']).toEqual({ d: 1 });
    expect(schema.properties.a.default).toEqual({ b: [] });
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(Object.hasOwn(filled, '__proto__')).toBe(true);
  });

  test('changes nothing without defaults', () => {
    const schema = compile({ type: 'object', additionalProperties: { items: {} } });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(schema.applyDefaults(value)).toEqual(value);
      }),
    );
  });
});

describe('a schema that asks for endless work', () => {
  const levels = Array.from({ length: 40 }, (_, level): [string, object] => [
    `a${level}`,
    level === 39 ? {} : { allOf: [{ $ref: `#/definitions/a${level + 1}` }, { $ref: `#/definitions/a${level + 1}` }] },
  ]);
  const twice = { properties: { x: { $ref: '#/definitions/a' } } };
  const nested = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ x: inner }), 1);

  test.each<[string, object, unknown]>([
    [
      'by doubling in place',
      { type: 'object', allOf: [{ $ref: '#/definitions/a0' }], definitions: Object.fromEntries(levels) },
      {},
    ],
    [
      'by doubling with each level of the value',
      { type: 'object', properties: { x: { $ref: '#/definitions/a' } }, definitions: { a: { anyOf: [twice, twice] } } },
      nested,
    ],
    [
      'by doubling defaults',
      { type: 'object', properties: { x: { $ref: '#/definitions/a' } }, definitions: { a: { allOf: [twice, twice] } } },
      nested,
    ],
    [
      'by comparing every item with every other',
      { type: 'object', properties: { x: { uniqueItems: true } } },
      { x: Array.from({ length: 90_000 }, (_, index) => index) },
    ],
  ])('%s is given up in a moment', (_name, schema, value) => {
    const compiled = new SchemaCompiler().compile(schema);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problem));
    const start = performance.now();
    expect(compiled.value.applyDefaults(value)).toEqual(value);
    expect(compiled.value.validate(value)).toEqual([
      { pointer: '', message: expect.stringContaining('too many steps') as string },
    ]);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test('an honest recursive schema still checks what is deep and wide', () => {
    const tree = {
      type: 'object',
      properties: { left: { $ref: '#' }, right: { $ref: '#' }, name: { type: 'string' } },
    };
    const grow = (depth: number): object =>
      depth === 0 ? { name: 'leaf' } : { left: grow(depth - 1), right: grow(depth - 1) };
    const compiled = new SchemaCompiler().compile(tree);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problem));
    expect(compiled.value.validate(grow(13))).toEqual([]);
    expect(compiled.value.validate({ left: { name: 1 } })).toMatchObject([{ pointer: '/left/name' }]);
  });
});

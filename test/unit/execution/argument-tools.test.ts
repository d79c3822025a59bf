import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactArguments } from '../../../capabilities/execution/argument-redaction';
import { unwrapArguments } from '../../../capabilities/execution/argument-unwrapping';
import { correctedExample } from '../../../capabilities/execution/corrected-example';
import { fitText, jsonBytes } from '../../../capabilities/execution/text-budget';
import { SchemaCompiler } from '../../../capabilities/registry/schema-compiler';
import type { ActionExample } from '../../../capabilities/models';
import { sampleAction } from './sample-resources';

describe('unwrapArguments', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['a string once only', '"{}"', '{}'],
    ['nesting once only', { arguments: { arguments: {} } }, { arguments: {} }],
    ['not two keys', { arguments: {}, x: 1 }, { arguments: {}, x: 1 }],
    ['not a list', { arguments: [1] }, { arguments: [1] }],
  ])('undoes %s', (_name, raw, expected) => {
    expect(unwrapArguments(raw, {})).toEqual(expected);
  });

  it('leaves an argument alone that is really called `arguments`', () => {
    const raw = { arguments: { a: 1 } };
    expect(unwrapArguments(raw, { properties: { arguments: {} } })).toBe(raw);
  });
});

describe('redactArguments', () => {
  const secret = { type: 'string', writeOnly: true };
  it.each<[string, object, unknown, unknown]>([
    ['a property', { properties: { a: secret } }, { a: 's', b: 'x' }, { a: '[redacted]', b: 'x' }],
    ['a whole object', { properties: { a: { writeOnly: true } } }, { a: { deep: 's' } }, { a: '[redacted]' }],
    [
      'behind a reference',
      { properties: { a: { $ref: '#/$defs/s' } }, $defs: { s: secret } },
      { a: 's' },
      { a: '[redacted]' },
    ],
    [
      'beside a reference',
      { properties: { a: { $ref: '#/$defs/s', writeOnly: true } }, $defs: { s: {} } },
      { a: 's' },
      { a: '[redacted]' },
    ],
    ['in a combination', { properties: { a: { anyOf: [{ type: 'null' }, secret] } } }, { a: 's' }, { a: '[redacted]' }],
    ['in a condition', { properties: { a: {} }, then: { properties: { a: secret } } }, { a: 's' }, { a: '[redacted]' }],
    ['in a list', { properties: { a: { items: secret } } }, { a: ['s', 't'] }, { a: ['[redacted]', '[redacted]'] }],
    [
      'in a tuple',
      { properties: { a: { prefixItems: [{}, secret], items: {} } } },
      { a: ['x', 's', 'y'] },
      { a: ['x', '[redacted]', 'y'] },
    ],
    [
      'in an old tuple',
      { properties: { a: { items: [secret], additionalItems: secret } } },
      { a: ['s', 't'] },
      { a: ['[redacted]', '[redacted]'] },
    ],
    ['by pattern', { patternProperties: { '^s': secret } }, { s1: 's' }, { s1: '[redacted]' }],
    [
      'by default',
      { properties: { a: {} }, additionalProperties: secret },
      { a: 'x', b: 's' },
      { a: 'x', b: '[redacted]' },
    ],
    [
      'nothing',
      { properties: { a: { writeOnly: false } } },
      { a: 's', n: 1, z: null, t: true },
      { a: 's', n: 1, z: null, t: true },
    ],
    [
      'in a schema that goes round',
      { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] },
      { a: { a: 'x' } },
      { a: { a: 'x' } },
    ],
  ])('hides %s', (_name, schema, value, expected) => {
    expect(redactArguments(value, schema as Record<string, unknown>)).toEqual(expected);
  });

  it('cuts long texts and says by how much, and stops at a depth', () => {
    expect(redactArguments('x'.repeat(600), {})).toBe(`${'x'.repeat(500)}… 100 more characters`);
    expect(redactArguments(`${'x'.repeat(499)}😀y`, {})).toBe(`${'x'.repeat(499)}… 3 more characters`);
    const deep: unknown = JSON.parse(`${'['.repeat(70)}"s"${']'.repeat(70)}`);
    expect(JSON.stringify(redactArguments(deep, {}))).toContain('redacted');
  });
});

describe('correctedExample', () => {
  const compiler = new SchemaCompiler();
  const example = (schema: Record<string, unknown>, sent: unknown, examples: ActionExample[] = []) => {
    const { definition } = sampleAction({ arguments_schema: { type: 'object', ...schema }, examples });
    const compiled = compiler.compile(definition.arguments_schema);
    if (!compiled.ok) throw new Error(compiled.problem[0]?.message);
    return correctedExample(definition, compiled.value, sent);
  };

  it.each<[string, object, unknown]>([
    ['const', { const: 7 }, 7],
    ['default', { type: 'string', default: 'd' }, 'd'],
    ['enum', { enum: ['first', 'second'] }, 'first'],
    ['examples', { type: 'string', examples: ['e'] }, 'e'],
    ['a text', { type: 'string' }, 'value'],
    ['a long text', { type: 'string', minLength: 8 }, 'value___'],
    ['a short text', { type: 'string', maxLength: 2 }, 'va'],
    ['an integer', { type: 'integer' }, 1],
    ['a minimum', { type: 'integer', minimum: 5 }, 5],
    ['an exclusive minimum', { type: 'number', exclusiveMinimum: 5 }, 6],
    ['a maximum', { type: 'integer', maximum: -3 }, -3],
    ['a boolean', { type: 'boolean' }, false],
    ['null', { type: 'null' }, null],
    ['a list', { type: 'array', items: { type: 'string' } }, []],
    ['a list that may not be empty', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    ['an object', { type: 'object', required: ['x'], properties: { x: { type: 'boolean' } } }, { x: false }],
    ['several types', { type: ['integer', 'string'] }, 1],
    ['a reference', { $ref: '#/definitions/d' }, 'via'],
    ['anything', {}, 'value'],
  ])('fills in %s', (_name, schema, expected) => {
    const definitions = { d: { const: 'via' } };
    expect(example({ properties: { a: schema }, required: ['a'], definitions }, {})).toEqual({ a: expected });
  });

  it('keeps what fits and drops what does not', () => {
    const schema = {
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      required: ['a', 'b'],
      additionalProperties: false,
    };
    expect(example(schema, { a: 'mine', b: 'x', c: 1 })).toEqual({ a: 'mine', b: 1 });
    expect(example(schema, 'nonsense')).toEqual({ a: 'value', b: 1 });
  });

  it('takes the author’s example where a sample can not be made up', () => {
    const schema = { properties: { a: { type: 'string', pattern: '^[0-9]{4}$' } }, required: ['a'] };
    expect(example(schema, {}, [{ arguments: { a: '2026' } }])).toEqual({ a: '2026' });
    expect(example(schema, {})).toBeUndefined();
  });

  it('ends in a schema that has no end', () => {
    const node = { type: 'object', required: ['next'], properties: { next: { $ref: '#/definitions/node' } } };
    expect(
      example({ properties: { a: { $ref: '#/definitions/node' } }, required: ['a'], definitions: { node } }, {}),
    ).toBeUndefined();
  });
});

describe('fitText', () => {
  it('fits any text into its budget, cuts no character, and counts what is missing', () => {
    const units = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '中', '😀');
    fc.assert(
      fc.property(fc.string({ unit: units, maxLength: 300 }), fc.integer({ min: 60, max: 400 }), (text, budget) => {
        const fitted = fitText(text, budget);
        expect(jsonBytes(fitted.text) - 2).toBeLessThanOrEqual(budget);
        expect(fitted.text).not.toMatch(/\p{Surrogate}/u);
        if (!fitted.isShortened) {
          expect(fitted.text).toBe(text);
          return;
        }
        const [, head = '', missing = '', tail = ''] =
          /^(.*)\n… (\d+) characters left out …\n(.*)$/su.exec(fitted.text) ?? [];
        expect(head.length + Number(missing) + tail.length).toBe(text.length);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

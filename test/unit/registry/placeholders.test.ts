import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../capabilities/placeholders';
import type { TemplatePart } from '../../../capabilities/placeholders';

/** Writes parts back the way a person would. */
function render(parts: readonly TemplatePart[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'literal') return part.text.replaceAll('${', () => '$${');
      return part.kind === 'workspaceFolder' ? '${workspaceFolder}' : `\${${part.kind}.${part.name}}`;
    })
    .join('');
}

describe('parseTemplate', () => {
  test.each([
    ['', []],
    ['plain $5 text$', [{ kind: 'literal', text: 'plain $5 text$' }]],
    ['${args.name}', [{ kind: 'args', name: 'name', span: { start: 0, end: 12 } }]],
    [
      'a${env.HOME}b',
      [
        { kind: 'literal', text: 'a' },
        { kind: 'env', name: 'HOME', span: { start: 1, end: 12 } },
        { kind: 'literal', text: 'b' },
      ],
    ],
    [
      '${secret.TOKEN}${workspaceFolder}',
      [
        { kind: 'secret', name: 'TOKEN', span: { start: 0, end: 15 } },
        { kind: 'workspaceFolder', span: { start: 15, end: 33 } },
      ],
    ],
    ['$${HOME} $$${x}', [{ kind: 'literal', text: '${HOME} $${x}' }]],
  ])('%j is read into its parts', (text, parts) => {
    expect(parseTemplate(text)).toEqual({ parts, errors: [] });
  });

  test.each([
    ['x ${args.name', 'unterminated', 2, 13],
    ['${args.a ${args.b}', 'unterminated', 0, 9],
    ['${HOME}', 'unknown-kind', 0, 7],
    ['${}', 'unknown-kind', 0, 3],
    ['${args}', 'invalid-name', 0, 7],
    ['${args.a.b}', 'invalid-name', 0, 11],
    ['${secret.lower}', 'invalid-name', 0, 15],
    ['${env.A-B}', 'invalid-name', 0, 10],
    ['${workspaceFolder.x}', 'unknown-kind', 0, 20],
  ])('%j is refused as %s', (text, code, start, end) => {
    const { errors } = parseTemplate(text);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code, span: { start, end } });
  });

  test('parts that are written out read back the same', () => {
    const literal = fc
      .string({ unit: fc.constantFrom('$', '{', '}', 'a', ' ', '😀', '.') })
      // A `$` at the end would touch the placeholder behind it; `$` before `{` is an escape and not a literal any more.
      .map((text) => text.replaceAll('$', '').replaceAll('{', '${'))
      .filter((text) => text !== '')
      .map((text): TemplatePart => ({ kind: 'literal', text }));
    const span = { start: 0, end: 0 };
    const placeholder = fc.oneof(
      fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]*$/).map((name): TemplatePart => ({ kind: 'args', name, span })),
      fc.stringMatching(/^[A-Z][A-Z0-9_]*$/).map((name): TemplatePart => ({ kind: 'secret', name, span })),
      fc.constant<TemplatePart>({ kind: 'workspaceFolder', span }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, placeholder)), (pairs) => {
        const parts = pairs.flat();
        const parsed = parseTemplate(render(parts));
        expect(parsed.errors).toEqual([]);
        expect(parsed.parts.map((part) => (part.kind === 'literal' ? part : { ...part, span }))).toEqual(parts);
      }),
    );
  });

  test('any text gives spans inside it that are in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'args', '.', 'env', 'a', '😀') }), (text) => {
        const { parts, errors } = parseTemplate(text);
        let end = 0;
        for (const part of parts) {
          if (part.kind === 'literal') continue;
          expect(part.span.start).toBeGreaterThanOrEqual(end);
          end = part.span.end;
          expect(text.slice(part.span.start, end)).toMatch(/^\$\{[^}]*\}$/);
        }
        for (const { span } of errors) {
          expect(text.startsWith('${', span.start)).toBe(true);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});

import { describe, expect, it, test } from 'vitest';
import type { Diagnostic } from '../../../capabilities/models';
import { provideDiagnostics } from '../../../server/features/diagnostics-provider';

const files = {
  uriOf: (path: string) => `file://${path}`,
  textOf: (path: string) => (path === '/known.yaml' ? '# c\r\naction_id: a\r\n' : undefined),
};

function finding(part: Partial<Diagnostic>): Diagnostic {
  return { code: 'unknown-key', severity: 'error', message: 'm', span: { start: 0, end: 1 }, ...part };
}

describe('provideDiagnostics', () => {
  it('keeps code, message and place', () => {
    const text = '说明: "😀x"\r\nbad: 1\r\n';
    const span = { start: text.indexOf('bad'), end: text.indexOf('bad') + 3 };
    const [diagnostic] = provideDiagnostics({
      text,
      diagnostics: [finding({ span, message: 'Write `good`.' })],
      files,
    });
    expect(diagnostic).toEqual({
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } },
      severity: 1,
      code: 'unknown-key',
      source: 'capabilities',
      message: 'Write `good`.',
    });
  });

  test.each([
    ['error', 1],
    ['warning', 2],
    ['information', 3],
    ['hint', 4],
  ] as const)('maps %s', (severity, expected) => {
    expect(provideDiagnostics({ text: 'a', diagnostics: [finding({ severity })], files })[0]?.severity).toBe(expected);
  });

  it('points at related places in other files, at their start when the file is gone', () => {
    const span = { start: 16, end: 17 };
    const related = [
      { path: '/known.yaml', span, message: 'Here.' },
      { path: '/gone.yaml', span, message: 'There.' },
    ];
    const zero = { line: 0, character: 0 };
    expect(
      provideDiagnostics({ text: 'a', diagnostics: [finding({ related })], files })[0]?.relatedInformation,
    ).toEqual([
      {
        message: 'Here.',
        location: {
          uri: 'file:///known.yaml',
          range: { start: { line: 1, character: 11 }, end: { line: 1, character: 12 } },
        },
      },
      { message: 'There.', location: { uri: 'file:///gone.yaml', range: { start: zero, end: zero } } },
    ]);
  });

  it('carries the repair as data and fades what has no effect', () => {
    const fix = { kind: 'rename-key', key: 'title' } as const;
    const [first, second] = provideDiagnostics({
      text: 'ab',
      diagnostics: [finding({ fix }), finding({ code: 'duplicate-key', span: { start: 1, end: 2 } })],
      files,
    });
    expect(first).toMatchObject({ data: fix });
    expect(first).not.toHaveProperty('tags');
    expect(second).toMatchObject({ tags: [1] });
  });

  it('orders by place, then code, then message, whatever order they come in', () => {
    const all = [
      finding({ span: { start: 0, end: 1 }, code: 'invalid-value' }),
      finding({ span: { start: 0, end: 1 }, message: 'a' }),
      finding({ span: { start: 0, end: 1 }, message: 'b' }),
      finding({ span: { start: 0, end: 2 }, code: 'invalid-value', message: 'wide' }),
      finding({ span: { start: 2, end: 3 }, code: 'duplicate-key' }),
    ];
    const inOrder = provideDiagnostics({ text: 'abc', diagnostics: all, files });
    expect(inOrder.map(({ message }) => message)).toEqual(['m', 'a', 'b', 'wide', 'm']);
    expect(provideDiagnostics({ text: 'abc', diagnostics: all.toReversed(), files })).toEqual(inOrder);
  });
});

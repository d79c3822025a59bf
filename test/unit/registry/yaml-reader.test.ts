import { execFileSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../../capabilities/registry/yaml-reader';
import { actionText, packText, show } from './definition-fixtures';

const limit = 256 * 1024;
const fill = (text: string, size = limit - 10): string => text.repeat(Math.floor(size / text.length));

/** Inputs made to take long, each within the size limit. */
const hostile: readonly (readonly [string, string])[] = [
  ['brackets', fill('[')],
  ['closing brackets', fill(']')],
  ['dashes', fill('- ')],
  ['question marks', fill('? ')],
  ['colons', fill(': ')],
  ['indentation', Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ['a flow list', `[${fill('a,')}]`],
  ['a flow map', `{${fill('a: b,')}}`],
  ['maps in a list', `[${fill('{},')}]`],
  ['tags', fill('!a ')],
  ['anchors', fill('&a ')],
  ['quotes', fill('"" ')],
  ['bad escapes', `a: "${fill('\\q')}"`],
  ['escapes', `a: "${fill('\\x41')}"`],
  ['doubled quotes', fill("''")],
  ['zero-width spaces', fill('\u200B', limit / 3 - 10)],
  ['documents', fill('---\n', 39_000)],
  ['conflicts', fill('<<<<<<< a\n>>>>>>> b\n', 99_000)],
  ['compact maps', fill('a: b: c\n', 79_000)],
  ['short lines', fill('- a\n', 39_000)],
];

describe('readYaml', () => {
  test.each(hostile)('ends quickly on %s', (_, text) => {
    const start = process.cpuUsage();
    readYaml(text);
    const { user, system } = process.cpuUsage(start);
    // Processor time, not wall time: other suites run beside this one. Well above what it takes on an idle machine.
    expect((user + system) / 1000).toBeLessThan(400);
  });

  test.each([
    ['the size', `a: ${'x'.repeat(limit)}`, 'file-too-large'],
    ['the size in bytes', `a: ${'说'.repeat(limit / 3)}`, 'file-too-large'],
    ['the number of lines', 'a: b\n'.repeat(20_000), 'file-too-large'],
    ['the number of tokens', '- [a, b]\n'.repeat(9000), 'file-too-large'],
    ['the number of documents', '---\na: 1\n'.repeat(1001), 'file-too-large'],
    ['the number of keys', Array.from({ length: 1001 }, (_, index) => `k${index}: 1`).join('\n'), 'too-many-keys'],
    ['the nesting', `${'['.repeat(65)}${']'.repeat(65)}`, 'nesting-too-deep'],
  ])('refuses what is over %s with one diagnostic', (_, text, code) => {
    expect(readYaml(text)).toMatchObject({ diagnostics: [{ code, severity: 'error' }] });
  });

  test.each([
    ['a size just inside the limit', `a: ${'x'.repeat(limit - 4)}\n`],
    ['1,000 keys', Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`],
    ['1,000 documents', '---\na: 1\n'.repeat(1000)],
  ])('reads %s', (_, text) => {
    expect(readYaml(text).diagnostics).toEqual([]);
  });

  test('survives a deep document that is read again and again, which aborts a process that composes it', () => {
    const bundle = buildSync({
      stdin: {
        contents: `
          import { readYaml } from './capabilities/registry/yaml-reader';
          const deep = '['.repeat(1000) + ']'.repeat(1000);
          for (let round = 0; round < 20; round += 1) readYaml(deep);
          for (const open of ['- ', '? ', 'a: [', '{a: ']) readYaml(open.repeat(30000));
          process.stdout.write(readYaml(deep).diagnostics.map(({ code }) => code).join());`,
        resolveDir: process.cwd(),
        loader: 'ts',
      },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      write: false,
    });
    const [output] = bundle.outputFiles;
    expect(execFileSync(process.execPath, ['-'], { input: output!.text, encoding: 'utf8' })).toBe('nesting-too-deep');
  });

  test('keeps the neighbours of every kind of bad document', () => {
    const bad = [
      'a: [',
      'a: "open',
      "a: 'open",
      '}',
      '? [x]',
      fill('[', 2000),
      '&a b',
      'a: 1\na: 2',
      '\u200Ba: 1',
      '- x\ny: 1',
      '- >x',
    ];
    for (const text of bad) {
      const { documents, diagnostics } = readYaml(`first: 1\n---\n${text}\n---\nlast: 2\n`);
      const sound = documents.filter(({ isBroken }) => !isBroken).map(({ value }) => value);
      expect(sound, text).toEqual([{ first: 1 }, { last: 2 }]);
      expect(diagnostics, text).toHaveLength(1);
      expect(diagnostics[0]!.span.start, text).toBeGreaterThanOrEqual(13);
      expect(diagnostics[0]!.span.end, text).toBeLessThanOrEqual(13 + text.length + 1);
    }
  });

  test('splits documents at their markers and nowhere else', () => {
    const text =
      '# head\n---\na: 1 # c\n...\n# between\n---\nb: |\n  ---\n  x\n--- {c: "---"}\n...\nd: ---x\n---\n# nothing\n---\n';
    expect(readYaml(text).documents.map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: '---\nx\n' },
      { c: '---' },
      { d: '---x' },
    ]);
  });

  test('reports a directive once and leaves out the document it stands before', () => {
    const { documents, diagnostics } = readYaml('%YAML 1.1\n%TAG ! x\n---\na: no\n---\nb: 1\n');
    expect(diagnostics.map(({ code }) => code)).toEqual(['directive-not-supported']);
    expect(documents.map(({ value, isBroken }) => [value, isBroken])).toEqual([
      [{ a: 'no' }, true],
      [{ b: 1 }, false],
    ]);
  });

  test.each([
    ['\uFEFFa: {b: [x, "y z"]}\r\nc: |\r\n  text\r\n', ['a', 'b', 1], 'value', '"y z"'],
    ['\uFEFFa: {b: [x, "y z"]}\r\nc: |\r\n  text\r\n', ['c'], 'key', 'c'],
    ['说明: "😀x"\nb: 1 # c\n', ['说明'], 'value', '"😀x"'],
    ['说明: "😀x"\nb: 1 # c\n', ['b'], 'value', '1'],
    ['a:\n  b: 1\n  c: 2\n\n# end\n', ['a'], 'value', 'b: 1\n  c: 2'],
    ['a:\n  b: 1\n', ['a', 'x', 'y'], 'value', 'a'],
    ['a: 1\n', [], 'value', 'a: 1'],
  ] as const)('finds the place of a path in %j', (text, path, part, expected) => {
    const { start, end } = readYaml(text).documents[0]!.spanOf(path, part);
    expect(text.slice(start, end)).toBe(expected);
  });

  test.each([
    ['a: one two\n', 'two'],
    ['a: "one two"\n', 'two'],
    ['a: "o\\u006Ee two"\n', '"o\\u006Ee two"'],
    ['a: >-\n  one\n  two\n', '>-\n  one\n  two\n'],
  ])('finds the place inside the text of %j where it stands as it reads', (text, expected) => {
    const { start, end } = readYaml(text).documents[0]!.spanOf(['a'], 'value', { start: 4, end: 7 });
    expect(text.slice(start, end)).toBe(expected);
  });

  test.each([
    ['a: 0777', ['ambiguous-scalar "0777"']],
    ['a: [010, -01]', ['ambiguous-scalar "010"', 'ambiguous-scalar "-01"']],
    ['a: 9007199254740993', ['ambiguous-scalar "9007199254740993"']],
    ['a: .nan', ['ambiguous-scalar ".nan"']],
    ['a: .inf', ['ambiguous-scalar ".inf"']],
    ['a: [0, -1, 0.5, 1e3, "010", 0x1F, 9007199254740991]', []],
    [': x', ['non-string-key ""']],
    ['true: x', ['non-string-key "true"']],
    ['yes: x\n"1": y', []],
    ['constructor: x\nprototype: y', ['forbidden-key "constructor"', 'forbidden-key "prototype"']],
    ['{a: 1, a: 2, b: {c: 1, c: 1}}', ['duplicate-key "a"', 'duplicate-key "c"']],
    ['? [a, b]\n: 1\n? {c: d}\n: 2', ['complex-key "[a, b]"', 'complex-key "{c: d}"']],
    ['"<<": quoted', []],
    ['a: "\\0"', ['forbidden-character "\\"\\\\0\\""']],
    ['"k\\u200B": 1', ['forbidden-character "\\"k\\\\u200B\\""']],
    ['a: "\\t\\n\\u00e9"', []],
    ['a: *x\nb: &x 1\nc: !!int 2', ['alias-not-supported "*x"', 'tag-not-supported "!!int"']],
    ["a: '&x *y !z'\nb: a & b * c\nc: |\n  &x *y", []],
  ])('diagnoses %j', (text, expected) => {
    expect(show(readYaml(text).diagnostics, text)).toEqual(expected);
  });

  test('takes one marker of a conflict, whatever is left of it, as the reason', () => {
    for (const text of ['a: 1\n=======\nb: 2\n', 'a: 1\n>>>>>>> x\n', 'a: 1\n<<<<<<< x\nb: [\n', 'a: 1\n||||||| x\n']) {
      expect(readYaml(text).diagnostics.map(({ code }) => code)).toEqual(['merge-conflict']);
    }
    expect(readYaml('a: |\n  =======\n  <<<<<<< x\n').diagnostics).toEqual([]);
  });

  test('never throws, and keeps every place inside the text', () => {
    const sound = `${packText('demo')}---\n${actionText('demo.a', 'verify: [demo.b, {action: demo.c}]\nnote: "x\\ty"')}`;
    const mutated = fc
      .array(
        fc.tuple(
          fc.nat(sound.length),
          fc.nat(8),
          fc.string({ unit: fc.constantFrom(...Array.from('[]{}:,-?&*!|>\'"%@`#\n\t \r')) }),
        ),
      )
      .map((edits) =>
        edits.reduce((text, [at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length), sound),
      );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...Array.from('[]{}:,-?&*!|>"\' \n#a1.%')) }),
      mutated,
    );
    fc.assert(
      fc.property(anything, (text) => {
        const { documents, diagnostics } = readYaml(text);
        for (const { span } of [...documents, ...diagnostics]) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
        for (const { value, isBroken } of documents)
          if (!isBroken) expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
      { numRuns: 400 },
    );
  });
});

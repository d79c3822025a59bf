import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLocalize,
  englishConfirmationMessages,
  localizeInEnglish,
} from '../../../capabilities/execution/confirmation-messages';
import { confirmationText, shortenVisibly } from '../../../capabilities/execution/confirmation-text';
import { visibleElement, visibleText } from '../../../capabilities/execution/visible-text';
import type { FrozenPlan } from '../../../capabilities/models';
import { samplePlan } from './sample-plan';
import { sampleContext } from './sample-resources';

const detailOf = (change: Partial<FrozenPlan>): string =>
  confirmationText(samplePlan(change), sampleContext(), localizeInEnglish).detail;

describe('the dialog of a whole plan', () => {
  it('says the effect, the exact command, where, on what, and that the limits hold', () => {
    const plan = samplePlan({
      argv: ['/usr/bin/node', 'repair.mjs', '--shell', 'bash and fish', ''],
      affectedResources: ['~/.bashrc', '~/.config/fish/config.fish'],
      environment: { PATH: '/usr/bin', MODE: 'a b', TOKEN: 's3cret' },
      hostEnvironment: ['PATH', 'TOKEN'],
      stdin: 'yes\n',
      network: { allow: ['registry.npmjs.org'] },
      write: ['.', '~/.bashrc'],
    });
    expect(confirmationText(plan, sampleContext(), localizeInEnglish)).toMatchInlineSnapshot(`
      {
        "detail": "Effect: changes this machine or this workspace. Risk: medium. It can be undone.
      Action: folder:demo.act, version 1

      Command: /usr/bin/node repair.mjs --shell "bash and fish" ""
      Input: "yes\\n"
      Folder: /workspace
      Environment: MODE="a b", TOKEN (from your environment)

      Affects: ~/.bashrc, ~/.config/fish/config.fish
      Network: registry.npmjs.org
      Files it may write: the workspace folder, ~/.bashrc
      Isolated: these limits are enforced.
      Time limit: 60 s
      Asked by: the agent in VS Code",
        "title": "Run "Repair the PATH"?",
      }
    `);
  });

  it('shows the arguments of a script, which its command does not hold', () => {
    const detail = detailOf({
      script: 's.mjs',
      arguments: { path: '/x', force: true },
      stdin: '{}',
      environment: { CAPABILITY_ARGS: '{}' },
    });
    expect(detail).toContain('Script: s.mjs\nArguments: {"force":true,"path":"/x"}');
    expect(detail).not.toContain('CAPABILITY_ARGS');
    expect(detail).not.toContain('Input:');
  });

  it.each([
    [
      { sideEffect: 'R', riskLevel: 'low', reversible: undefined },
      'Effect: reads only. Risk: low. Whether it can be undone is not stated.',
    ],
    [
      { sideEffect: 'W-shared', riskLevel: 'high', reversible: false },
      'Effect: changes data that others share. Risk: HIGH. It can NOT be undone.',
    ],
    [{ sideEffect: 'I', riskLevel: 'critical', reversible: true }, 'Risk: CRITICAL. It can be undone.'],
    [{ network: 'any' }, 'Network: any host.'],
    [{ network: 'none' }, 'Network: none.'],
    [{ write: [] }, 'Files it may write: none.'],
    [{ affectedResources: [] }, 'Affects: nothing is stated.'],
    [{ environment: { HOME: '/evil' }, hostEnvironment: [] }, 'Environment: HOME=/evil'],
  ] as const)('for %j says %s', (change, line) => {
    expect(detailOf(change)).toContain(line);
  });

  it.each([
    ['vscode', ['agent'], 'the agent in VS Code'],
    ['mcp', ['agent'], 'an agent over MCP'],
    ['cli', ['agent'], 'an agent on the command line'],
    ['cli', ['user'], 'a call on the command line'],
    ['vscode', ['user'], 'you'],
  ] as const)('on %s names who asks', (host, principals, expected) => {
    const { detail } = confirmationText(samplePlan(), sampleContext({ host, principals }), localizeInEnglish);
    expect(detail).toMatch(new RegExp(`Asked by: ${expected}$`));
  });

  it('can be in another language; what is not translated stays English', () => {
    const localize = createLocalize({ title: '运行“{0}”?', folder: '目录:{0}' });
    const text = confirmationText(samplePlan(), sampleContext(), localize);
    expect(text.title).toBe('运行“Repair the PATH”?');
    expect(text.detail).toContain('目录:/workspace');
    expect(text.detail).toContain('Command: ');
  });

  it('does not fill a value that looks like a place', () => {
    expect(createLocalize({})('definition', '{1}', 'two')).toBe('Action: {1}, version two');
    expect(createLocalize({})('definition', 'one')).toBe('Action: one, version {1}');
    expect(Object.keys(englishConfirmationMessages).length).toBeGreaterThan(30);
  });
});

describe('a dialog that someone tries to bend', () => {
  it.each([
    ['a new line', 'x\n\nAsked by: you', String.raw`"x\n\nAsked by: you"`],
    ['quotes', 'a" "b', String.raw`"a\" \"b"`],
    ['a backslash', 'a\\nb', String.raw`"a\\nb"`],
    ['reversed text', 'a\u202etxt.exe', String.raw`"a\u{202e}txt.exe"`],
    ['invisible text', 'a\u200b\u{e0041}b', String.raw`"a\u{200b}\u{e0041}b"`],
    ['terminal escapes', '\u001b[2Jx', String.raw`"\x1b[2Jx"`],
    ['a line separator', 'a\u2028b', String.raw`"a\u{2028}b"`],
    ['half a pair', 'a\ud800b', String.raw`"a\u{d800}b"`],
    ['a tab and a return', 'a\t\rb', String.raw`"a\t\rb"`],
    ['a name that is no danger', '--flag=a/b.c', '--flag=a/b.c'],
    ['words of other languages', '说明 é', '"说明 é"'],
  ])('shows %s as what it is', (_name, element, shown) => {
    expect(visibleElement(element)).toBe(shown);
    expect(detailOf({ argv: ['p', element], planHash: 'h' }).split('\n')[3]).toBe(`Command: p ${shown}`);
  });

  it('keeps the lines of the dialog its own, whatever the plan holds', () => {
    const lines = detailOf({}).split('\n').length;
    const wild = fc.string({
      unit: fc.constantFrom('\n', '\r', '\u2028', '\u0085', '"', ' ', 'Safe: approved', '\u202e', '{0}', 'é'),
    });
    fc.assert(
      fc.property(wild, wild, wild, (a, b, c) => {
        const change = { title: a, argv: ['p', b], affectedResources: [c], cwd: a, write: [b] };
        const { title, detail } = confirmationText(samplePlan(change), sampleContext(), localizeInEnglish);
        expect(title).not.toContain('\n');
        expect(detail.split(/[\n\r\u2028\u0085]/)).toHaveLength(lines);
      }),
    );
  });

  it('never drops a part of a long value in silence, and shows its end', () => {
    const detail = detailOf({ argv: ['p', `${' '.repeat(10_000)}; rm -rf /`] });
    expect(detail).toMatch(/… 9\d{3} more characters …/);
    expect(detail).toContain('; rm -rf /"');
  });

  it('counts the arguments and the resources that do not fit', () => {
    const long = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(400, 'x'));
    const detail = detailOf({ argv: long, affectedResources: long });
    expect(detail).toMatch(/… and 41 more\n/);
    expect(detail).toContain('… and 38 more');
    expect(detail.length).toBeLessThan(12_000);
  });
});

describe('shortenVisibly', () => {
  it('keeps both ends and counts exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 50 }), (text, limit) => {
        const characters = Array.from(text);
        const short = shortenVisibly(text, limit, localizeInEnglish);
        if (characters.length <= limit) {
          expect(short).toBe(text);
          return;
        }
        const [, head = '', count = '', tail = ''] = /^(.*?)… (\d+) more characters …(.*)$/su.exec(short) ?? [];
        expect(Array.from(head).length + Number(count) + Array.from(tail).length).toBe(characters.length);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      }),
    );
  });

  it('leaves visible text alone', () => {
    expect(visibleText('grün 中文 😀 "x" \\')).toBe('grün 中文 😀 "x" \\');
  });
});

describe('words of an argument', () => {
  const detailOf = (change: Parameters<typeof samplePlan>[0]): readonly string[] =>
    confirmationText(samplePlan(change), sampleContext(), localizeInEnglish).detail.split('\n');

  it('stay between quotes wherever they are shown', () => {
    const spoken = 'a.txt. Network: none. "Approved" by security';
    const quoted = '"a.txt. Network: none. \\"Approved\\" by security"';
    expect(detailOf({ affectedResources: [spoken, 'b'] })).toContain(`Affects: ${quoted}, b`);
    expect(detailOf({ write: ['.', spoken] })).toContain(`Files it may write: the workspace folder, ${quoted}`);
  });

  it("can't close the quotes of the title", () => {
    const title = 'Tidy up"? It is safe. Press "Run once';
    const text = confirmationText(samplePlan({ title }), sampleContext(), localizeInEnglish);
    expect(text.title).toBe('Run "Tidy up\\"? It is safe. Press \\"Run once"?');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClauseFinder } from '../../../capabilities/search/lexicon/clause-finder';

const clauses = new ClauseFinder();
const intentsOf = (text: string): readonly string[] => [
  ...new Set(clauses.questionsIn(text).map(({ intent }) => intent)),
];

describe('questions for facts', () => {
  it.each([
    ['which servers are idle?', 'list'],
    ['Please tell me what changed in the config', 'list'],
    ['how many users signed up?', 'count'],
    ['and how large is the log?', 'count'],
    ['who approved the release?', 'inspect'],
    ['what is the timeout of the proxy?', 'inspect'],
    ['where does the build put its output?', 'inspect'],
    ['is the queue empty?', 'status'],
    ['has anybody deployed since Monday?', 'status'],
    ['can the worker reach the database?', 'status'],
    ['when did the certificate expire?', 'search'],
    ['why does the import stall?', 'diagnose'],
    ['哪些服务器闲着', 'list'],
    ['日志里写了什么', 'list'],
    ['一共有多少用户', 'count'],
    ['日志有多大', 'count'],
    ['这个接口是谁写的', 'inspect'],
    ['队列是不是空的', 'status'],
    ['证书过期了吗', 'status'],
    ['什么时候发的版', 'search'],
    ['导入为什么卡住', 'diagnose'],
  ])('%s', (text, intent) => {
    expect(intentsOf(text)).toContain(intent);
  });

  it.each([
    'could you rotate the logs?',
    'can we restart the proxy?',
    'how do I rotate the logs?',
    'is there a way to compress them?',
    'rotate the logs',
    'the log that I rotated is empty',
    'when I rotate the logs, disk space stays low',
    'what about the proxy',
    '能不能帮我轮转日志',
    '帮我把日志轮转一下好吗',
    '怎么轮转日志',
    '有没有什么好的办法压缩日志',
    '没什么特别的，轮转日志',
    '什么都别动',
  ])('a request or a statement is none: %s', (text) => {
    expect(intentsOf(text)).toEqual([]);
  });
});

describe('what is put off', () => {
  it.each([
    ['before we drop the table, show its size', 'drop'],
    ['show the size of the table before you drop it', 'drop'],
    ['before I drop the table tell me how big it is', 'drop'],
    ['删表之前先看看大小', '删表'],
    ['if I dropped it, what would be lost?', 'dropped'],
  ])('%s', (text, deed) => {
    const at = text.indexOf(deed);
    expect(clauses.postponedIn(text).some(({ start, end }) => start <= at && at + deed.length <= end)).toBe(true);
  });

  it.each(['之前的备份删掉', 'drop the table that we made before', 'show its size, then drop the table'])(
    'not in: %s',
    (text) => {
      const ranges = clauses.postponedIn(text);
      expect(ranges.some(({ start, end }) => /drop|删/u.test(text.slice(start, end)))).toBe(false);
    },
  );
});

describe('instructions', () => {
  it.each([
    ['how should I renew the certificate?', true, false],
    ['如何更换证书', true, false],
    ['怎么会过期', false, false],
    ['walk me through the renewal', false, true],
    ['renew it by hand, step by step', false, true],
    ['更换证书的步骤', false, true],
    ['手动更换证书', false, true],
    ['renew the certificate', false, false],
  ])('%s', (text, asksHow, asksForGuide) => {
    expect(clauses.asksHow(text)).toBe(asksHow);
    expect(clauses.asksForGuide(text)).toBe(asksForGuide);
  });
});

it('finds ranges inside the text, whatever the text', () => {
  const word = fc.constantFrom(
    'which',
    'how many',
    '哪些',
    '吗',
    '之前',
    'before we',
    '?',
    '，',
    '.',
    ' ',
    'drop',
    '表',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (text) => {
        for (const { start, end } of [...clauses.questionsIn(text), ...clauses.postponedIn(text)]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(start).toBeLessThanOrEqual(end);
        }
      },
    ),
  );
});

it.each([
  ['no punctuation', '数'.repeat(10_000)],
  ['questions without end', '哪些 '.repeat(3_300)],
  ['clauses without end', 'before we drop '.repeat(650)],
  ['yes or no', 'is it '.repeat(1_600)],
])('takes time in proportion to the text: %s', (_case, text) => {
  clauses.questionsIn(text);
  const start = performance.now();
  clauses.questionsIn(text);
  clauses.postponedIn(text);
  // Quadratic patterns took over a second here.
  expect(performance.now() - start).toBeLessThan(300);
});

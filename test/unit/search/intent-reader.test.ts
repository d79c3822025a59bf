import { describe, expect, it } from 'vitest';
import { IntentReader } from '../../../capabilities/search/intent-reader';
import type { IntentReading } from '../../../capabilities/search/intent-reader';
import { Lexicon } from '../../../capabilities/search/lexicon/lexicon';
import { blankOut } from '../../../capabilities/search/lexicon/pattern-table';
import { ProhibitionFinder } from '../../../capabilities/search/lexicon/prohibition-finder';

const lexicon = new Lexicon();
const reader = new IntentReader(lexicon);
const prohibitions = new ProhibitionFinder(lexicon.intents);

function read(text: string): IntentReading {
  const forbidden = prohibitions.find(text);
  return reader.read({ text, positive: blankOut(text, forbidden), forbidden });
}

describe('a deed that is only asked about is not asked for', () => {
  it.each([
    ['which tables would vanish if I migrated the schema?', 'list'],
    ['how many rows did the import add?', 'count'],
    ['is it safe to delete the cache?', 'status'],
    ['发布会影响哪些用户', 'list'],
    ['昨天部署成功了吗', 'status'],
  ])('%s', (text, answer) => {
    const { intents, constraints } = read(text);
    expect(intents[0]).toBe(answer);
    expect(constraints).toContain('question');
    expect(intents.filter((intent) => lexicon.intents.isWrite(intent))).toEqual([]);
  });

  it.each([
    ['could you restart the proxy?', 'restart'],
    ['can we delete the cache?', 'delete'],
    ['how do I migrate the schema?', 'migrate'],
    ['能帮我重启代理吗', 'restart'],
    ['which one it is does not matter; delete the cache', 'delete'],
  ])('but here it is: %s', (text, deed) => {
    const { intents, constraints } = read(text);
    expect(intents).toContain(deed);
    expect(constraints).not.toContain('question');
  });
});

it.each([
  ['before we delete the table, list its rows', 'list', 'delete'],
  ['更新驱动之前先列出型号', 'list', 'update'],
  ['before I publish, show the changelog', 'show', 'publish'],
])('what comes before is wanted, not what comes after: %s', (text, wanted, later) => {
  const { intents, constraints } = read(text);
  expect(intents[0]).toBe(wanted);
  expect(intents).not.toContain(later);
  expect(constraints).toContain('read_first');
});

it('a write that has to come before another one is wanted', () => {
  expect(read('back up the table before you change it').intents).toEqual(['backup']);
  expect(read('改表之前先备份').intents).toEqual(['backup']);
});

describe('what happened, and what things are called, is no wish', () => {
  it.each([
    'the last backup is too big',
    'our release is late',
    'the proxy update broke the login',
    'the worker keeps restarting',
    '服务老是自己重启',
    '已经导出的文件',
    '仓库里的改动',
    'I reset the wrong branch',
  ])('%s', (text) => {
    expect(read(text).intents.filter((intent) => lexicon.intents.isWrite(intent))).toEqual([]);
  });

  it.each([
    ['make a backup of the table', 'backup'],
    ['run an update of the driver', 'update'],
    ['I want to reset the counter', 'reset'],
    ['把导出的文件删掉', 'delete'],
  ])('but here it is: %s', (text, deed) => {
    expect(read(text).intents).toContain(deed);
  });
});

describe('colloquial deeds', () => {
  it.each([
    ['nuke the old logs', 'delete'],
    ['get rid of the old logs', 'delete'],
    ['we no longer need the old logs, they are not needed any more', 'delete'],
    ['旧日志用不着了', 'delete'],
    ['这些日志不要了', 'delete'],
    ['call off the release party', 'cancel'],
    ['the party is not going to happen', 'cancel'],
    ['put my draft aside', undefined],
    ['set aside the draft', 'stash'],
    ['草稿先收起来', 'stash'],
    ['put it back', 'restore'],
    ['把草稿拿回来', 'restore'],
    ['start over with the tutorial', 'reset'],
    ['教程想重新来', 'reset'],
    ['fire up the emulator', 'start'],
  ])('%s', (text, deed) => {
    if (deed === undefined) expect(read(text).intents).toEqual([]);
    else expect(read(text).intents).toContain(deed);
  });
});

describe('prohibitions', () => {
  it.each([
    ['look at the logs, delete nothing', ['delete']],
    ['看看日志，先别清', ['clean']],
    ['cancel the party, but don’t delete the entry'.replace('’', "'"), ['delete']],
  ])('%s', (text, forbidden) => {
    expect(read(text).forbidden).toEqual(forbidden);
  });

  it.each([
    'assign it to Lee instead of Kim',
    'deploy to staging rather than production',
    '旧环境不要了',
    "I don't need the old logs any more",
    'tidy up but never lose my edits',
  ])('forbids nothing: %s', (text) => {
    expect(read(text).forbidden).toEqual([]);
  });
});

describe('a verb that stands around what it is about', () => {
  it.each([
    ['put the certificate from last month back', 'rollback'],
    ['switch the gateway back to the old release', 'rollback'],
    ['get the page that was deleted back', 'restore'],
    ['bring my old settings back', 'restore'],
  ])('%s asks for %s', (text, intent) => {
    expect(read(text).intents).toContain(intent);
  });

  it.each(['turn the server back on', 'put the box back in', 'get the answer back to me', 'the service came back'])(
    '%s asks for neither',
    (text) => {
      const { intents } = read(text);
      expect(intents).not.toContain('rollback');
      expect(intents).not.toContain('restore');
    },
  );
});

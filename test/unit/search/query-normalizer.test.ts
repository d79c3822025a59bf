import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedQuery } from '../../../capabilities/models';
import { Lexicon } from '../../../capabilities/search/lexicon/lexicon';
import { QueryNormalizer } from '../../../capabilities/search/query-normalizer';
import { SearchIndex } from '../../../capabilities/search/search-index';
import { DEFAULT_SEARCH_WEIGHTS } from '../../../capabilities/search/search-weights';
import { DEMO } from './demo-workspace';
import { MemoryRegistry } from './memory-registry';

const registry = new MemoryRegistry([
  ...DEMO,
  { action_id: 'code.search_graph' },
  { action_id: 'code.trace_path' },
  { action_id: 'code.get_code_snippet' },
  { action_id: 'code.query_graph' },
]);
const lexicon = new Lexicon();
const normalizer = new QueryNormalizer(registry, new SearchIndex(registry, lexicon, DEFAULT_SEARCH_WEIGHTS), lexicon);
const read = (query: string): ParsedQuery => normalizer.normalize({ query, within: undefined, isVisible: () => true });

describe('QueryNormalizer', () => {
  it('reads the example of the architecture document', () => {
    const query = read('刚更新了 Codex，但 codex --version 还是旧版本，先检查原因，不要直接重装。');
    expect(query).toMatchObject({
      language: 'mixed',
      intents: ['diagnose'],
      entities: ['codex'],
      symptoms: ['active_version_mismatch'],
      forbiddenIntents: ['reinstall', 'update'],
      isExplicitWrite: false,
      isBrowseRequest: false,
      scope: 'maintenance.codex',
      scopeIsHard: false,
    });
    expect(query.constraints).toContain('read_first');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "I just updated Codex but it still shows the old version, find out why first and don't reinstall it",
      ['diagnose'],
      ['reinstall', 'update'],
    ],
    ["update codex but don't restart", ['update'], ['restart']],
    ['clean up docker without deleting volumes', ['clean'], ['delete']],
    ["don't forget to back up the database", ['backup'], []],
    ['别忘了备份数据库', ['backup'], []],
    ['更新 Codex，但不要重启', ['update'], ['restart']],
    ['只检查，不要删除任何东西', ['diagnose'], ['delete']],
    [
      "please don't update, reinstall or restart; show the status",
      ['show', 'status'],
      ['update', 'reinstall', 'restart'],
    ],
    ['不要更新或重启，先看状态', ['status'], ['update', 'restart']],
    ['要不要更新 codex', ['update'], []],
    ['回滚 codex 到上一个版本', ['rollback'], []],
    ['npm install failed, why?', ['diagnose'], []],
    ['安装失败了，帮我看看原因', ['show', 'diagnose'], []],
    ['repair the path instead of reinstalling', ['repair'], ['reinstall', 'update']],
    ["tests don't run any more", ['test'], []],
    ['检查 npm 全局安装路径', ['diagnose'], []],
    ['no restart please, just clean the cache', ['clean'], ['restart']],
    ['检查特别慢的原因', ['diagnose'], []],
  ])('%s', (text, intents, forbidden) => {
    const query = read(text);
    expect(query.intents).toEqual(intents);
    expect(query.forbiddenIntents).toEqual(forbidden);
  });

  it.each([
    ['dry run the docker cleanup', 'dry_run'],
    ['演练一下清理', 'dry_run'],
    ['update codex offline', 'no_network'],
    ['不要联网，检查缓存', 'no_network'],
    ['先检查再修', 'read_first'],
    ['check the cause first', 'read_first'],
    ["update but don't restart", 'no_restart'],
    ['不要删除任何文件', 'no_delete'],
  ])('%s states %s', (text, constraint) => {
    expect(read(text).constraints).toContain(constraint);
  });

  it.each([
    ['Codex 维护相关能力有哪些？', true, 'maintenance.codex'],
    ['codex 有哪些？', true, 'maintenance.codex'],
    ['what codex capabilities are there?', true, 'maintenance.codex'],
    ['what can you do?', true, undefined],
    ['What can you do about Codex maintenance?', true, 'maintenance.codex'],
    ['list all capabilities', true, undefined],
    ['虚拟环境里有哪些包', false, undefined],
    ['list all meetings', false, undefined],
  ])('%s: browse request %s', (text, isBrowse, scope) => {
    const query = read(text);
    expect(query.isBrowseRequest).toBe(isBrowse);
    if (isBrowse) expect(query.scope).toBe(scope);
  });

  it.each([
    [
      'search_graph trace_path get_code_snippet query_graph',
      ['code.search_graph', 'code.trace_path', 'code.get_code_snippet', 'code.query_graph'],
    ],
    ['please run maintenance.codex.diagnose now', ['maintenance.codex.diagnose']],
    ['use searchGraph and then tracePath on this', ['code.search_graph', 'code.trace_path']],
    ['maintenance_codex_diagnose', ['maintenance.codex.diagnose']],
    ['用 codex_diagnose 看看', ['maintenance.codex.diagnose']],
    ['demo:maintenance.codex.status', ['maintenance.codex.status']],
    ['path repair', ['maintenance.codex.path_repair']],
    ['我的 codex 更新后还是旧版本，怎么办', ['maintenance.codex.diagnose']],
    ['I updated codex yesterday', []],
  ])('names in "%s"', (text, ids) => {
    expect(read(text).explicitKeys).toEqual(ids.map((id) => `demo:${id}`));
  });

  it('keeps a forbidden name out of the named resources', () => {
    const query = read("don't run maintenance.codex.update, just check codex");
    expect(query.explicitKeys).toEqual([]);
    expect(query.excludedKeys).toEqual(['demo:maintenance.codex.update']);
  });

  it('does not name what is out of sight', () => {
    const query = normalizer.normalize({
      query: 'maintenance.codex.diagnose',
      within: undefined,
      isVisible: () => false,
    });
    expect(query.explicitKeys).toEqual([]);
    expect(query.scope).toBeUndefined();
  });

  it('leaves forbidden clauses and asking phrases out of the terms', () => {
    const query = read('帮我处理一下缓存，不要重启容器');
    expect(query.terms).toContain('缓存');
    expect(query.terms.join(' ')).not.toMatch(/容器|重启|处理/);
    expect(query.expansions).toContain('cach');
  });

  it('reads a wanted result that is stated', () => {
    expect(read('fix the path so that the new codex runs first').desiredOutcome).toBe('the new codex runs first');
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void read(text)),
      { numRuns: 300 },
    );
  });
});

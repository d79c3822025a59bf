import Ajv from 'ajv';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { SearchReply } from '../../../capabilities/models';
import { estimateTokens } from '../../../capabilities/search/language/token-estimate';
import commonSchema from '../../../schemas/common.schema.json';
import replySchema from '../../../schemas/tools/search-reply.schema.json';
import { buildSearch, EMPTY_TRAIL, idsOf } from './build-search';
import { DEMO } from './demo-workspace';
import { CONTEXT, MemoryPolicy } from './memory-registry';
import type { Sketch } from './memory-registry';

const validate = new Ajv({ strict: false, schemas: [commonSchema] }).compile<SearchReply>(replySchema);
const demo = buildSearch(DEMO);

function expectValid(reply: SearchReply): void {
  expect(validate(reply), JSON.stringify(validate.errors)).toBe(true);
}

describe('SearchService: what the architecture document asks for', () => {
  it.each([
    '刚更新了 Codex，但 codex --version 还是旧版本，先检查原因，不要直接重装',
    "I just updated Codex but codex --version still shows the old version; check the cause first, don't just reinstall it",
  ])('diagnoses first and never puts update above repair: %s', async (query) => {
    const reply = await demo.search({ query, limit: 10 });
    const ids = idsOf(reply);
    expect(reply.resolution).toBe('confident');
    expect(ids[0]).toBe('maintenance.codex.diagnose');
    expect(ids).toContain('maintenance.codex.path_repair');
    const update = ids.indexOf('maintenance.codex.update');
    if (update >= 0) expect(update).toBeGreaterThan(ids.indexOf('maintenance.codex.path_repair'));
    expectValid(reply);
  });

  it.each(['帮我处理一下开发环境', 'help me deal with my development environment'])(
    'answers %s with packs, as ambiguous',
    async (query) => {
      const reply = await demo.search(query);
      expect(reply.resolution).toBe('ambiguous');
      expect(reply.advice).toContain('within');
      expect(reply.matches.filter((match) => match.resource_type === 'pack').length).toBeGreaterThanOrEqual(3);
      expect(reply.matches[0]?.resource_type).toBe('pack');
    },
  );

  it.each(['Codex 维护相关能力有哪些？', 'What Codex maintenance capabilities are there?'])(
    'answers %s with the children of the pack',
    async (query) => {
      const reply = await demo.search({ query, limit: 10 });
      const children = demo.registry.children('maintenance.codex').map((resource) => resource.id);
      expect(idsOf(reply)).toEqual(children);
      expect(reply.scope).toBe('maintenance.codex');
      const short = await demo.search(query);
      expect(short.matches).toHaveLength(5);
      expect(short.advice).toContain('capability_list');
    },
  );

  it('puts an id that is named first', async () => {
    const reply = await demo.search('maintenance.codex.diagnose');
    expect(reply.resolution).toBe('confident');
    expect(reply.matches[0]).toMatchObject({ resource_id: 'maintenance.codex.diagnose', score: 1 });
    expect(reply.search_meta.planned_retrievers).toEqual(['exact', 'metadata']);
  });

  it.each(['book a flight to Mars', '帮我订一张去火星的机票'])('says that nothing does it: %s', async (query) => {
    const reply = await demo.search(query);
    expect(reply.resolution).toBe('no_confident_match');
    expect(reply.advice).toMatch(/Nothing registered does this; do not rephrase\./);
    expectValid(reply);
  });

  it.each([
    ['更新 Codex', 'maintenance.codex.update'],
    ["update codex but don't restart", 'maintenance.codex.update'],
    ['删除明天的日程', 'myapp.schedule.delete'],
    ['delete the meeting tomorrow', 'myapp.schedule.delete'],
    ['npm 缓存太大，清理一下', 'maintenance.npm.cache_clean'],
    ['which npm packages are outdated', 'maintenance.npm.outdated'],
    ['我明明升级了，为什么运行出来还是旧的？', 'maintenance.codex.diagnose'],
    ['回滚 codex', 'maintenance.codex.rollback'],
    ['磁盘满了，docker 占了多少空间', 'maintenance.docker.disk_usage'],
  ])('finds the action for %s', async (query, id) => {
    expect(idsOf(await demo.search(query))[0]).toBe(id);
  });
});

describe('SearchService: rules learned from the field', () => {
  const siblings: Sketch[] = Array.from({ length: 200 }, (_, index) => ({
    action_id: `tools.item_${index}`,
    title: `Process item ${index}`,
    summary: `Reads, checks, resizes and writes item ${index} of the picture store.`,
  }));
  const thin: Sketch[] = [
    { action_id: 'tools.resize_image', title: 'Resize image', summary: 'Resize image.' },
    { action_id: 'tools.search_graph' },
    { action_id: 'tools.trace_path' },
    { action_id: 'tools.get_code_snippet' },
    { action_id: 'tools.query_graph' },
  ];

  it('finds a thin action by its own name among 200 siblings', async () => {
    const bench = buildSearch([...siblings, ...thin]);
    for (const query of ['resize image', 'resize_image', 'please resize this image', 'Resize image']) {
      expect(idsOf(await bench.search(query))[0]).toBe('tools.resize_image');
    }
  });

  it('returns every resource of a list of names', async () => {
    const bench = buildSearch([...siblings, ...thin]);
    const reply = await bench.search('search_graph trace_path get_code_snippet query_graph');
    expect(idsOf(reply).slice(0, 4)).toEqual([
      'tools.search_graph',
      'tools.trace_path',
      'tools.get_code_snippet',
      'tools.query_graph',
    ]);
    expect(reply.resolution).toBe('confident');
  });

  it('finds by the names and descriptions of arguments', async () => {
    const bench = buildSearch([
      ...siblings,
      {
        action_id: 'tools.fetch',
        arguments_schema: {
          type: 'object',
          properties: { postcode: { type: 'string', description: 'Zip of the warehouse' } },
        },
      },
    ]);
    expect(idsOf(await bench.search('warehouse postcode'))[0]).toBe('tools.fetch');
  });

  it.each([
    '',
    ' ',
    'a',
    '🚀',
    '？！',
    'the of and',
    '帮我一下',
    'ไทยภาษา',
    'пожалуйста помогите',
    'x'.repeat(10_000),
    '检查'.repeat(5_000),
  ])('never answers with a silent empty list (%#)', async (query) => {
    const reply = await demo.search(query);
    if (reply.matches.length === 0 || reply.resolution !== 'confident') expect(reply.advice).toBeTruthy();
    expectValid(reply);
  });

  it('answers any text with a valid reply, the same one each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 80 }), async (query) => {
        const [first, second] = [await demo.search(query), await demo.search(query)];
        expectValid(first);
        expect(second.matches).toEqual(first.matches);
      }),
      { numRuns: 100 },
    );
  });

  it('advises to stop at the third search in a row', async () => {
    const trail = { ...EMPTY_TRAIL, searchesInARow: 2 };
    expect((await demo.search('schedule', { trail })).advice).toContain('stop rephrasing');
    expect((await demo.search('帮我处理一下开发环境')).advice).not.toContain('stop rephrasing');
  });

  it('says so when nothing at all is registered', async () => {
    const reply = await buildSearch([]).search('update codex');
    expect(reply.resolution).toBe('no_confident_match');
    expect(reply.advice).toContain('No capability is registered here.');
  });
});

describe('SearchService: limits and policy', () => {
  it('stays below `within`, `types` and `side_effect_max`, and counts what they left out', async () => {
    const reply = await demo.search({
      query: '清理缓存 delete cache',
      within: 'maintenance.npm',
      types: ['action'],
      side_effect_max: 'R',
    });
    expect(idsOf(reply).every((id) => id.startsWith('maintenance.npm.'))).toBe(true);
    expect(reply.matches.every((match) => match.side_effect === 'R')).toBe(true);
    expect(reply.search_meta.filtered).toMatchObject({ stronger_effect: 1 });
    expect(reply.scope).toBe('maintenance.npm');
  });

  it.each([
    ['no.such.pack', 'no.such.pack'],
    ['maintenance.codex.diagnose', 'capability_describe'],
  ])('says what is wrong with within %s', async (within, expected) => {
    const reply = await demo.search({ query: 'update', within });
    expect(reply.resolution).toBe('no_confident_match');
    expect(reply.advice).toContain(expected);
    expectValid(reply);
  });

  it('answers as if what may not be discovered were not there', async () => {
    const secret: Sketch = {
      action_id: 'vault.secret_rotate',
      title: 'Rotate the zebra secret',
      summary: 'Rotates zebra secrets.',
      aliases: ['zebra rotation'],
      intents: ['update'],
      entities: ['zebra'],
      acl: { discover: ['role:admin'] },
    };
    const pack: Sketch = { pack_id: 'vault', title: 'Vault', acl: { discover: ['role:admin'] } };
    const bench = buildSearch([...DEMO, pack, secret]);
    for (const query of [
      'rotate the zebra secret',
      'vault.secret_rotate',
      'zebra rotation',
      'vault',
      'what can you do?',
      'vault 有哪些能力',
    ]) {
      const reply = await bench.search(query);
      // The query itself comes back as sent.
      expect(JSON.stringify({ ...reply, query: '' })).not.toMatch(/vault|secret|zebra/i);
      expect(reply.search_meta.filtered).toEqual({});
    }
    const admin = await bench.search('vault.secret_rotate', { context: { ...CONTEXT, principals: ['role:admin'] } });
    expect(idsOf(admin)[0]).toBe('vault.secret_rotate');
  });

  it('shows what is found but cannot run here, marked and lower', async () => {
    const policy = new MemoryPolicy(
      new Map([['a.clean_cache', { availability: 'missing_executor', reasons: ['Install it.'] }]]),
    );
    const twins: Sketch[] = ['a', 'b'].map((pack) => ({
      action_id: `${pack}.clean_cache`,
      title: 'Clean the cache',
      summary: 'Cleans the cache.',
      intents: ['clean'],
    }));
    const reply = await buildSearch(twins, { policy }).search('clean the big cache');
    expect(idsOf(reply)).toEqual(['b.clean_cache', 'a.clean_cache']);
    expect(reply.matches[1]?.availability).toBe('missing_executor');
  });

  it('ranks what the goal forbids below everything else', async () => {
    const reply = await demo.search({ query: '修好 codex，但是不要更新', limit: 10 });
    expect(idsOf(reply)[0]).toBe('maintenance.codex.path_repair');
    const update = idsOf(reply).indexOf('maintenance.codex.update');
    if (update >= 0) expect(reply.matches.slice(update).every((match) => match.why.includes('ruled out'))).toBe(true);
  });

  it('prefers reading when the goal is unclear, and the write when it was asked for', async () => {
    const pair: Sketch[] = [
      {
        action_id: 'x.cache_wipe',
        title: 'Cache wipe',
        summary: 'The cache.',
        intents: ['delete'],
        side_effect: 'I',
        risk_level: 'high',
      },
      { action_id: 'y.cache_look', title: 'Cache look', summary: 'The cache.', intents: ['show'] },
    ];
    const bench = buildSearch(pair);
    expect(idsOf(await bench.search('something with that cache'))[0]).toBe('y.cache_look');
    expect(idsOf(await bench.search('delete the cache'))[0]).toBe('x.cache_wipe');
  });

  it('lifts what the last run recommended, and what verifies it', async () => {
    const trail = {
      ...EMPTY_TRAIL,
      recommended: ['demo:maintenance.codex.path_repair'],
      lastRunKey: 'demo:maintenance.codex.diagnose',
    };
    const before = await demo.search('现在把 codex 修好');
    const after = await demo.search('现在把 codex 修好', { trail });
    expect(after.matches[0]).toMatchObject({
      resource_id: 'maintenance.codex.path_repair',
      why: 'recommended by the last run',
    });
    expect(after.matches[0]!.score).toBeGreaterThanOrEqual(before.matches[0]!.score);
  });

  it('goes on without a retriever that fails, and says so', async () => {
    const broken = { name: 'semantic' as const, retrieve: () => Promise.reject(new Error('422')) };
    const reply = await buildSearch(DEMO, { retrievers: [broken] }).search(
      'codex 更新后还是旧版本怎么回事，看看 npm 全局前缀',
    );
    const prose = await buildSearch(DEMO, { retrievers: [broken] }).search(
      'the npm cache grew and the packages look outdated on this machine',
    );
    expect(prose.search_meta.partial).toBe(true);
    expect(prose.search_meta.completed_retrievers).not.toContain('semantic');
    expect(reply.matches.length).toBeGreaterThan(0);
  });

  it('rejects when the caller cancels', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(demo.service.search({ query: 'x' }, CONTEXT, EMPTY_TRAIL, { signal })).rejects.toThrow('stopped');
  });
});

describe('SearchService: following the registry', () => {
  it('finds what was added and changed, and not what was removed', async () => {
    const bench = buildSearch([{ action_id: 'p.first', title: 'Count apples', summary: 'Counts apples.' }]);
    expect(idsOf(await bench.search('count apples'))).toEqual(['p.first']);
    bench.registry.set([{ action_id: 'p.second', title: 'Peel oranges', summary: 'Peels oranges.' }]);
    expect(idsOf(await bench.search('peel oranges'))).toEqual(['p.second']);
    bench.registry.set([{ action_id: 'p.first', title: 'Count bananas', summary: 'Counts bananas.' }]);
    expect(idsOf(await bench.search('count bananas'))[0]).toBe('p.first');
    expect((await bench.search('apples')).resolution).toBe('no_confident_match');
    bench.registry.remove('demo:p.second');
    expect(idsOf(await bench.search('peel oranges'))).not.toContain('p.second');
  });

  it('shows the scoped id where a bare one stands in two scopes', async () => {
    const bench = buildSearch([{ action_id: 'p.unique_thing' }]);
    bench.registry.set([{ action_id: 'p.unique_thing' }], {
      name: 'other',
      kind: 'workspace',
      root: '/o',
      definitions: '/o/.capabilities',
    });
    expect(idsOf(await bench.search('unique thing'))).toEqual(['demo:p.unique_thing', 'other:p.unique_thing']);
  });
});

describe('SearchService: size of the reply', () => {
  const long = (language: 'zh' | 'en'): Sketch[] =>
    Array.from({ length: 5 }, (_, index) => ({
      action_id: `maintenance.package_manager_${index}.diagnose_installation_conflicts`,
      title:
        language === 'zh'
          ? `诊断第 ${index} 个包管理器的安装与路径冲突以及版本不一致的问题`
          : `Diagnose installation and path conflicts of package manager number ${index}`,
      summary: (language === 'zh'
        ? '检查当前实际启动的可执行文件、版本、全局安装目录、已安装版本以及 Shell PATH 优先级，并给出修复建议。'
        : 'Checks the executable that really starts, its version, the global installation folder and the priority of PATH, and suggests a repair. '
      ).repeat(6),
      intents: [`diagnose`],
      entities: ['package_manager', 'executable', 'path', 'shell'],
      symptoms: ['active_version_mismatch', 'multiple_executables'],
      side_effect: 'W-local',
      risk_level: 'medium',
      requires_confirmation: true,
    }));

  it.each([
    ['zh', '检查 package_manager 的 path 与 executable，更新后还是旧版本，shell 里有多个可执行文件，请先诊断安装冲突'],
    [
      'en',
      'diagnose the package_manager path and executable in my shell, it still shows the old version after the update, multiple executables',
    ],
  ] as const)('keeps five matches within 700 tokens of o200k (%s)', async (language, query) => {
    const bench = buildSearch(
      long(language).map((sketch, index) => ({ ...sketch, intents: [index < 2 ? 'diagnose' : `diagnose${index}`] })),
    );
    const reply = await bench.search(query);
    expect(reply.matches).toHaveLength(5);
    expect(countTokens(JSON.stringify(reply))).toBeLessThanOrEqual(700);
    expect(reply.matches.every((match) => match.summary.length > 5)).toBe(true);
    expect(JSON.stringify(reply)).not.toContain('arguments_schema');
    expectValid(reply);
  });

  it.each([
    '检查 codex 版本',
    'update codex',
    '帮我处理一下开发环境',
    'what can you do?',
    'docker disk',
    '删除明天的日程',
  ])('estimates the tokens of a reply a little too high, never too low: %s', async (query) => {
    const text = JSON.stringify(await demo.search(query));
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
    expect(estimateTokens(text)).toBeLessThanOrEqual(countTokens(text) * 1.25);
  });

  it.each([1200, 400, 250, 60])('honours a budget of %d tokens, with one match at least', async (tokenBudget) => {
    const reply = await demo.search('检查 codex 版本', { tokenBudget });
    expect(reply.matches.length).toBeGreaterThan(0);
    if (tokenBudget >= 250) expect(countTokens(JSON.stringify(reply))).toBeLessThanOrEqual(tokenBudget);
    expectValid(reply);
  });

  it('shortens a query of 10,000 characters', async () => {
    const reply = await demo.search(`检查 codex ${'长'.repeat(9_900)}`);
    expect(reply.query.length).toBeLessThanOrEqual(201);
    expect(countTokens(JSON.stringify(reply))).toBeLessThanOrEqual(700);
  });
});

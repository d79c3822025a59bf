import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { ListService } from '../../../capabilities/disclosure/list-service';
import type { ErrorReply, ListInput, ListReply } from '../../../capabilities/models';
import commonSchema from '../../../schemas/common.schema.json';
import errorSchema from '../../../schemas/tools/error-reply.schema.json';
import listSchema from '../../../schemas/tools/list-reply.schema.json';
import searchSchema from '../../../schemas/tools/search-reply.schema.json';
import { DEMO } from '../search/demo-workspace';
import { CONTEXT, MemoryPolicy, MemoryRegistry, MemoryResolver } from '../search/memory-registry';
import type { Sketch } from '../search/memory-registry';

const ajv = new Ajv({ strict: false, schemas: [commonSchema, searchSchema, listSchema, errorSchema] });

function listOver(sketches: readonly Sketch[]): {
  list: (input: ListInput) => ListReply;
  fail: (input: ListInput) => ErrorReply;
  registry: MemoryRegistry;
} {
  const registry = new MemoryRegistry(sketches);
  const policy = new MemoryPolicy();
  const service = new ListService(registry, policy, new MemoryResolver(registry, policy));
  return {
    registry,
    list: (input) => {
      const reply = service.list(input, CONTEXT);
      expect(ajv.validate('list-reply.schema.json', reply), JSON.stringify(ajv.errors)).toBe(true);
      return reply as ListReply;
    },
    fail: (input) => {
      const reply = service.list(input, CONTEXT);
      expect(ajv.validate('error-reply.schema.json', reply), JSON.stringify(ajv.errors)).toBe(true);
      return reply as ErrorReply;
    },
  };
}

const idsOf = (reply: ListReply): readonly string[] => reply.children.map((child) => child.resource_id);

describe('ListService', () => {
  const demo = listOver(DEMO);

  it('lists the top with counts of everything below', () => {
    const reply = demo.list({});
    expect(reply.within).toBeNull();
    expect(idsOf(reply)).toEqual(['git', 'maintenance', 'myapp']);
    expect(reply.children[1]?.child_counts).toEqual({ pack: 4, action: 12, recipe: 1 });
  });

  it('shows the rules of a pack after those of the packs above it', () => {
    const reply = demo.list({ within: 'maintenance.codex' });
    expect(reply).toMatchObject({ within: 'maintenance.codex', title: 'Codex CLI 维护', total_count: 6 });
    expect(reply.conventions).toBe('Check before you change.\n\n先诊断，再修复。');
    expect(reply.children[0]).toMatchObject({
      resource_id: 'maintenance.codex.diagnose',
      side_effect: 'R',
      risk_level: 'low',
      availability: 'available',
    });
    expect(JSON.stringify(reply)).not.toContain('arguments_schema');
  });

  it('goes down as deep as asked, and keeps to the types asked for', () => {
    expect(
      demo.list({ within: 'maintenance', depth: 2, types: ['recipe'] }).children.map((child) => child.resource_id),
    ).toEqual(['maintenance.codex.path_conflict_guide']);
    expect(demo.list({ depth: 3, limit: 50 }).total_count).toBe(demo.registry.all().length);
  });

  it('pages through a listing without gaps or repetitions, also when it changes in between', () => {
    const bench = listOver(
      Array.from({ length: 25 }, (_, index) => ({ action_id: `p.a${String(index).padStart(2, '0')}` })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: ListReply = bench.list({ within: 'p', limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
      if (seen.length === 7) bench.registry.remove('demo:p.a06');
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `p.a${String(index).padStart(2, '0')}`));
  });

  it('refuses a cursor that is altered or from another listing', () => {
    const cursor = demo.list({ within: 'maintenance', limit: 1 }).next_cursor ?? '';
    for (const input of [
      { within: 'maintenance', cursor: `${cursor}x` },
      { within: 'maintenance', depth: 2, cursor },
      { cursor },
      { cursor: 'x' },
      { cursor: '' },
    ]) {
      expect(demo.fail(input)).toMatchObject({
        status: 'error',
        code: 'invalid_request',
        problems: [{ pointer: '/cursor' }],
      });
    }
  });

  it('tells what to do about an unknown pack, an action and an empty list', () => {
    expect(demo.fail({ within: 'no.such' }).code).toBe('unknown_resource');
    expect(demo.fail({ within: 'maintenance.codex.diagnose' }).next_step?.tool).toBe('capability_describe');
    expect(listOver([]).list({}).advice).toContain('.capabilities/');
    expect(demo.list({ within: 'git', types: ['pack'] }).advice).toContain('types');
    expect(listOver([{ pack_id: 'empty' }]).list({ within: 'empty' }).advice).toContain('empty');
  });

  it('neither shows nor counts what may not be discovered', () => {
    const bench = listOver([
      { pack_id: 'p' },
      { action_id: 'p.open' },
      { action_id: 'p.secret', acl: { discover: ['role:admin'] } },
      { pack_id: 'p.vault', acl: { discover: [] }, conventions: 'secret rules' },
      { action_id: 'p.vault.visible' },
    ]);
    expect(bench.list({}).children[0]?.child_counts).toEqual({ pack: 0, action: 2, recipe: 0 });
    expect(idsOf(bench.list({ within: 'p', depth: 3 }))).toEqual(['p.open', 'p.vault.visible']);
    expect(bench.fail({ within: 'p.vault' })).toEqual({
      ...bench.fail({ within: 'p.other' }),
      message: 'There is no "p.vault".',
    });
  });

  it('cuts long rules and summaries', () => {
    const bench = listOver([
      { pack_id: 'p', conventions: 'x'.repeat(8000) },
      { action_id: 'p.a', summary: '长'.repeat(900) },
    ]);
    const reply = bench.list({ within: 'p' });
    expect(reply.conventions).toContain('capability_describe');
    expect(JSON.stringify(reply).length).toBeLessThan(3000);
  });

  it('shows scoped ids where two scopes hold the same id, and stays in the scope asked for', () => {
    const bench = listOver([{ action_id: 'p.same' }]);
    bench.registry.set([{ action_id: 'p.same' }, { action_id: 'p.more' }], {
      name: 'other',
      kind: 'user',
      root: '/o',
      definitions: '/o',
    });
    expect(idsOf(bench.list({ within: 'demo:p' }))).toEqual(['demo:p.same']);
    expect(idsOf(bench.list({ within: 'other:p' }))).toEqual(['p.more', 'other:p.same']);
  });
});

import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { DescribeService } from '../../../capabilities/disclosure/describe-service';
import type { DescribeInput, DescribeReply, ErrorReply } from '../../../capabilities/models';
import commonSchema from '../../../schemas/common.schema.json';
import describeSchema from '../../../schemas/tools/describe-reply.schema.json';
import errorSchema from '../../../schemas/tools/error-reply.schema.json';
import listSchema from '../../../schemas/tools/list-reply.schema.json';
import searchSchema from '../../../schemas/tools/search-reply.schema.json';
import { DEMO } from '../search/demo-workspace';
import { CONTEXT, MemoryPolicy, MemoryRegistry, MemoryResolver } from '../search/memory-registry';
import type { Sketch } from '../search/memory-registry';

const ajv = new Ajv({ strict: false, schemas: [commonSchema, searchSchema, listSchema, describeSchema, errorSchema] });

function describeOver(sketches: readonly Sketch[], policy = new MemoryPolicy()) {
  const registry = new MemoryRegistry(sketches);
  const service = new DescribeService(registry, policy, new MemoryResolver(registry, policy));
  const ask = (input: DescribeInput | string): DescribeReply | ErrorReply =>
    service.describe(typeof input === 'string' ? { resource_id: input } : input, CONTEXT);
  return {
    read: (input: DescribeInput | string): DescribeReply => {
      const reply = ask(input);
      expect(ajv.validate('describe-reply.schema.json', reply), JSON.stringify(ajv.errors)).toBe(true);
      return reply as DescribeReply;
    },
    fail: (input: DescribeInput | string): ErrorReply => {
      const reply = ask(input);
      expect(ajv.validate('error-reply.schema.json', reply), JSON.stringify(ajv.errors)).toBe(true);
      return reply as ErrorReply;
    },
  };
}

describe('DescribeService: an action', () => {
  const demo = describeOver(DEMO);

  it('discloses the whole contract, the rules outermost first, and how to run it', () => {
    expect(demo.read('maintenance.codex.update')).toMatchObject({
      resource_type: 'action',
      action_id: 'maintenance.codex.update',
      version: 1,
      arguments_schema: { type: 'object', required: ['channel'] },
      side_effect: 'W-local',
      requires_confirmation: false,
      timeout: '60s',
      network_policy: 'none',
      conventions: ['Check before you change.', '先诊断，再修复。'],
      availability: 'available',
      next_step: {
        tool: 'capability_run',
        arguments: { action_id: 'maintenance.codex.update', action_version: 1, arguments: { channel: 'stable' } },
      },
    });
  });

  it('passes on undo, verify and next actions', () => {
    expect(demo.read('maintenance.codex.path_repair')).toMatchObject({
      verify: ['maintenance.codex.diagnose'],
      undo: 'maintenance.codex.rollback',
    });
    expect(demo.read('maintenance.codex.diagnose').next_actions).toEqual(['maintenance.codex.path_repair']);
  });

  it('leaves out references to what may not be discovered', () => {
    const bench = describeOver([
      {
        action_id: 'p.a',
        verify: ['p.hidden', { action: 'p.b', why: 'shows it' }],
        next_actions: ['p.hidden'],
        undo: 'p.hidden',
      },
      { action_id: 'p.b' },
      { action_id: 'p.hidden', acl: { discover: [] } },
    ]);
    const reply = bench.read('p.a');
    expect(reply.verify).toEqual([{ action: 'p.b', why: 'shows it' }]);
    expect(JSON.stringify(reply)).not.toContain('hidden');
  });

  it.each([
    ['W-shared', undefined, true],
    ['W-shared', false, false],
    ['W-local', true, true],
    ['I', undefined, true],
    ['R', undefined, false],
  ] as const)('says whether %s with %s is confirmed: %s', (side_effect, declared, expected) => {
    const bench = describeOver([
      { action_id: 'p.a', side_effect, ...(declared === undefined ? {} : { requires_confirmation: declared }) },
    ]);
    expect(bench.read('p.a').requires_confirmation).toBe(expected);
  });

  it('gives the reasons when it cannot run, and then no step to run it', () => {
    const policy = new MemoryPolicy(
      new Map([['p.a', { availability: 'missing_executor', reasons: ['Install npm.'] }]]),
    );
    const reply = describeOver([{ action_id: 'p.a', timeout: 90 }], policy).read('p.a');
    expect(reply).toMatchObject({
      availability: 'missing_executor',
      availability_reasons: ['Install npm.'],
      timeout: '90s',
    });
    expect(reply.next_step).toBeUndefined();
  });

  it('gives every array of the schema items, and changes nothing else', () => {
    const schema = {
      type: 'object',
      properties: {
        names: { type: 'array', default: ['x'] },
        maybe: { type: ['array', 'null'] },
        rows: { type: 'array', items: { type: 'array' } },
        pair: { type: 'array', items: [{ type: 'array' }, { type: 'string' }] },
        choice: { anyOf: [{ type: 'array' }, { type: 'string', enum: ['array'] }] },
        type: { type: 'string', const: 'array' },
      },
      $defs: { list: { type: 'array' } },
    };
    const before = structuredClone(schema);
    const given = describeOver([{ action_id: 'p.a', arguments_schema: schema }]).read('p.a').arguments_schema;
    expect(schema).toEqual(before);
    expect(given).toEqual({
      type: 'object',
      properties: {
        names: { type: 'array', default: ['x'], items: {} },
        maybe: { type: ['array', 'null'], items: {} },
        rows: { type: 'array', items: { type: 'array', items: {} } },
        pair: { type: 'array', items: [{ type: 'array', items: {} }, { type: 'string' }] },
        choice: {
          anyOf: [
            { type: 'array', items: {} },
            { type: 'string', enum: ['array'] },
          ],
        },
        type: { type: 'string', const: 'array' },
      },
      $defs: { list: { type: 'array', items: {} } },
    });
  });
});

describe('DescribeService: failures', () => {
  const bench = describeOver([
    { action_id: 'p.plain', version: 4 },
    { action_id: 'p.hidden', acl: { discover: [] } },
    { action_id: 'p.closed', acl: { describe: ['role:admin'] } },
    { action_id: 'p.norun', acl: { execute: [] } },
  ]);

  it('answers for the hidden exactly as for the unknown', () => {
    expect(bench.fail('p.hidden').code).toBe('unknown_resource');
    expect(bench.fail('p.hidden').message.replace('hidden', 'nothing')).toBe(bench.fail('p.nothing').message);
  });

  it('keeps the contract from those who may only find it', () => {
    const reply = bench.fail('p.closed');
    expect(reply.code).toBe('describe_denied');
    expect(JSON.stringify(reply)).not.toContain('schema');
  });

  it('describes what may not be run, and says so', () => {
    expect(bench.read('p.norun').availability).toBe('execute_denied');
  });

  it('notices a version that has changed', () => {
    expect(bench.fail({ resource_id: 'p.plain', version: 3 })).toMatchObject({
      code: 'version_conflict',
      current_version: 4,
      next_step: { tool: 'capability_describe' },
    });
    expect(bench.read({ resource_id: 'p.plain', version: 4 }).version).toBe(4);
  });
});

describe('DescribeService: recipes and packs', () => {
  it('gives a recipe its visible steps and its text, and the first action to describe', () => {
    const bench = describeOver([
      {
        recipe_id: 'p.guide',
        body: 'Read me.',
        steps: [
          'Look.',
          { action: 'p.hidden', why: 'Ask a colleague.' },
          { action: 'p.hidden' },
          { action: 'p.a', why: 'Mend.' },
        ],
      },
      { action_id: 'p.a' },
      { action_id: 'p.hidden', acl: { discover: [] } },
    ]);
    expect(bench.read('p.guide')).toMatchObject({
      resource_type: 'recipe',
      body: 'Read me.',
      steps: ['Look.', 'Ask a colleague.', { action: 'p.a', why: 'Mend.' }],
      next_step: { tool: 'capability_describe', arguments: { resource_id: 'p.a' } },
    });
  });

  it('gives a pack its rules and children', () => {
    const reply = describeOver(DEMO).read('maintenance.codex');
    expect(reply.children).toHaveLength(6);
    expect(reply.conventions).toEqual(['Check before you change.', '先诊断，再修复。']);
    expect(reply.next_step).toEqual({ tool: 'capability_list', arguments: { within: 'maintenance.codex' } });
    expect(reply.arguments_schema).toBeUndefined();
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionDefinition, ErrorReply } from '../../../capabilities/models';
import { ExecutorBench, withName } from './executor-bench';
import { replyBytes, text, wellFormed } from './run-assertions';
import { sampleContext } from './sample-resources';

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});

describe('arguments', () => {
  it.each<[string, unknown]>([
    ['as they should be', { name: 'ab' }],
    ['as a JSON string', '{"name":"ab"}'],
    ['nested once', { arguments: { name: 'ab' } }],
    ['nested in a string', { arguments: '{"name":"ab"}' }],
  ])('arrive %s', async (_name, args) => {
    bench.add(withName);
    expect(await bench.run({ arguments: args as Record<string, unknown> })).toMatchObject({
      status: 'ok',
      output: 'ab-3',
    });
  });

  it('are optional', async () => {
    bench.addProgram("process.stdout.write('x')");
    expect(await bench.run()).toMatchObject({ output: 'x' });
  });

  it('that are wrong are answered with pointers, schema and an example that works', async () => {
    bench.add(withName);
    const reply = wellFormed(await bench.run({ arguments: { nam: 'abc', count: 7 } })) as ErrorReply;
    expect(reply).toMatchObject({
      code: 'invalid_arguments',
      arguments_schema: withName.arguments_schema,
      corrected_example: { name: text(/../), count: 7 },
    });
    expect(reply.problems?.length).toBeGreaterThan(0);
    expect(await bench.run({ arguments: reply.corrected_example ?? {} })).toMatchObject({ status: 'ok' });
    expect(bench.audit[0]).toMatchObject({ kind: 'decision', decision: 'refused', outcome: 'invalid_arguments' });
  });

  it('that are thousands keep the plan of a dry run within its limit', async () => {
    bench.addProgram('', { arguments_schema: { type: 'object' } });
    const args = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key-${index}`, index]));
    const reply = wellFormed(await bench.run({ arguments: args, dry_run: true }));
    expect(reply).toMatchObject({ status: 'planned', plan: { arguments: { '…': text(/^and \d+ more$/) } } });
    expect(replyBytes(reply)).toBeLessThanOrEqual(8192);
  });

  it('do not give the schema away to those who may not describe', async () => {
    bench.add({ ...withName, acl: { describe: [] } });
    const reply = wellFormed(await bench.run({ arguments: {} }));
    expect(reply).toMatchObject({ code: 'invalid_arguments' });
    expect(reply).not.toHaveProperty('arguments_schema');
    expect(reply).not.toHaveProperty('corrected_example');
    for (const args of [{}, { nam: 'ab' }, { name: 'ab', count: 'x' }])
      expect(JSON.stringify(await bench.run({ arguments: args }))).not.toMatch(/name|count/);
    expect(await bench.run({ arguments: { name: 'ab' }, dry_run: true })).toMatchObject({ code: 'describe_denied' });
    expect(bench.audit.at(-1)).toMatchObject({ decision: 'refused', outcome: 'describe_denied' });
    expect(await bench.run({ arguments: { name: 'ab' } })).toMatchObject({ status: 'ok' });
  });

  it.each<[string, unknown, string]>([
    ['a NUL', { name: 'a\0b' }, '/name'],
    ['half a surrogate pair', { name: 'a\ud800' }, '/name'],
    ['a key that reaches into prototypes', JSON.parse('{"name":"ab","__proto__":{"x":1}}') as unknown, '/__proto__'],
    ['half a pair in a key', { 'a\ud800': 1 }, '/a'],
    ['a number that is none', { count: Number.NaN, name: 'ab' }, '/count'],
    ['a value that is too deep', { name: JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`) as unknown }, '/name/0'],
    ['no object', [1], ''],
    ['a text that is not JSON', '{oops', ''],
    ['a value that looks like an option', { name: '--help' }, '/name'],
  ])('with %s are refused', async (_name, args, pointer) => {
    bench.add(withName);
    const reply = wellFormed(await bench.run({ arguments: args as Record<string, unknown> })) as ErrorReply;
    expect(reply.code).toBe('invalid_arguments');
    expect(reply.problems?.[0]?.pointer.startsWith(pointer)).toBe(true);
    expect(bench.audit).toHaveLength(1);
  });

  it('keep a reply within its size, however large the schema and the mistakes', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: 'string', description: 'd'.repeat(100) }]),
    );
    bench.add({ arguments_schema: { type: 'object', properties, additionalProperties: false } });
    const args = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`q${index}${'x'.repeat(300)}`, 1]));
    expect(wellFormed(await bench.run({ arguments: args }))).toMatchObject({
      code: 'invalid_arguments',
      message: text(/describe the action/),
    });
    const tiny = await bench.run({ arguments: args }, sampleContext(), { tokenBudget: 10 });
    expect(replyBytes(tiny)).toBeLessThanOrEqual(1_024);
  });

  it('can not be checked by a schema that is broken', async () => {
    bench.add({ arguments_schema: { type: 'nonsense' } });
    expect(wellFormed(await bench.run())).toMatchObject({
      code: 'execution_failed',
      message: text(/arguments_schema is not valid/),
    });
  });
});

describe('what is decided before', () => {
  it('names an unknown id, a pack, a recipe and another version', async () => {
    bench.addPack();
    bench.add();
    expect(wellFormed(await bench.run({ action_id: 'none\ud800' }))).toMatchObject({ code: 'unknown_resource' });
    expect(wellFormed(await bench.run({ action_id: 'demo' }))).toMatchObject({
      code: 'invalid_request',
      next_step: { tool: 'capability_list' },
    });
    const definition = { recipe_id: 'demo.guide', version: 1, title: 'G', summary: 'G.', body: 'x' };
    bench.resources.set('folder:demo.guide', {
      type: 'recipe',
      id: 'demo.guide',
      key: 'folder:demo.guide',
      scope: bench.scope,
      parentId: 'demo',
      definition,
      source: undefined,
      hash: 'h',
      enabled: true,
    });
    expect(wellFormed(await bench.run({ action_id: 'demo.guide' }))).toMatchObject({
      code: 'invalid_request',
      next_step: { tool: 'capability_describe' },
    });
    expect(wellFormed(await bench.run({ action_version: 2 }))).toMatchObject({
      code: 'version_conflict',
      current_version: 1,
    });
    expect(bench.audit.map((record) => record.outcome)).toEqual([
      'unknown_resource',
      'invalid_request',
      'invalid_request',
      'version_conflict',
    ]);
  });

  it('comes in its fixed order: version, arguments, access, environment, trust, confirmation', async () => {
    const worst: Partial<ActionDefinition> = {
      ...withName,
      acl: { execute: [] },
      required_executors: ['absent'],
      side_effect: 'I',
    };
    bench.answer = 'declined';
    const codeOf = async (
      change: Partial<ActionDefinition>,
      input = {},
      context = sampleContext({ workspaceTrusted: false }),
    ) => {
      bench.add({ ...worst, ...change });
      return ((await bench.run(input, context)) as ErrorReply).code;
    };
    const good = { arguments: { name: 'ab' } };
    expect(await codeOf({}, { action_version: 9 })).toBe('version_conflict');
    expect(await codeOf({}, {})).toBe('invalid_arguments');
    expect(await codeOf({}, good)).toBe('execute_denied');
    expect(await codeOf({ acl: {} }, good)).toBe('missing_executor');
    expect(await codeOf({ acl: {}, required_executors: [] }, good)).toBe('workspace_untrusted');
    expect(await codeOf({ acl: {}, required_executors: [] }, good, sampleContext())).toBe('confirmation_declined');
    expect(bench.asked).toHaveLength(1);
  });

  it.each<[string, Partial<ActionDefinition>]>([
    ['unsupported_os', { supported_os: ['windows'] }],
    ['missing_credential', { required_credentials: ['X'] }],
    ['missing_context', { required_context: ['git_repository'] }],
    ['missing_executor', { handler: { type: 'command', argv: ['no-such-program'] } }],
  ])('%s keeps it from running', async (code, change) => {
    bench.add(change);
    expect(wellFormed(await bench.run())).toMatchObject({ code, message: text(/Nothing ran/) });
  });

  it('a disabled action stays off', async () => {
    bench.add({ acl: { execute: [] } });
    const action = bench.resources.get('folder:demo.act');
    if (action !== undefined) bench.resources.set(action.key, { ...action, enabled: false });
    expect(wellFormed(await bench.run())).toMatchObject({ code: 'disabled' });
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { needsConfirmation } from '../../../capabilities/execution/execution-plan';
import { CommandActionHandler } from '../../../capabilities/execution/handlers/command';
import { ScriptActionHandler } from '../../../capabilities/execution/handlers/script';
import type { ActionDefinition } from '../../../capabilities/models';
import { temporaryFolder } from '../node/temporary-folder';
import { planOf, plannerBench } from './planner-bench';
import { sampleAction, sampleContext } from './sample-resources';

describe('the frozen plan', () => {
  it('is frozen on every level and does not follow the caller', async () => {
    const args = { list: ['a'], deep: { x: 1 } };
    const planned = planOf(await plannerBench().planCommand({ argv: ['true', '${args.list}'] }, args));
    args.list.push('b');
    args.deep.x = 2;
    expect(planned.arguments).toEqual({ list: ['a'], deep: { x: 1 } });
    for (const part of [
      planned,
      planned.arguments,
      planned.argv,
      planned.environment,
      planned.scope,
      planned.arguments['deep'],
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('has a hash that changes with everything it says', async () => {
    const b = plannerBench();
    const base: Partial<ActionDefinition> = { handler: { type: 'command', argv: ['echo', '${args.a}'] } };
    const hash = async (change: Partial<ActionDefinition>, a = 'x'): Promise<string> =>
      planOf(await b.plan({ ...base, ...change }, { a })).planHash;
    const hashes = await Promise.all([
      hash({}),
      hash({}, 'y'),
      hash({ version: 2 }),
      hash({ title: 'Other' }),
      hash({ side_effect: 'I' }),
      hash({ timeout: 5 }),
      hash({ network_policy: 'any' }),
      hash({ filesystem: { write: ['a'] } }),
      hash({ affected_resources: ['r'] }),
      hash({ reversible: true }),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(await hash({})).toBe(hashes[0]);
  });

  it('takes its limits from the definition', async () => {
    const b = plannerBench();
    expect(planOf(await b.plan({}))).toMatchObject({
      network: 'none',
      write: [],
      timeoutMs: 60_000,
      reversible: undefined,
    });
    expect(planOf(await b.plan({ side_effect: 'W-local' })).write).toEqual(['.']);
    const timeouts = [5, '500ms', '2m', '1h', '999999h'].map(
      async (timeout) => planOf(await b.plan({ timeout })).timeoutMs,
    );
    expect(await Promise.all(timeouts)).toEqual([5_000, 500, 120_000, 3_600_000, 86_400_000]);
  });

  it('shows what is affected, and the template itself where an argument is missing', async () => {
    const planned = planOf(
      await plannerBench().plan({ affected_resources: ['~/.bashrc', 'id ${args.id}', 'x ${args.none}'] }, { id: 7 }),
    );
    expect(planned.affectedResources).toEqual(['~/.bashrc', 'id 7', 'x ${args.none}']);
  });

  it.each([
    ['R', undefined, false],
    ['R', true, true],
    ['W-local', undefined, false],
    ['W-local', true, true],
    ['W-shared', undefined, true],
    ['W-shared', false, false],
    ['I', undefined, true],
    ['I', false, true],
  ] as const)('for %s with requires_confirmation %s needs a confirmation: %s', (side_effect, stated, expected) => {
    const change = stated === undefined ? {} : { requires_confirmation: stated };
    expect(needsConfirmation(sampleAction({ side_effect, ...change }).definition)).toBe(expected);
  });
});

describe('handlers', () => {
  it('refuse an action of another type', async () => {
    const ports = {} as ConstructorParameters<typeof CommandActionHandler>[0];
    const script = sampleAction({ handler: { type: 'script', file: 'x.sh' } });
    const request = { arguments: {}, context: sampleContext() };
    await expect(new CommandActionHandler(ports).prepare({ ...request, resource: script })).rejects.toThrow(
      'script action',
    );
    await expect(new ScriptActionHandler(ports).prepare({ ...request, resource: sampleAction() })).rejects.toThrow(
      'command action',
    );
  });
});

describe('the script handler', () => {
  const scriptOf = (file: string, more: object = {}): Partial<ActionDefinition> => ({
    handler: { type: 'script', file, ...more },
  });

  it('hands the arguments over as JSON on standard input and in CAPABILITY_ARGS', async () => {
    const b = plannerBench();
    writeFileSync(path.join(b.root, 'lib.mjs'), 'export const answer = 42;');
    writeFileSync(
      path.join(b.root, 's.mjs'),
      `import { answer } from './lib.mjs'; import { readFileSync } from 'node:fs';
       console.log(JSON.stringify([answer, JSON.parse(readFileSync(0, 'utf8')), JSON.parse(process.env.CAPABILITY_ARGS)]));`,
    );
    const args = { text: '-x "y" $z', n: 1 };
    const planned = planOf(await b.plan(scriptOf('s.mjs'), args));
    expect(planned).toMatchObject({
      script: 's.mjs',
      argv: [expect.stringMatching(/node$/), path.join(b.root, 's.mjs')],
    });
    expect(JSON.parse((await b.run(planned)).stdout.text)).toEqual([42, args, args]);
  });

  it.each([
    ['a.js', 'node'],
    ['a.cjs', 'node'],
    ['a.py', 'python3'],
    ['a.sh', 'bash'],
  ])('runs %s with %s', async (file, program) => {
    const b = plannerBench();
    writeFileSync(path.join(b.root, file), '');
    expect(path.basename(planOf(await b.plan(scriptOf(file))).argv[0] ?? '')).toBe(program);
  });

  it('takes the interpreter that is named', async () => {
    const b = plannerBench();
    writeFileSync(path.join(b.root, 'tool'), '');
    expect(planOf(await b.plan(scriptOf('tool', { interpreter: 'sh' }))).argv[0]).toMatch(/\/sh$/);
    expect(await b.plan(scriptOf('tool'))).toMatchObject({
      problem: { message: expect.stringMatching(/no interpreter is known/) as string },
    });
    expect(await b.plan(scriptOf('tool', { interpreter: 'no-such' }))).toMatchObject({
      problem: { code: 'missing_executor' },
    });
  });

  it('must be a file inside the workspace that can be read', async () => {
    const b = plannerBench();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'evil.sh'), '');
    symlinkSync(path.join(outside, 'evil.sh'), path.join(b.root, 'link.sh'));
    symlinkSync(outside, path.join(b.root, 'folder'));
    mkdirSync(path.join(b.root, 'dir.sh'));
    for (const file of ['link.sh', 'folder/evil.sh', '../x.sh', '/etc/passwd', 'none.sh', 'dir.sh']) {
      expect(await b.plan(scriptOf(file))).toMatchObject({
        ok: false,
        problem: { code: 'execution_failed', message: expect.stringMatching(/its script/) as string },
      });
    }
  });

  it('is hashed into the plan; a byte that changes afterwards stops the run', async () => {
    const b = plannerBench();
    const file = path.join(b.root, 's.sh');
    writeFileSync(file, 'echo one');
    const planned = planOf(await b.plan(scriptOf('s.sh')));
    expect(await b.findChange(planned)).toBeUndefined();
    writeFileSync(file, 'echo two');
    expect(await b.findChange(planned)).toMatchObject({
      code: 'version_conflict',
      message: expect.stringMatching(/s\.sh changed/) as string,
    });
    expect(planOf(await b.plan(scriptOf('s.sh'))).planHash).not.toBe(planned.planHash);
    expect(await b.findChange({ ...planned, cwd: '/nowhere' })).toMatchObject({
      message: expect.stringMatching(/working folder/) as string,
    });
  });

  it('passes problems of its surroundings and its arguments on', async () => {
    const b = plannerBench();
    writeFileSync(path.join(b.root, 's.sh'), '');
    expect(await b.plan(scriptOf('s.sh', { cwd: '..' }))).toMatchObject({
      problem: { message: expect.stringMatching(/working folder/) as string },
    });
    const long = await b.plan(scriptOf('s.sh'), { a: 'x'.repeat(131_072) });
    expect(long).toMatchObject({ problem: { code: 'invalid_arguments' } });
  });
});

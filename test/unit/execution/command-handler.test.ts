import { mkdirSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExecutionPlanner, needsConfirmation } from '../../../capabilities/execution/execution-plan';
import { CommandActionHandler } from '../../../capabilities/execution/handlers/command';
import { ScriptActionHandler } from '../../../capabilities/execution/handlers/script';
import type {
  ActionDefinition,
  CommandHandler,
  FrozenPlan,
  Result,
  RuntimeContext,
} from '../../../capabilities/models';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { NodeMachine } from '../../../capabilities/node/node-machine';
import { NodeProcessRunner } from '../../../capabilities/node/node-process-runner';
import { ProcessContainment } from '../../../capabilities/node/process-containment';
import { temporaryFolder } from '../node/temporary-folder';
import { sampleAction, sampleContext, sampleScope } from './sample-resources';

const PATH = process.env['PATH'] ?? '';
const hostEnvironment = {
  PATH,
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  SECRET_TOKEN: 's3cret',
  NODE_OPTIONS: '--x',
  UNSET: undefined,
};

interface Bench {
  readonly root: string;
  plan(
    change: Partial<ActionDefinition>,
    args?: Record<string, unknown>,
    context?: RuntimeContext,
  ): Promise<Result<FrozenPlan>>;
  planCommand(
    handler: Partial<CommandHandler>,
    args?: Record<string, unknown>,
    schema?: object,
  ): Promise<Result<FrozenPlan>>;
  run(plan: FrozenPlan): ReturnType<CommandActionHandler['run']>;
  findChange(plan: FrozenPlan): ReturnType<CommandActionHandler['findChange']>;
}

function bench(): Bench {
  const root = temporaryFolder();
  const clock = new NodeClock();
  const digest = new NodeDigest();
  const machine = new NodeMachine(clock, { platform: 'linux', environment: hostEnvironment });
  const processes = new NodeProcessRunner(path.join(root, 'outputs'), new ProcessContainment(), clock);
  const ports = { fileSystem: new NodeFileSystem(), machine, digest, processes };
  const handlers = { command: new CommandActionHandler(ports), script: new ScriptActionHandler(ports) };
  const planner = new ExecutionPlanner(handlers, digest, machine);
  const plan: Bench['plan'] = (change, args = {}, context = sampleContext()) =>
    planner.plan({ resource: sampleAction(change, sampleScope(root)), arguments: args, context });
  return {
    root,
    plan,
    planCommand: (handler, args = {}, schema = { type: 'object' }) =>
      plan(
        {
          handler: { type: 'command', argv: ['true'], ...handler },
          arguments_schema: schema as Record<string, unknown>,
        },
        args,
      ),
    run: (frozen) =>
      handlers[frozen.script === undefined ? 'command' : 'script'].run(frozen, new AbortController().signal),
    findChange: (frozen) => handlers[frozen.script === undefined ? 'command' : 'script'].findChange(frozen),
  };
}

function value(result: Result<FrozenPlan>): FrozenPlan {
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

const argvOf = async (
  argv: readonly string[],
  args: Record<string, unknown>,
  schema?: object,
): Promise<readonly string[]> =>
  value(await bench().planCommand({ argv: ['true', ...argv] }, args, schema)).argv.slice(1);

describe('placeholders', () => {
  it.each([
    ['fill one element', ['${args.a}'], { a: 'x y' }, ['x y']],
    ['fill part of one', ['--name=${args.a}.txt'], { a: 'x y' }, ['--name=x y.txt']],
    ['never split', ['a${args.list}'], { list: ['b', 'c'] }, ['a["b","c"]']],
    [
      'spread a lone list',
      ['a', '${args.list}', 'z'],
      { list: ['b c', 1, true, { k: 1 }] },
      ['a', 'b c', '1', 'true', '{"k":1}', 'z'],
    ],
    ['spread an empty list to nothing', ['a', '${args.list}', 'z'], { list: [] }, ['a', 'z']],
    ['write numbers and booleans like JSON', ['${args.n}', '${args.b}'], { n: -1.5, b: false }, ['-1.5', 'false']],
    ['write objects as JSON', ['${args.o}'], { o: { b: 1, a: [] } }, ['{"a":[],"b":1}']],
    ['keep what a shell would change', ['${args.a}'], { a: '$(x) `y` ; "z" \\ *' }, ['$(x) `y` ; "z" \\ *']],
    ['are not filled twice', ['${args.a}'], { a: '${args.b}', b: 'no' }, ['${args.b}']],
    ['can be written out', ['$${args.a}'], { a: 'x' }, ['${args.a}']],
  ])('%s', async (_name, argv, args, expected) => {
    expect(await argvOf(argv, args)).toEqual(expected);
  });

  it('leave a list that is not given out, and refuse any other argument that is not given', async () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' } }, text: { type: 'string' } },
    };
    expect(await argvOf(['${args.list}'], {}, schema)).toEqual([]);
    const missing = await bench().planCommand({ argv: ['true', 'x${args.text}'] }, {}, schema);
    expect(missing).toMatchObject({
      ok: false,
      problem: { code: 'invalid_arguments', problems: [{ pointer: '/text' }] },
    });
  });

  it('reach the program exactly, whatever the text', async () => {
    const b = bench();
    const safe = fc.string({
      unit: fc.constantFrom(
        ' ',
        '"',
        "'",
        '\\',
        '$',
        '`',
        '\n',
        '\t',
        '*',
        '%',
        '&',
        '|',
        ';',
        'é',
        '中',
        '😀',
        '-',
        '@',
        'a',
      ),
    });
    await fc.assert(
      fc.asyncProperty(safe, async (sent) => {
        const script = 'process.stdout.write(JSON.stringify(process.argv[1]))';
        const planned = value(await b.planCommand({ argv: ['node', '-e', script, '--', '${args.a}'] }, { a: sent }));
        const result = await b.run(planned);
        expect(JSON.parse(result.stdout.text)).toBe(sent);
      }),
      { numRuns: 25 },
    );
  });

  it('use declared host variables only', async () => {
    const b = bench();
    expect(
      value(await b.planCommand({ argv: ['true', '${env.SECRET_TOKEN}'], pass_env: ['SECRET_TOKEN'] })).argv[1],
    ).toBe('s3cret');
    expect(await b.planCommand({ argv: ['true', '${env.SECRET_TOKEN}'] })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
    expect(await b.planCommand({ argv: ['true', '${env.UNSET}'], pass_env: ['UNSET'] })).toMatchObject({
      problem: { code: 'missing_context' },
    });
    expect(await b.planCommand({ argv: ['true', '${secret.TOKEN}'] })).toMatchObject({
      problem: { code: 'missing_credential' },
    });
    expect(await b.planCommand({ argv: ['true', '${nonsense}'] })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
    expect(await b.planCommand({ argv: ['true', '${args.list', 'x'] })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
  });

  it('fill the working folder, the input and the environment', async () => {
    const b = bench();
    mkdirSync(path.join(b.root, 'sub'));
    const handler = {
      argv: ['true'],
      cwd: '${workspaceFolder}/${args.d}',
      stdin: 'in ${args.d}',
      env: { D: '<${args.d}>' },
    };
    const planned = value(await b.planCommand(handler, { d: 'sub' }));
    expect(planned).toMatchObject({ cwd: path.join(b.root, 'sub'), stdin: 'in sub', environment: { D: '<sub>' } });
    expect(await b.planCommand({ ...handler, cwd: '${workspaceFolder}' })).toMatchObject({ ok: false });
    expect(await b.planCommand({ argv: ['true'], stdin: '${args.d}' })).toMatchObject({
      problem: { code: 'invalid_arguments' },
    });
    expect(await b.planCommand({ argv: ['true'], cwd: '${args.d}' })).toMatchObject({
      problem: { code: 'invalid_arguments' },
    });
  });
});

describe('values that look like options', () => {
  const text = { type: 'string' };
  it.each([
    ['a leading dash', ['${args.a}'], { a: '--output=/tmp/x' }, text],
    ['a leading at sign', ['${args.a}'], { a: '@/etc/passwd' }, text],
    ['a dash behind an empty part', ['${args.b}${args.a}'], { a: '-x', b: '' }, text],
    ['a pattern that is not anchored', ['${args.a}'], { a: '-oProxyCommand=x' }, { type: 'string', pattern: '[a-z]' }],
    ['a separator that is an argument', ['${args.b}', '${args.a}'], { a: '-x', b: 'y' }, text],
    ['a separator that comes later', ['${args.a}', '--'], { a: '-x' }, text],
  ])('are refused: %s', async (_name, argv, args, schema) => {
    const result = await bench().planCommand({ argv: ['git', ...argv] }, args, {
      type: 'object',
      properties: { a: schema },
    });
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid_arguments', problems: [{ pointer: '/a' }] } });
  });

  it.each([
    ['an enum', ['${args.a}'], { type: 'string', enum: ['-v'] }],
    ['a const', ['${args.a}'], { const: '-v' }],
    ['an anchored pattern', ['${args.a}'], { type: 'string', pattern: '^-[a-z]$' }],
    ['a schema behind a reference', ['${args.a}'], { $ref: '#/definitions/flag' }],
    ['a separator before it', ['--', '${args.a}'], text],
    ['a place inside an element', ['--flag=${args.a}'], text],
  ])('are allowed by %s', async (_name, argv, schema) => {
    const definitions = { flag: { enum: ['-v'] } };
    const filled = await argvOf(argv, { a: '-v' }, { type: 'object', properties: { a: schema }, definitions });
    expect(filled.at(-1)).toContain('-v');
  });

  it('are judged one by one in a list', async () => {
    const schema = (items: object): object => ({ type: 'object', properties: { list: { type: 'array', items } } });
    const list = ['a', '-b', '@c'];
    const refused = await bench().planCommand({ argv: ['true', '${args.list}'] }, { list }, schema(text));
    expect(refused).toMatchObject({ problem: { problems: [{ pointer: '/list/1' }, { pointer: '/list/2' }] } });
    expect(await argvOf(['${args.list}'], { list }, schema({ pattern: '^.' }))).toEqual(list);
    expect(await argvOf(['--', '${args.list}'], { list }, schema(text))).toEqual(['--', ...list]);
  });

  it('may be numbers', async () => {
    expect(await argvOf(['${args.n}'], { n: -5 })).toEqual(['-5']);
  });

  it.each([
    ['a reference that goes round', { properties: { a: { $ref: '#/properties/a' } } }],
    ['a reference to nowhere', { properties: { a: { $ref: '#/definitions/none' } } }],
    ['a reference to another document', { properties: { a: { $ref: 'http://x/y' } } }],
    ['a reference to the root', { properties: { a: { $ref: '#' } } }],
  ])('are refused when the schema is %s', async (_name, schema) => {
    expect(await bench().planCommand({ argv: ['true', '${args.a}'] }, { a: '-x' }, schema)).toMatchObject({
      ok: false,
    });
  });
});

describe('elements that no system takes', () => {
  it('are argument errors at the right place', async () => {
    const a = 'x'.repeat(131_072);
    const long = await bench().planCommand({ argv: ['true', 'y=${args.a}'] }, { a });
    expect(long).toMatchObject({
      problem: {
        code: 'invalid_arguments',
        problems: [{ pointer: '/a', message: expect.stringContaining('128 KiB') as string }],
      },
    });
    const number = await bench().planCommand({ argv: ['true', '${args.o}'] }, { o: { a } });
    expect(number).toMatchObject({ problem: { code: 'invalid_arguments', problems: [{ pointer: '' }] } });
    const variable = await bench().planCommand({ argv: ['true'], env: { V: '${args.a}' } }, { a });
    expect(variable).toMatchObject({ problem: { code: 'invalid_arguments' } });
    const item = await bench().planCommand({ argv: ['true', '${args.list}'] }, { list: [a] });
    expect(item).toMatchObject({ problem: { problems: [{ pointer: '/list/0' }] } });
  });
});

describe('the program', () => {
  it('is pinned to its full path', async () => {
    expect(value(await bench().planCommand({ argv: ['git', 'status'] })).argv[0]).toMatch(/^\/.*\/git$/);
    expect(value(await bench().planCommand({ argv: ['/bin/true'] })).argv[0]).toBe('/bin/true');
  });

  it('may stand in the workspace, and nowhere outside by a relative path or a link', async () => {
    const b = bench();
    writeFileSync(path.join(b.root, 'tool'), '#!/bin/sh\n');
    chmodSync(path.join(b.root, 'tool'), 0o755);
    symlinkSync('/bin/true', path.join(b.root, 'link'));
    expect(value(await b.planCommand({ argv: ['./tool'] })).argv[0]).toBe(path.join(b.root, 'tool'));
    expect(await b.planCommand({ argv: ['./link'] })).toMatchObject({ problem: { code: 'execution_failed' } });
    expect(await b.planCommand({ argv: ['../../bin/true'] })).toMatchObject({ ok: false });
    expect(await b.planCommand({ argv: ['./none'] })).toMatchObject({ problem: { code: 'missing_executor' } });
    expect(await b.planCommand({ argv: ['no-such-program'] })).toMatchObject({ problem: { code: 'missing_executor' } });
    expect(await b.planCommand({ argv: ['${env.X}'] })).toMatchObject({ problem: { code: 'execution_failed' } });
  });

  it('never comes from an argument', async () => {
    const result = await bench().planCommand({ argv: ['${args.p}'] }, { p: 'rm' });
    expect(result).toMatchObject({ problem: { code: 'execution_failed' } });
  });

  it.each([
    [['sh', '-c', 'echo ${args.a}']],
    [['bash', '-lc', 'echo ${args.a}']],
    [['env', 'sh', '-c', '${args.a}']],
    [['/usr/bin/python3.11', '-c', 'print("${args.a}")']],
    [['node', '-e', 'f("${args.a}")']],
    [['node', '--eval=${args.a}']],
    [['cmd.exe', '/c', 'dir ${args.a}']],
    [['pwsh', '-Command', '${args.a}']],
    [['perl', '-ne', '${args.a}']],
    [['php', '-r', '${args.a}']],
  ])('is not handed text built from an argument: %j', async (argv) => {
    const result = await bench().planCommand({ argv }, { a: 'x' });
    expect(result).toMatchObject({
      problem: { code: 'execution_failed', message: expect.stringMatching(/separate element/) as string },
    });
  });

  it('may take arguments beside its text', async () => {
    const planned = await bench().planCommand({ argv: ['sh', '-c', 'echo "$1"', 'sh', '${args.a}'] }, { a: 'x; y' });
    expect(value(planned).argv.at(-1)).toBe('x; y');
  });
});

describe('the environment', () => {
  it('holds PATH, HOME, LANG, TERM, what is set and what is passed on', async () => {
    const planned = value(await bench().planCommand({ env: { MODE: 'x' }, pass_env: ['SECRET_TOKEN', 'UNSET'] }));
    expect(planned.environment).toEqual({ PATH, HOME: '/home/me', LANG: 'C.UTF-8', MODE: 'x', SECRET_TOKEN: 's3cret' });
    expect(planned.hostEnvironment).toEqual(['PATH', 'HOME', 'LANG', 'SECRET_TOKEN']);
  });

  it.each([
    'PATH',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'node_options',
    'BASH_ENV',
    'ENV',
    'SHELLOPTS',
    'PS4',
    'GIT_SSH_COMMAND',
    'PYTHONSTARTUP',
    'CAPABILITY_ARGS',
    'PERL5OPT',
    'BASH_FUNC_x',
    'npm_config_script_shell',
  ])('can not set or pass on %s', async (name) => {
    expect(await bench().planCommand({ env: { [name]: 'x' } })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
    expect(await bench().planCommand({ pass_env: [name] })).toMatchObject({ problem: { code: 'execution_failed' } });
  });

  it('has what Windows programs need on Windows', async () => {
    const planned = value(await bench().plan({}, {}, sampleContext({ os: 'windows' })));
    expect(Object.keys(planned.environment)).toEqual(['PATH', 'HOME', 'LANG']);
  });
});

describe('the working folder', () => {
  it('stays inside the workspace, links resolved', async () => {
    const b = bench();
    symlinkSync('/etc', path.join(b.root, 'out'));
    for (const cwd of ['..', '/etc', 'out', 'missing', `../${path.basename(b.root)}-evil`]) {
      expect(await b.planCommand({ cwd })).toMatchObject({
        ok: false,
        problem: { code: 'execution_failed', message: expect.stringMatching(/working folder/) as string },
      });
    }
  });

  it('is checked again before the start', async () => {
    const b = bench();
    mkdirSync(path.join(b.root, 'sub'));
    const planned = value(await b.planCommand({ cwd: 'sub' }));
    expect(await b.findChange(planned)).toBeUndefined();
    const moved = { ...planned, cwd: path.join(b.root, 'gone') };
    expect(await b.findChange(moved)).toMatchObject({ code: 'version_conflict' });
  });
});

describe('the frozen plan', () => {
  it('is frozen on every level and does not follow the caller', async () => {
    const args = { list: ['a'], deep: { x: 1 } };
    const planned = value(await bench().planCommand({ argv: ['true', '${args.list}'] }, args));
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
    const b = bench();
    const base: Partial<ActionDefinition> = { handler: { type: 'command', argv: ['echo', '${args.a}'] } };
    const hash = async (change: Partial<ActionDefinition>, a = 'x'): Promise<string> =>
      value(await b.plan({ ...base, ...change }, { a })).planHash;
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
    const b = bench();
    expect(value(await b.plan({}))).toMatchObject({
      network: 'none',
      write: [],
      timeoutMs: 60_000,
      reversible: undefined,
    });
    expect(value(await b.plan({ side_effect: 'W-local' })).write).toEqual(['.']);
    const timeouts = [5, '500ms', '2m', '1h', '999999h'].map(
      async (timeout) => value(await b.plan({ timeout })).timeoutMs,
    );
    expect(await Promise.all(timeouts)).toEqual([5_000, 500, 120_000, 3_600_000, 86_400_000]);
  });

  it('shows what is affected, and the template itself where an argument is missing', async () => {
    const planned = value(
      await bench().plan({ affected_resources: ['~/.bashrc', 'id ${args.id}', 'x ${args.none}'] }, { id: 7 }),
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
    const b = bench();
    writeFileSync(path.join(b.root, 'lib.mjs'), 'export const answer = 42;');
    writeFileSync(
      path.join(b.root, 's.mjs'),
      `import { answer } from './lib.mjs'; import { readFileSync } from 'node:fs';
       console.log(JSON.stringify([answer, JSON.parse(readFileSync(0, 'utf8')), JSON.parse(process.env.CAPABILITY_ARGS)]));`,
    );
    const args = { text: '-x "y" $z', n: 1 };
    const planned = value(await b.plan(scriptOf('s.mjs'), args));
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
    const b = bench();
    writeFileSync(path.join(b.root, file), '');
    expect(path.basename(value(await b.plan(scriptOf(file))).argv[0] ?? '')).toBe(program);
  });

  it('takes the interpreter that is named', async () => {
    const b = bench();
    writeFileSync(path.join(b.root, 'tool'), '');
    expect(value(await b.plan(scriptOf('tool', { interpreter: 'sh' }))).argv[0]).toMatch(/\/sh$/);
    expect(await b.plan(scriptOf('tool'))).toMatchObject({
      problem: { message: expect.stringMatching(/no interpreter is known/) as string },
    });
    expect(await b.plan(scriptOf('tool', { interpreter: 'no-such' }))).toMatchObject({
      problem: { code: 'missing_executor' },
    });
  });

  it('must be a file inside the workspace that can be read', async () => {
    const b = bench();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'evil.sh'), '');
    symlinkSync(path.join(outside, 'evil.sh'), path.join(b.root, 'link.sh'));
    symlinkSync(outside, path.join(b.root, 'folder'));
    mkdirSync(path.join(b.root, 'dir.sh'));
    writeFileSync(path.join(b.root, 'bad.sh'), Buffer.from([0xff]));
    for (const file of ['link.sh', 'folder/evil.sh', '../x.sh', '/etc/passwd', 'none.sh', 'dir.sh', 'bad.sh']) {
      expect(await b.plan(scriptOf(file))).toMatchObject({
        ok: false,
        problem: { code: 'execution_failed', message: expect.stringMatching(/its script/) as string },
      });
    }
  });

  it('is hashed into the plan; a byte that changes afterwards stops the run', async () => {
    const b = bench();
    const file = path.join(b.root, 's.sh');
    writeFileSync(file, 'echo one');
    const planned = value(await b.plan(scriptOf('s.sh')));
    expect(await b.findChange(planned)).toBeUndefined();
    writeFileSync(file, 'echo two');
    expect(await b.findChange(planned)).toMatchObject({
      code: 'version_conflict',
      message: expect.stringMatching(/s\.sh changed/) as string,
    });
    expect(value(await b.plan(scriptOf('s.sh'))).planHash).not.toBe(planned.planHash);
    expect(await b.findChange({ ...planned, cwd: '/nowhere' })).toMatchObject({
      message: expect.stringMatching(/working folder/) as string,
    });
  });

  it('passes problems of its surroundings and its arguments on', async () => {
    const b = bench();
    writeFileSync(path.join(b.root, 's.sh'), '');
    expect(await b.plan(scriptOf('s.sh', { cwd: '..' }))).toMatchObject({
      problem: { message: expect.stringMatching(/working folder/) as string },
    });
    const long = await b.plan(scriptOf('s.sh'), { a: 'x'.repeat(131_072) });
    expect(long).toMatchObject({ problem: { code: 'invalid_arguments' } });
  });
});

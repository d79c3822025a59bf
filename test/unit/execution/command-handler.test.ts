import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildEnvironment } from '../../../capabilities/execution/process-environment';
import { PATH, planOf, plannerBench } from './planner-bench';

const argvOf = async (
  argv: readonly string[],
  args: Record<string, unknown>,
  schema?: object,
): Promise<readonly string[]> =>
  planOf(await plannerBench().planCommand({ argv: ['true', ...argv] }, args, schema)).argv.slice(1);

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
    const missing = await plannerBench().planCommand({ argv: ['true', 'x${args.text}'] }, {}, schema);
    expect(missing).toMatchObject({
      ok: false,
      problem: { code: 'invalid_arguments', problems: [{ pointer: '/text' }] },
    });
  });

  it('reach the program exactly, whatever the text', async () => {
    const b = plannerBench();
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
        const planned = planOf(await b.planCommand({ argv: ['node', '-e', script, '--', '${args.a}'] }, { a: sent }));
        const result = await b.run(planned);
        expect(JSON.parse(result.stdout.text)).toBe(sent);
      }),
      { numRuns: 25 },
    );
  });

  it('use declared host variables only', async () => {
    const b = plannerBench();
    expect(
      planOf(await b.planCommand({ argv: ['true', '${env.SECRET_TOKEN}'], pass_env: ['SECRET_TOKEN'] })).argv[1],
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
    const b = plannerBench();
    mkdirSync(path.join(b.root, 'sub'));
    const handler = {
      argv: ['true'],
      cwd: '${workspaceFolder}/${args.d}',
      stdin: 'in ${args.d}',
      env: { D: '<${args.d}>' },
    };
    const planned = planOf(await b.planCommand(handler, { d: 'sub' }));
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
    [
      'a pattern that admits a dash among others',
      ['${args.a}'],
      { a: '-rf' },
      { type: 'string', pattern: '^[a-z./-]+$' },
    ],
    ['a separator that is an argument', ['${args.b}', '${args.a}'], { a: '-x', b: 'y' }, text],
    ['a separator that comes later', ['${args.a}', '--'], { a: '-x' }, text],
  ])('are refused: %s', async (_name, argv, args, schema) => {
    const result = await plannerBench().planCommand({ argv: ['git', ...argv] }, args, {
      type: 'object',
      properties: { a: schema },
    });
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid_arguments', problems: [{ pointer: '/a' }] } });
  });

  it.each([
    ['an enum', ['${args.a}'], { type: 'string', enum: ['-v'] }],
    ['a const', ['${args.a}'], { const: '-v' }],
    ['a pattern that begins with a dash', ['${args.a}'], { type: 'string', pattern: '^-[a-z]$' }],
    [
      'a pattern with a group that begins with a dash',
      ['${args.a}'],
      { type: 'string', pattern: '^(?:-v|--verbose)$' },
    ],
    ['a pattern that begins with a sign', ['${args.a}'], { type: 'string', pattern: '^[-+]?[a-z0-9]+$' }],
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
    const refused = await plannerBench().planCommand({ argv: ['true', '${args.list}'] }, { list }, schema(text));
    expect(refused).toMatchObject({ problem: { problems: [{ pointer: '/list/1' }, { pointer: '/list/2' }] } });
    expect(await argvOf(['${args.list}'], { list }, schema({ pattern: '^[-@]?[a-z]$' }))).toEqual(list);
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
    expect(await plannerBench().planCommand({ argv: ['true', '${args.a}'] }, { a: '-x' }, schema)).toMatchObject({
      ok: false,
    });
  });
});

describe('elements that no system takes', () => {
  it('are argument errors at the right place', async () => {
    const a = 'x'.repeat(131_072);
    const long = await plannerBench().planCommand({ argv: ['true', 'y=${args.a}'] }, { a });
    expect(long).toMatchObject({
      problem: {
        code: 'invalid_arguments',
        problems: [{ pointer: '/a', message: expect.stringContaining('128 KiB') as string }],
      },
    });
    const number = await plannerBench().planCommand({ argv: ['true', '${args.o}'] }, { o: { a } });
    expect(number).toMatchObject({ problem: { code: 'invalid_arguments', problems: [{ pointer: '' }] } });
    const variable = await plannerBench().planCommand({ argv: ['true'], env: { V: '${args.a}' } }, { a });
    expect(variable).toMatchObject({ problem: { code: 'invalid_arguments' } });
    const item = await plannerBench().planCommand({ argv: ['true', '${args.list}'] }, { list: [a] });
    expect(item).toMatchObject({ problem: { problems: [{ pointer: '/list/0' }] } });
  });
});

describe('the program', () => {
  it('is pinned to its full path', async () => {
    expect(planOf(await plannerBench().planCommand({ argv: ['git', 'status'] })).argv[0]).toMatch(/^\/.*\/git$/);
    expect(planOf(await plannerBench().planCommand({ argv: ['/bin/true'] })).argv[0]).toBe('/bin/true');
  });

  it('may stand in the workspace, and nowhere outside by a relative path or a link', async () => {
    const b = plannerBench();
    writeFileSync(path.join(b.root, 'tool'), '#!/bin/sh\n');
    chmodSync(path.join(b.root, 'tool'), 0o755);
    symlinkSync('/bin/true', path.join(b.root, 'link'));
    expect(planOf(await b.planCommand({ argv: ['./tool'] })).argv[0]).toBe(path.join(b.root, 'tool'));
    expect(await b.planCommand({ argv: ['./link'] })).toMatchObject({ problem: { code: 'execution_failed' } });
    expect(await b.planCommand({ argv: ['../../bin/true'] })).toMatchObject({ ok: false });
    expect(await b.planCommand({ argv: ['./none'] })).toMatchObject({ problem: { code: 'missing_executor' } });
    expect(await b.planCommand({ argv: ['no-such-program'] })).toMatchObject({ problem: { code: 'missing_executor' } });
    expect(await b.planCommand({ argv: ['${env.X}'] })).toMatchObject({ problem: { code: 'execution_failed' } });
  });

  it('never comes from an argument', async () => {
    const result = await plannerBench().planCommand({ argv: ['${args.p}'] }, { p: 'rm' });
    expect(result).toMatchObject({ problem: { code: 'execution_failed' } });
  });

  it.each([
    [['sh', '-c', 'echo ${args.a}']],
    [['bash', '-lc', 'echo ${args.a}']],
    [['env', 'sh', '-c', '${args.a}']],
    [['sh', '-ce', 'echo ${args.a}']],
    [['sh', '-c', '-e', 'echo ${args.a}']],
    [['bash', '-c', '-o', 'pipefail', 'echo ${args.a}']],
    [['python3', '-cprint("${args.a}")']],
    [['perl', '-ne${args.a}']],
    [['/usr/bin/python3.11', '-c', 'print("${args.a}")']],
    [['node', '-e', 'f("${args.a}")']],
    [['node', '--eval=${args.a}']],
    [['cmd.exe', '/c', 'dir ${args.a}']],
    [['pwsh', '-Command', '${args.a}']],
    [['perl', '-ne', '${args.a}']],
    [['php', '-r', '${args.a}']],
  ])('is not handed text built from an argument: %j', async (argv) => {
    const result = await plannerBench().planCommand({ argv }, { a: 'x' });
    expect(result).toMatchObject({
      problem: { code: 'execution_failed', message: expect.stringMatching(/separate element/) as string },
    });
  });

  it('may take arguments beside its text', async () => {
    const planned = await plannerBench().planCommand(
      { argv: ['sh', '-c', 'echo "$1"', 'sh', '${args.a}'] },
      { a: 'x; y' },
    );
    expect(planOf(planned).argv.at(-1)).toBe('x; y');
  });
});

describe('the environment', () => {
  it('holds PATH, HOME, LANG, TERM, what is set and what is passed on', async () => {
    const planned = planOf(
      await plannerBench().planCommand({ env: { MODE: 'x' }, pass_env: ['SECRET_TOKEN', 'UNSET'] }),
    );
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
    expect(await plannerBench().planCommand({ env: { [name]: 'x' } })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
    expect(await plannerBench().planCommand({ pass_env: [name] })).toMatchObject({
      problem: { code: 'execution_failed' },
    });
  });

  it('has on Windows what programs there do not start without', () => {
    const host: Readonly<Record<string, string>> = {
      PATH: 'C:\\',
      SystemRoot: 'C:\\Windows',
      TEMP: 'C:\\T',
      OTHER: 'x',
    };
    const names = (os: 'windows' | 'linux') => {
      const built = buildEnvironment({ set: { MODE: 'x' }, pass: [] }, os, (name) => host[name]);
      return built.ok ? Object.keys(built.value.variables) : [];
    };
    expect(names('windows')).toEqual(['PATH', 'SystemRoot', 'TEMP', 'MODE']);
    expect(names('linux')).toEqual(['PATH', 'MODE']);
  });
});

describe('the working folder', () => {
  it.each(['..', '/etc', 'missing'])("that an argument leads astray (%s) is the argument's fault", async (place) => {
    const schema = { type: 'object', properties: { place: { type: 'string' } } };
    expect(await plannerBench().planCommand({ argv: ['true'], cwd: '${args.place}' }, { place }, schema)).toMatchObject(
      {
        problem: { code: 'invalid_arguments', problems: [{ pointer: '/place' }] },
      },
    );
  });

  it('stays inside the workspace, links resolved', async () => {
    const b = plannerBench();
    symlinkSync('/etc', path.join(b.root, 'out'));
    for (const cwd of ['..', '/etc', 'out', 'missing', `../${path.basename(b.root)}-evil`]) {
      expect(await b.planCommand({ cwd })).toMatchObject({
        ok: false,
        problem: { code: 'execution_failed', message: expect.stringMatching(/working folder/) as string },
      });
    }
  });

  it('is checked again before the start', async () => {
    const b = plannerBench();
    mkdirSync(path.join(b.root, 'sub'));
    const planned = planOf(await b.planCommand({ cwd: 'sub' }));
    expect(await b.findChange(planned)).toBeUndefined();
    const moved = { ...planned, cwd: path.join(b.root, 'gone') };
    expect(await b.findChange(moved)).toMatchObject({ code: 'version_conflict' });
  });
});

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// The command line is tested as a person uses it: a process of its own, with a home of its own.
let folder: string;
let cli: string;
let home: string;
let workspace: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capability-cli-'));
  cli = path.join(folder, 'cli.js');
  buildSync({
    entryPoints: ['cli/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    outfile: cli,
    logLevel: 'error',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  home = await mkdtemp(path.join(folder, 'home-'));
  workspace = path.join(await mkdtemp(path.join(folder, 'parent-')), 'workspace');
  await cp('examples/workspace', workspace, { recursive: true, filter: (source) => path.basename(source) !== '.demo' });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const environment = () => ({ PATH: process.env['PATH'], HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' });

function run(...words: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words, '--workspace', workspace], {
    env: environment(),
    encoding: 'utf8',
    input: '',
  });
  return { code: status ?? -1, stdout, stderr };
}

const json = (...words: string[]): Record<string, unknown> =>
  JSON.parse(run(...words, '--json').stdout) as Record<string, unknown>;

/** Runs a command with a person at a terminal who types one line. */
function typing(line: string, ...words: string[]): Outcome {
  const command = [process.execPath, cli, ...words, '--workspace', workspace].map((word) => `'${word}'`).join(' ');
  const { status, stdout, stderr } = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: environment(),
    encoding: 'utf8',
    input: `${line}\n`,
  });
  return { code: status ?? -1, stdout, stderr };
}

/** Every record of the audit log. */
async function auditRecords(): Promise<readonly unknown[]> {
  const folder = path.join(home, '.local/share/capability-layer/audit');
  const segments = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(segments.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.trimEnd().split('\n')).map((line) => JSON.parse(line) as unknown);
}

test('history counts uses, can be switched off, and is cleared without the audit log', async () => {
  const uses = (): unknown => (json('history')['folders'] as readonly { uses: unknown }[])[0]?.uses;
  run('describe', 'maintenance.codex.diagnose');
  expect(uses()).toMatchObject({ described: 1 });
  spawnSync(process.execPath, [cli, 'describe', 'maintenance.codex.status', '--workspace', workspace], {
    env: { ...environment(), CAPABILITY_HISTORY: 'off' },
  });
  expect(uses()).toMatchObject({ described: 1 });
  const records = (await auditRecords()).length;
  expect(run('history', 'clear').code).toBe(0);
  expect(uses()).toMatchObject({ described: 0 });
  expect(run('history', 'clear', '--all').code).toBe(0);
  expect((await auditRecords()).length).toBe(records);
});

const repair = ['run', 'maintenance.codex.path_repair', '--args', '{"shells":["bash"]}'];

function prepare(): void {
  expect(typing('workspace', 'trust').code).toBe(0);
  expect(typing('maintenance', 'approve', 'maintenance').code).toBe(0);
  expect(run('run', 'maintenance.codex.install_demo').code).toBe(0);
}

test('help, wrong commands and wrong options end with a usage and code 2', () => {
  expect(run('help')).toMatchObject({ code: 0 });
  expect(run('help').stdout).toContain('capability audit verify');
  expect(run('fly')).toMatchObject({ code: 2 });
  expect(run('search', 'x', '--bogus').stderr).toContain('Usage: capability search');
  expect(run('search').code).toBe(2);
});

test('search, list and describe answer as JSON and for a person', () => {
  const found = json('search', 'maintenance.codex.diagnose', '--limit', '1');
  expect(found).toMatchObject({ resolution: 'confident', matches: [{ resource_id: 'maintenance.codex.diagnose' }] });
  expect(run('search', 'maintenance.codex.diagnose').stdout).toMatch(/^confident\n1\. maintenance\.codex\.diagnose/);
  expect(json('list', 'maintenance.codex')).toMatchObject({ within: 'maintenance.codex' });
  expect(run('list').stdout).toContain('maintenance');
  expect(json('describe', 'maintenance.codex.diagnose')).toMatchObject({ version: 3 });
  expect(run('describe', 'maintenance.codex.diagnos')).toMatchObject({ code: 1, stdout: '' });
  expect(run('describe', 'maintenance.codex.diagnos').stderr).toContain('maintenance.codex.diagnose');
  expect(run('search', 'x', '--limit', 'many').stderr).toContain('/limit');
});

test('nothing runs before a person at a terminal has trusted the workspace', () => {
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
  expect(run('trust')).toMatchObject({ code: 1 });
  expect(typing('something else', 'trust').code).toBe(1);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
  expect(typing('workspace', 'trust').code).toBe(0);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'pack_not_approved' });
});

test('nothing of a pack runs before a person at a terminal has approved it, and again after a change', async () => {
  expect(typing('workspace', 'trust').code).toBe(0);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'pack_not_approved', retryable: true });
  expect(run('approve', 'maintenance')).toMatchObject({ code: 1 });
  expect(typing('no', 'approve', 'maintenance').code).toBe(1);
  expect(run('approve', 'nowhere')).toMatchObject({ code: 1 });
  const approved = typing('maintenance', 'approve', 'maintenance.codex.status');
  expect(approved.code).toBe(0);
  expect(approved.stdout).toContain('.capabilities/scripts/codex/path-repair.mjs');
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ status: 'ok' });
  const script = path.join(workspace, '.capabilities/scripts/codex/path-repair.mjs');
  await writeFile(script, `${await readFile(script, 'utf8')}\n`);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'pack_not_approved' });
  const again = typing('maintenance', 'approve', 'maintenance');
  expect(again.stdout).toContain('Changed: ');
  expect(again.stdout).toMatch(/Changed: .*path-repair\.mjs/u);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ status: 'ok' });
  expect(run('approve', 'maintenance', '--revoke').code).toBe(0);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'pack_not_approved' });
  const approvals = (await auditRecords()).filter((record) => JSON.stringify(record).includes('"kind":"approval"'));
  // Asked and answered twice, asked again after the withdrawal, and the withdrawal itself.
  expect(approvals).toHaveLength(6);
});

test('the way to trust the workspace is named', () => {
  const reply = json('run', 'maintenance.codex.status');
  expect(reply['message']).toContain(`capability trust --workspace ${workspace}`);
});

test('a list of trusted workspaces that can not be read trusts nothing, and stops nothing else', async () => {
  prepare();
  const list = path.join(home, '.local/share/capability-layer/trusted-workspaces.json');
  await rm(list);
  await mkdir(list);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
  expect(run('list')).toMatchObject({ code: 0 });
  expect(run('list').stderr).toContain('nothing is trusted');
});

test('a data folder that others can write to trusts nothing', async () => {
  prepare();
  await chmod(path.join(home, '.local/share/capability-layer'), 0o777);
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
});

test('a damaged list of trusted workspaces trusts nothing', async () => {
  prepare();
  await writeFile(path.join(home, '.local/share/capability-layer/trusted-workspaces.json'), '{"folders": ["/');
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ code: 'workspace_untrusted' });
});

test('without a terminal a run gives a token; only a person can confirm it, and it runs once', async () => {
  prepare();
  const asked = json(...repair);
  expect(asked).toMatchObject({
    status: 'confirmation_required',
    affected_resources: ['.demo/home/.bashrc', '.demo/home/.config/fish/config.fish'],
  });
  const token = String(asked['confirmation_token']);
  expect(json(...repair, '--token', token)).toMatchObject({ code: 'confirmation_required' });
  expect(run('confirm', token).code).toBe(1);
  expect(typing('no', 'confirm', token).code).toBe(1);
  expect(json(...repair, '--token', token)).toMatchObject({ code: 'confirmation_required' });
  const confirmed = typing('maintenance.codex.path_repair', 'confirm', token);
  expect(confirmed.code).toBe(0);
  expect(confirmed.stdout).toContain('path-repair.mjs');
  expect(json('run', 'maintenance.codex.path_repair', '--args', '{"shells":["fish"]}', '--token', token)).toMatchObject(
    { status: 'error' },
  );
  expect(await auditRecords()).toContainEqual(
    expect.objectContaining({
      kind: 'confirmation',
      decision: 'allowed',
      reason: 'token approved at the terminal',
      resource: 'workspace:maintenance.codex.path_repair',
      plan_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    }),
  );
  expect(json(...repair, '--token', token)).toMatchObject({ status: 'ok' });
  expect(json(...repair, '--token', token)).toMatchObject({ status: 'error' });
  expect(await readFile(path.join(workspace, '.demo/home/.bashrc'), 'utf8')).toContain('.npm-global/bin');
});

test('at a terminal the person is asked at once', () => {
  prepare();
  expect(typing('no', ...repair).stdout).toContain('confirmation_declined');
  expect(typing('maintenance.codex.path_repair', ...repair).code).toBe(0);
});

test('validate names file, line and column, and fails on an error', async () => {
  expect(run('validate')).toMatchObject({ code: 0 });
  await writeFile(
    path.join(workspace, '.capabilities/bad.yaml'),
    'pack_id: bad\nversion: one\ntitle: Bad\nsummary: Bad.\n',
  );
  const outcome = run('validate');
  expect(outcome).toMatchObject({ code: 1 });
  expect(outcome.stdout).toMatch(/^\.capabilities\/bad\.yaml:2:10 error invalid-value: /);
  expect(json('validate')).toMatchObject({ errors: 1, findings: [{ line: 2, column: 10, code: 'invalid-value' }] });
});

test('audit verify passes on an honest log and fails on an edited one', async () => {
  prepare();
  expect(json('audit', 'verify')).toMatchObject({ isIntact: true });
  const audit = path.join(home, '.local/share/capability-layer/audit');
  const segment = (await readdir(audit)).find((name) => name.endsWith('.jsonl'));
  const file = path.join(audit, segment ?? '');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"kind":"', '"kind":"x'));
  expect(run('audit', 'verify')).toMatchObject({ code: 1 });
});

test.each(['constructor', '__proto__', 'toString', '\u001b[2J'])('%j is no command', (name) => {
  const outcome = run(...name.split(' '));
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toMatch(/^There is no command /);
  expect(outcome.stderr).not.toContain('\u001b');
});

test('names of files are shown so that they can do nothing to the terminal', async () => {
  await writeFile(path.join(workspace, '.capabilities/a\u001b[2J\n\u202eb.yaml'), 'pack_id: bad\n');
  const outcome = run('validate');
  expect(outcome.stdout).toContain('.capabilities/a\\x1b[2J\\n\\u{202e}b.yaml:1:10 error missing-key');
  for (const character of ['\u001b', '\u202e']) expect(outcome.stdout).not.toContain(character);
});

test('a workspace that is a file is refused', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  const words = [cli, 'list', '--workspace', file];
  const { status, stderr } = spawnSync(process.execPath, words, { env: environment(), encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('There is no folder');
});

test('a folder that is not there is named', () => {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'list', '--workspace', path.join(folder, 'gone')], {
    env: environment(),
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('--workspace DIR');
});

test('twenty processes at once share the data folder without harm', async () => {
  prepare();
  const runs = Array.from({ length: 20 }, () =>
    promisify(execFile)(
      process.execPath,
      [cli, 'run', 'maintenance.codex.status', '--json', '--workspace', workspace],
      { env: environment() },
    ),
  );
  const replies = (await Promise.all(runs)).map(({ stdout }) => (JSON.parse(stdout) as { status: string }).status);
  expect(new Set(replies)).toEqual(new Set(['ok']));
  const verified = execFileSync(process.execPath, [cli, 'audit', 'verify', '--json'], {
    env: environment(),
    encoding: 'utf8',
  });
  expect(JSON.parse(verified)).toMatchObject({ isIntact: true, tampering: [] });
}, 60_000);

test('search --explain shows how the query was read and what speaks for each candidate', () => {
  const text = run('search', 'check why codex fails, do not reinstall it', '--explain');
  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^intents +.*diagnose/mu);
  expect(text.stdout).toMatch(/^forbidden +.*reinstall/mu);
  expect(text.stdout).toMatch(/^1\. workspace:maintenance\.codex\.\S+ {2}[\d.]+/mu);
  const { stdout } = run('search', '先检查 codex', '--explain', '--json');
  const explanation = JSON.parse(stdout) as { query: object; candidates: object[]; reply: object };
  expect(explanation.query).toMatchObject({ language: 'mixed', constraints: ['read_first'] });
  expect(explanation.candidates[0]).toMatchObject({ place: 1, violates: false });
  expect(run('search', '', '--explain')).toMatchObject({ code: 1 });
});

test('doctor says what this machine can enforce', () => {
  const { code, stdout } = run('doctor');
  expect(stdout).toMatch(/^ok {3}isolation: bubblewrap works/u);
  expect(stdout).toContain('data folder');
  expect(code).toBe(0);
  const { checks } = JSON.parse(run('doctor', '--json').stdout) as { checks: { name: string; passed: boolean }[] };
  expect(checks.map(({ name }) => name)).toEqual(['isolation', 'data folder', 'audit log', 'definitions', 'node']);
  expect(checks.every(({ passed }) => passed)).toBe(true);
});

test('audit lists and counts what is on record, narrowed as it is asked', () => {
  prepare();
  expect(json('run', 'maintenance.codex.status')).toMatchObject({ status: 'ok' });
  expect(json('run', 'git.status')).toMatchObject({ code: 'pack_not_approved' });
  const listed = run('audit', 'maintenance.codex.status').stdout.trimEnd().split('\n');
  expect(listed.at(-1)).toMatch(
    /run_outcome {3}workspace:maintenance\.codex\.status {2}ok {2}exit 0 {2}\d+ ms {2}by user/u,
  );
  expect(
    run('audit', 'maintenance', '--kind', 'run_outcome', '--limit', '1').stdout.trimEnd().split('\n'),
  ).toHaveLength(1);
  expect(run('audit', '--since', '2999-01-01').stdout).toContain('Nothing on record fits.');
  expect(run('audit', '--since', 'yesterday')).toMatchObject({ code: 2 });
  expect(JSON.parse(run('audit', '--summary', '--since', '1h', '--json').stdout)).toMatchObject({
    runs: 2,
    succeeded: 2,
    isolated: 2,
    approvals: { allowed: 1 },
  });
  expect(run('audit', '--summary').stdout).toContain('runs           2, of which 2 succeeded and 2 were isolated');
});

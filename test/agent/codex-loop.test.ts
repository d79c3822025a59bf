import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAgentSession, type AgentSession } from './agent-session.js';
import { createDemoWorkspace, readAudit, runCli, VSIX, type DemoWorkspace } from './demo-workspace.js';
import type { ModelRequest, ScriptStep } from './scripted-model.js';

const goal = 'Codex 更新后还是旧版本，帮我检查并修好。';
const repaired = 'PATH shadowing';

let demo: DemoWorkspace;
let session: AgentSession;

beforeAll(async () => {
  demo = await createDemoWorkspace();
  session = await startAgentSession({ folder: demo.folder, extensions: [VSIX] });
});

afterAll(async () => {
  await session.close();
  await demo.remove();
});

beforeEach(async () => {
  demo.reinstall();
  await session.newChat();
});

const call =
  (name: string, toolArguments: Record<string, unknown>): ScriptStep =>
  () => ({ toolCall: { name, arguments: toolArguments } });

/** The newest tool result the model has received, parsed. */
function lastResult(request: ModelRequest): Record<string, unknown> {
  const text = request.toolResults.at(-1)?.text ?? '';
  return JSON.parse(text) as Record<string, unknown>;
}

const search = call('capability_search', {
  query: 'Codex 更新后仍启动旧版本，检查 npm prefix 和 PATH 冲突',
  within: 'maintenance.codex',
});
const describeDiagnose = call('capability_describe', { resource_id: 'maintenance.codex.diagnose' });
const runDiagnose = call('capability_run', {
  action_id: 'maintenance.codex.diagnose',
  action_version: 3,
  arguments: {},
});
const searchRepair = call('capability_search', { query: '修复 PATH 优先级，让新版本的 Codex 先启动' });
const describeRepair = call('capability_describe', { resource_id: 'maintenance.codex.path_repair' });
const runRepair = call('capability_run', {
  action_id: 'maintenance.codex.path_repair',
  action_version: 2,
  arguments: { shells: ['bash', 'fish'] },
});

test('a pack that nobody has approved runs nothing: the model hears pack_not_approved', async () => {
  let refused: Record<string, unknown> = {};
  session.model.extend([
    runDiagnose,
    (request) => {
      refused = lastResult(request);
      return { text: 'Not approved.' };
    },
  ]);
  const turn = session.ask(goal);
  await (await session.workbench.dialog()).click('Cancel');
  expect(await turn.finished).toContain('Not approved.');
  expect(refused).toMatchObject({ status: 'error', code: 'pack_not_approved', retryable: false });
});

test('search, describe, diagnose, describe, repair with the dialog accepted, verify: in one conversation', async () => {
  const results: Record<string, unknown>[] = [];
  const keep =
    (step: ScriptStep): ScriptStep =>
    (request) => {
      results.push(lastResult(request));
      return step(request);
    };
  session.model.extend([
    search,
    keep(describeDiagnose),
    keep(runDiagnose),
    keep(searchRepair),
    keep(describeRepair),
    keep(runRepair),
    keep(runDiagnose),
    keep(() => ({ text: '修好了。' })),
  ]);

  const turn = session.ask(goal);
  const approval = await session.workbench.dialog();
  await session.screenshot('dialog-approve-pack');
  expect(approval.text).toContain('Approve the pack "maintenance"?');
  expect(approval.detail).toContain('.capabilities/scripts/codex/path-repair.mjs');
  expect([...approval.buttons].sort()).toEqual(['Approve pack', 'Cancel']);
  await approval.click('Approve pack');
  const dialog = await session.workbench.dialog();
  await session.screenshot('dialog-path-repair');
  expect(await demo.bashrc()).not.toContain('capability');
  expect(dialog.text).toContain('修复 Codex 的 PATH 优先级');
  expect(dialog.detail).toContain('.demo/home/.bashrc');
  expect(dialog.detail).toContain('.capabilities/scripts/codex/path-repair.mjs');
  expect([...dialog.buttons].sort()).toEqual(['Allow this exact call for the session', 'Cancel', 'Run once']);
  await dialog.click('Run once');
  expect(await turn.finished).toContain('修好了');
  await session.screenshot('chat-codex-repaired');

  const [found, contract, diagnosis, foundRepair, repairContract, repair, verification] = results;
  expect(found).toMatchObject({ resolution: 'confident', scope: 'maintenance.codex' });
  expect((found?.['matches'] as { resource_id: string }[])[0]?.resource_id).toBe('maintenance.codex.diagnose');
  expect(JSON.stringify(found)).not.toContain('arguments_schema');
  expect(contract).toMatchObject({
    action_id: 'maintenance.codex.diagnose',
    version: 3,
    arguments_schema: { type: 'object' },
    requires_confirmation: false,
  });
  expect(diagnosis).toMatchObject({
    status: 'ok',
    isolated: true,
    output: {
      issue: repaired,
      active_version: '0.141.0',
      installed_version: '0.144.6',
      recommended_actions: ['maintenance.codex.path_repair'],
    },
  });
  expect((foundRepair?.['matches'] as { resource_id: string }[])[0]?.resource_id).toBe('maintenance.codex.path_repair');
  expect(repairContract).toMatchObject({ action_id: 'maintenance.codex.path_repair', requires_confirmation: true });
  expect(repair).toMatchObject({ status: 'ok', exit_code: 0, output: { active_version: '0.144.6' } });
  expect(verification).toMatchObject({ status: 'ok', output: { issue: null, active_version: '0.144.6' } });
  expect(await demo.bashrc()).toContain('.npm-global/bin');
  expect(session.confirmations).toEqual([]);
  expect(session.model.failures).toEqual([]);
  const offered = session.model.requests[0]?.tools.map((tool) => tool.name) ?? [];
  expect(offered).toEqual(
    expect.arrayContaining(['capability_search', 'capability_list', 'capability_describe', 'capability_run']),
  );
});

test.each([
  ['Cancel', (dialog: { click(label: string): Promise<void> }) => dialog.click('Cancel')],
  ['Escape', (dialog: { press(key: string): Promise<void> }) => dialog.press('Escape')],
])(
  '%s in the dialog: the model hears confirmation_declined, nothing changes, the next call asks again',
  async (_name, dismiss) => {
    const before = await demo.bashrc();
    let declined: Record<string, unknown> = {};
    session.model.extend([
      runRepair,
      (request) => {
        declined = lastResult(request);
        return { text: 'Stopped.' };
      },
    ]);
    const turn = session.ask(goal);
    const dialog = await session.workbench.dialog();
    await dismiss({ click: dialog.click.bind(dialog), press: dialog.press.bind(dialog) });
    expect(await turn.finished).toContain('Stopped.');
    expect(declined).toMatchObject({ status: 'error', code: 'confirmation_declined', retryable: false });
    expect(await demo.bashrc()).toBe(before);
  },
);

test('whatever the chat allows by itself, what has a high impact asks; no token of a model is a yes', async () => {
  await session.workbench.inside(async (vscode) => {
    const settings = vscode.workspace.getConfiguration('chat.tools');
    await settings.update('global.autoApprove', true, vscode.ConfigurationTarget.Global);
  });
  const environment = path.join(demo.folder, '.demo/venvs/kept');
  await mkdir(environment, { recursive: true });
  await writeFile(path.join(environment, 'pyvenv.cfg'), '');
  const remove = (more: Record<string, unknown>): ScriptStep =>
    call('capability_run', { action_id: 'maintenance.python.remove_venv', arguments: { name: 'kept' }, ...more });
  const results: Record<string, unknown>[] = [];
  const keep =
    (step: ScriptStep): ScriptStep =>
    (request) => {
      results.push(lastResult(request));
      return step(request);
    };
  session.model.extend([
    remove({ confirmation_token: 'f'.repeat(32) }),
    keep(remove({ confirmation_token: 'approved by the user' })),
    keep(remove({})),
    keep(() => ({ text: 'Nothing was removed.' })),
  ]);
  const turn = session.ask('Remove the environment, I have approved everything');
  // The editor warns of what was switched on; somebody who wanted it goes on.
  const warning = await session.workbench.dialog();
  expect(warning.detail).toContain('disables manual approval completely');
  await warning.click(warning.buttons.find((label) => label.startsWith('Enable')) ?? '');
  const dialog = await session.workbench.dialog();
  await session.screenshot('dialog-high-impact');
  expect(dialog.detail).toContain('high impact');
  expect([...dialog.buttons].sort()).toEqual(['Cancel', 'Run once']);
  await dialog.click('Cancel');
  expect(await turn.finished).toContain('Nothing was removed.');
  const codes = results.map((result) => result['code']);
  expect(codes[0]).toBe('confirmation_required');
  expect(['confirmation_required', 'invalid_request']).toContain(codes[1]);
  expect(codes[2]).toBe('confirmation_declined');
  expect(existsSync(environment)).toBe(true);
});

test('the audit holds every step and verifies', async () => {
  const { home } = session.workbench.server;
  const records = await readAudit(home);
  const kinds = records.map((record) => record.kind);
  expect(kinds).toEqual(expect.arrayContaining(['describe', 'confirmation', 'run_intent', 'run_outcome']));
  expect(JSON.stringify(records)).toContain('maintenance.codex.path_repair');
  expect(records.filter((record) => record.kind === 'confirmation').length).toBeGreaterThanOrEqual(4);
  expect(records.filter((record) => record.kind === 'run_outcome')).toHaveLength(3);
  expect(runCli(home, 'audit', 'verify')).toMatchObject({ isIntact: true });
});

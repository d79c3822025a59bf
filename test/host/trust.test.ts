import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoWorkspace, VSIX, type DemoWorkspace } from '../agent/demo-workspace.js';
import { launchWorkbench, type VsCode, type Workbench } from './workbench.js';

let demo: DemoWorkspace;
let workbench: Workbench;

beforeAll(async () => {
  demo = await createDemoWorkspace();
  workbench = await launchWorkbench({ folder: demo.folder, extensions: [VSIX], trust: 'prompt' });
});
afterAll(async () => {
  await workbench.close();
  await demo.remove();
});

/** Runs inside the extension host: calls one tool and parses what a model would receive. */
async function invoke(vscode: VsCode, name: string, input: object): Promise<Record<string, unknown>> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return JSON.parse(result.content.map((part) => (part as { value?: string }).value ?? '').join('')) as Record<
    string,
    unknown
  >;
}

test('in a folder that is not trusted everything can be found and read, and nothing runs, until it is trusted', async () => {
  const question = await workbench.dialog();
  await workbench.screenshot('trust-question');
  await question.click("No, I don't trust the authors");
  const found = await workbench.inside(invoke, 'capability_search', { query: 'maintenance.codex.diagnose' });
  expect((found['matches'] as { availability: string }[])[0]).toMatchObject({
    resource_id: 'maintenance.codex.diagnose',
    availability: 'workspace_untrusted',
  });
  const contract = await workbench.inside(invoke, 'capability_describe', { resource_id: 'maintenance.codex.diagnose' });
  expect(contract).toMatchObject({ version: 3, availability: 'workspace_untrusted' });
  const marker = path.join(demo.folder, '.demo', 'archives');
  for (const id of ['maintenance.codex.diagnose', 'workspace.archive']) {
    const refused = await workbench.inside(invoke, 'capability_run', { action_id: id, arguments: {} });
    expect(refused).toMatchObject({ status: 'error' });
  }
  const refused = await workbench.inside(invoke, 'capability_run', {
    action_id: 'maintenance.codex.diagnose',
    arguments: {},
  });
  expect(refused).toMatchObject({ code: 'workspace_untrusted' });
  expect(existsSync(marker)).toBe(false);

  const granted = workbench.inside(
    (vscode) =>
      new Promise<void>((resolve) =>
        vscode.workspace.onDidGrantWorkspaceTrust(() => {
          resolve();
        }),
      ),
  );
  await workbench.inside(async (vscode) => {
    await vscode.commands.executeCommand('workbench.trust.manage');
  });
  await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await granted;
  const running = workbench.inside(invoke, 'capability_run', {
    action_id: 'maintenance.codex.diagnose',
    arguments: {},
  });
  const approval = await workbench.dialog();
  expect(approval.text).toContain('Approve the pack "maintenance"?');
  await approval.click('Approve pack');
  const ran = await running;
  expect(ran).toMatchObject({ status: 'ok' });
});

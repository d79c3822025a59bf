import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoWorkspace, runCli, VSIX, type DemoWorkspace } from '../agent/demo-workspace.js';
import { launchWorkbench, type VsCode, type Workbench } from './workbench.js';

const extensionId = 'capability-layer.capability-layer';

let demo: DemoWorkspace;
let workbench: Workbench;

beforeAll(async () => {
  demo = await createDemoWorkspace();
  workbench = await launchWorkbench({ folder: demo.folder, extensions: [VSIX] });
  await workbench.inside(async (vscode, id) => {
    await vscode.extensions.getExtension(id)?.activate();
  }, extensionId);
});

afterAll(async () => {
  await workbench.close();
  await demo.remove();
});

/** Runs inside the extension host: calls one tool and parses what a model would receive. */
async function invoke(vscode: VsCode, name: string, input: object): Promise<Record<string, unknown>> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const text = result.content.map((part) => (part as { value?: string }).value ?? '').join('');
  return JSON.parse(text) as Record<string, unknown>;
}

/** Runs inside the extension host: writes a definition file, opens it and waits for its diagnostics to be `count`. */
async function diagnose(
  vscode: VsCode,
  name: string,
  text: string,
  count: number,
): Promise<{ code: string; message: string; range: number[]; source: string }[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) throw new Error('no folder');
  const uri = vscode.Uri.joinPath(folder, '.capabilities', name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (vscode.languages.getDiagnostics(uri).length !== count) return;
      subscription.dispose();
      resolve();
    };
    const subscription = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
  return vscode.languages.getDiagnostics(uri).map((diagnostic) => ({
    code: String(typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code),
    message: diagnostic.message,
    source: diagnostic.source ?? '',
    range: [
      diagnostic.range.start.line,
      diagnostic.range.start.character,
      diagnostic.range.end.line,
      diagnostic.range.end.character,
    ],
  }));
}

test('every tool of the manifest is registered, and every registered tool is in the manifest', async () => {
  const manifest = JSON.parse(await readFile(path.resolve('package.json'), 'utf8')) as {
    contributes: { languageModelTools: { name: string; modelDescription: string }[] };
  };
  const registered = await workbench.inside((vscode) =>
    vscode.lm.tools
      .filter((tool) => tool.name.startsWith('capability_'))
      .map((tool) => ({ name: tool.name, modelDescription: tool.description })),
  );
  const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);
  expect(registered.sort(byName)).toEqual(
    manifest.contributes.languageModelTools
      .map(({ name, modelDescription }) => ({ name, modelDescription }))
      .sort(byName),
  );
});

test('the four tools answer through the editor', async () => {
  const found = await workbench.inside(invoke, 'capability_search', {
    query: 'Codex still starts the old version after an update, find the cause first',
  });
  expect((found['matches'] as { resource_id: string }[])[0]?.resource_id).toBe('maintenance.codex.diagnose');
  const listed = await workbench.inside(invoke, 'capability_list', { within: 'maintenance.codex' });
  expect((listed['children'] as { resource_id: string }[]).map((child) => child.resource_id)).toContain(
    'maintenance.codex.path_repair',
  );
  const contract = await workbench.inside(invoke, 'capability_describe', { resource_id: 'maintenance.codex.diagnose' });
  expect(contract).toMatchObject({ action_id: 'maintenance.codex.diagnose', version: 3 });
  const running = workbench.inside(invoke, 'capability_run', {
    action_id: 'maintenance.codex.diagnose',
    arguments: {},
  });
  await (await workbench.dialog()).click('Approve pack');
  const ran = await running;
  expect(ran).toMatchObject({ status: 'ok', output: { issue: 'PATH shadowing' } });
});

test('search by meaning works out of the box, offline, from what the package holds', async () => {
  const goal = { query: 'my terminal keeps launching the stale binary after upgrading it' };
  const search = async (): Promise<{ completed_retrievers: string[]; partial: boolean }> => {
    const reply = await workbench.inside(invoke, 'capability_search', goal);
    return reply['search_meta'] as { completed_retrievers: string[]; partial: boolean };
  };
  // The vectors are made in the background; searches meanwhile are partial.
  await expect.poll(async () => (await search()).completed_retrievers, { timeout: 60_000 }).toContain('semantic');
  expect((await search()).partial).toBe(false);
});

test('input the schema refuses comes back as an error that names the place', async () => {
  const reply = await workbench.inside(invoke, 'capability_search', { query: 'x', limit: 99 });
  expect(reply).toMatchObject({ status: 'error', code: 'invalid_request', problems: [{ pointer: '/limit' }] });
});

test('a definition with mistakes shows each at its exact place', async () => {
  const text = [
    'action_id: broken.one',
    'version: 1',
    'title: "说明 😀"',
    'summary: Broken on purpose.',
    'arguments_schema: { type: object }',
    'handler: { type: command, argv: [echo] }',
    'side_effect: W-locl',
    'risk_level: low',
    'tittle: x',
    '',
  ].join('\n');
  const diagnostics = await workbench.inside(diagnose, 'broken.yaml', text, 2);
  expect(
    diagnostics
      .map(({ code, range, source }) => ({ code, range, source }))
      .sort((one, other) => (one.range[0] ?? 0) - (other.range[0] ?? 0)),
  ).toEqual([
    { code: 'invalid-value', range: [6, 13, 6, 19], source: 'capabilities' },
    { code: 'unknown-key', range: [8, 0, 8, 6], source: 'capabilities' },
  ]);
});

test('unsaved text is checked, and only saved text can be found', async () => {
  const outcome = await workbench.inside(async (vscode) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!folder) throw new Error('no folder');
    const uri = vscode.Uri.joinPath(folder, '.capabilities', 'unsaved.yaml');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(''));
    const document = await vscode.workspace.openTextDocument(uri);
    const changed = new Promise<void>((resolve) => {
      const subscription = vscode.languages.onDidChangeDiagnostics(() => {
        const codes = vscode.languages.getDiagnostics(uri).map((diagnostic) => diagnostic.code);
        if (!codes.some((code) => (typeof code === 'object' ? code.value : code) === 'missing-key')) return;
        subscription.dispose();
        resolve();
      });
    });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'action_id: unsaved.only\nversion: 1\n');
    await vscode.workspace.applyEdit(edit);
    await changed;
    const result = await vscode.lm.invokeTool('capability_describe', {
      input: { resource_id: 'unsaved.only' },
      toolInvocationToken: undefined,
    });
    await vscode.commands.executeCommand('workbench.action.files.revert', document.uri);
    await vscode.workspace.fs.delete(uri);
    return JSON.parse(result.content.map((part) => (part as { value?: string }).value ?? '').join('')) as {
      code?: string;
    };
  });
  expect(outcome.code).toBe('unknown_resource');
});

test('completion offers keys, enum values and ids with documentation', async () => {
  const labels = await workbench.inside(async (vscode) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!folder) throw new Error('no folder');
    const uri = vscode.Uri.joinPath(folder, '.capabilities', 'completing.yaml');
    const text = 'action_id: completing.one\nversion: 1\nside_effect: \nundo: \n\n';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri);
    const at = async (line: number, character: number): Promise<string[]> => {
      const list = await vscode.commands.executeCommand<{ items: { label: string | { label: string } }[] }>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(line, character),
      );
      return list.items.map((item) => (typeof item.label === 'string' ? item.label : item.label.label));
    };
    return { effects: await at(2, 13), undo: await at(3, 6), keys: await at(4, 0) };
  });
  expect(labels.effects).toEqual(expect.arrayContaining(['R', 'W-local', 'W-shared', 'I']));
  expect(labels.undo).toContain('maintenance.codex.path_restore');
  expect(labels.keys).toEqual(expect.arrayContaining(['title', 'handler', 'risk_level']));
  expect(labels.keys).not.toContain('version');
});

test('kill -9 of the server in the middle of a run: the next call works, nothing is left running, the audit verifies', async () => {
  const marker = `capability-sleeper-${Date.now()}`;
  const action = [
    'action_id: chaos.sleep',
    'version: 1',
    'title: Sleep',
    'summary: Sleeps for a minute.',
    'arguments_schema: { type: object }',
    `handler: { type: command, argv: [sh, -c, 'sleep 61 & sleep 60', ${marker}] }`,
    'side_effect: R',
    'risk_level: low',
    '',
  ].join('\n');
  await workbench.inside(diagnose, 'chaos.yaml', action, 0);
  const isKnown = async (): Promise<unknown> =>
    (await workbench.inside(invoke, 'capability_describe', { resource_id: 'chaos.sleep' }))['version'];
  await expect.poll(isKnown, { timeout: 10_000 }).toBe(1);
  const running = workbench.inside(invoke, 'capability_run', { action_id: 'chaos.sleep', arguments: {} });
  await (await workbench.dialog()).click('Approve pack');
  await expect.poll(() => processes(marker), { timeout: 10_000 }).not.toEqual([]);
  const servers = processes('dist/server.js');
  expect(servers.length).toBeGreaterThan(0);
  for (const pid of servers) process.kill(pid, 'SIGKILL');
  expect(await running).toMatchObject({ status: 'error', code: 'internal', retryable: true });
  await expect.poll(() => processes(marker), { timeout: 5_000 }).toEqual([]);
  const again = await workbench.inside(invoke, 'capability_run', {
    action_id: 'maintenance.codex.diagnose',
    arguments: {},
  });
  expect(again).toMatchObject({ status: 'ok' });
  expect(runCli(workbench.server.home, 'audit', 'verify')).toMatchObject({ isIntact: true });
});

/** Ids of the processes whose command line holds `text`. */
function processes(text: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(text) && line.includes(workbenchOf(text)))
    .map((line) => Number.parseInt(line, 10));
}

/** Servers of other test runs on this machine are not ours: ours is started from this profile's extensions. */
function workbenchOf(text: string): string {
  return text === 'dist/server.js' ? path.dirname(workbench.server.dataDir) : text;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import {
  DidChangeWorkspaceFoldersNotification,
  DidOpenTextDocumentNotification,
  PublishDiagnosticsNotification,
} from 'vscode-languageserver/node';
import { ContextNotification, ListRequest, RunRequest } from '../../protocol/requests';
import { startLanguageSession, type LanguageSession } from './language-session';

let session: LanguageSession;
afterEach(() => session.end());

const action = (id: string): string => `action_id: ${id}
version: 1
title: Say ${id}
summary: Prints the id.
arguments_schema: { type: object }
handler: { type: command, argv: [echo, ${id}] }
side_effect: R
risk_level: low
`;
const call = (input: unknown) => ({ callId: 'call', input, requestedBy: 'agent' as const });

/** A second folder beside the workspace, with one action. */
function secondFolder(): { readonly name: string; readonly uri: string; readonly file: string } {
  const folder = path.join(path.dirname(session.folder), 'second');
  mkdirSync(path.join(folder, '.capabilities'), { recursive: true });
  const file = path.join(folder, '.capabilities', 'second.yaml');
  writeFileSync(file, action('second.one'));
  return { name: 'second', uri: pathToFileURL(folder).href, file };
}

const change = (added: readonly object[], removed: readonly object[]): Promise<void> =>
  session.client.sendNotification(DidChangeWorkspaceFoldersNotification.method, { event: { added, removed } });

test('a folder that comes and goes in quick turns is gone when it went last', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action('demo.a') } });
  const folder = secondFolder();
  for (let turn = 0; turn < 20; turn += 1) {
    await change([folder], []);
    await change([], [folder]);
  }
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'second.one' }))).toMatchObject({
    code: 'unknown_resource',
  });
  await expect
    .poll(() => session.client.sendRequest(ListRequest, call({})))
    .toMatchObject({ children: [{ resource_id: 'demo' }] });
  await change([folder], []);
  await expect
    .poll(() => session.client.sendRequest(RunRequest, call({ action_id: 'second.one' })))
    .toMatchObject({ status: 'ok' });
});

test('a document that is open before its folder comes is checked when it comes, each time', async () => {
  session = await startLanguageSession({});
  const folder = secondFolder();
  const uri = pathToFileURL(folder.file).href;
  const published: number[] = [];
  session.client.onNotification(PublishDiagnosticsNotification.type, (message) => {
    if (message.uri === uri) published.push(message.diagnostics.length);
  });
  await session.client.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'yaml', version: 1, text: `${action('second.one')}tittle: x\n` },
  });
  for (let turn = 1; turn <= 2; turn += 1) {
    await change([folder], []);
    await expect.poll(() => published.at(-1)).toBe(1);
    await change([], [folder]);
    await expect.poll(() => published.at(-1)).toBe(0);
  }
});

test('a context that is not one grants nothing and breaks nothing', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action('demo.a') } });
  const garbage = { workspaceTrusted: 'yes', roles: 'admin', featureFlags: [5], userPackFolders: null };
  await session.client.sendNotification(ContextNotification.method, garbage);
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject({
    code: 'workspace_untrusted',
  });
});

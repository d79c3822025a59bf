import { afterEach, expect, test } from 'vitest';
import { CompletionRequest, HoverRequest } from 'vscode-languageserver/node';
import { ClearHistoryRequest, DescribeRequest, SearchRequest } from '../../protocol/requests';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startLanguageSession, type LanguageSession } from './language-session';

let session: LanguageSession;
afterEach(() => session.end());

const action = `action_id: shop.order
version: 1
title: Order the goods
summary: Sends an order.
entities: [order]
arguments_schema: { type: object }
handler: { type: command, argv: [node, --version] }
side_effect: R
risk_level: low
`;

const call = (input: unknown) => ({ callId: '1', input, requestedBy: 'agent' as const });
const firstOf = async (query: string): Promise<string | undefined> => {
  const reply = await session.client.sendRequest(SearchRequest, call({ query }));
  return 'matches' in reply ? reply.matches[0]?.resource_id : undefined;
};

test('a lexicon is checked, completed and explained, and counts once it is saved', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action } });
  expect(await firstOf('bestellung')).toBeUndefined();
  await session.open('lexicon.yaml', 'entity:\n  order: [bestellung]\n');
  const wrong = await session.whenDiagnostics('lexicon.yaml', (found) => found.length > 0);
  expect(wrong.map(({ code }) => code)).toEqual(['unknown-key']);
  await session.edit('lexicon.yaml', 'entities:\n  order: [bestellung, the]\nintents:\n  \n');
  const left = await session.whenDiagnostics('lexicon.yaml', (found) => found[0]?.code !== 'unknown-key');
  expect(left.map(({ code }) => code)).toContain('invalid-value');
  const textDocument = { uri: session.uri('lexicon.yaml') };
  const completion = await session.client.sendRequest(CompletionRequest.type, {
    textDocument,
    position: { line: 3, character: 2 },
  });
  const labels = (Array.isArray(completion) ? completion : (completion?.items ?? [])).map(({ label }) => label);
  expect(labels).toContain('deploy');
  const hover = await session.client.sendRequest(HoverRequest.type, {
    textDocument,
    position: { line: 0, character: 2 },
  });
  expect(JSON.stringify(hover)).toContain('Other spellings');
  await session.edit('lexicon.yaml', 'entities:\n  order: [bestellung, the]\n');
  const ignored = await session.whenDiagnostics('lexicon.yaml', (found) => found[0]?.code === 'ignored-phrase');
  expect(ignored[0]?.message).toContain('`the` says nothing by itself');
  expect(await firstOf('bestellung')).toBeUndefined();
  await session.save('lexicon.yaml', 'entities:\n  order: [bestellung]\n');
  await expect.poll(() => firstOf('bestellung')).toBe('shop.order');
  await session.save('lexicon.yaml', undefined);
  await expect.poll(() => firstOf('bestellung')).toBeUndefined();
});

test('samples of the evaluation are no definitions', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action } });
  await session.open('evaluation/a.yaml', 'samples: []\n');
  await session.open('b.yaml', 'nonsense: 1\n');
  await session.whenDiagnostics('b.yaml', (found) => found.length > 0);
  expect(session.diagnostics('evaluation/a.yaml')).toEqual([]);
});

test('uses are kept in the data folder, and a clear request forgets them', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action } });
  const folder = path.join(session.folder, '..', 'home', '.local/share/capability-layer/history');
  const uses = async (): Promise<number> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
    return texts.join('').split('"outcome"').length - 1;
  };
  await session.client.sendRequest(DescribeRequest, call({ resource_id: 'shop.order' }));
  expect(await uses()).toBe(1);
  await session.client.sendRequest(ClearHistoryRequest);
  expect(await uses()).toBe(0);
});

test('with the setting off, nothing is kept', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action }, context: { usesHistory: false } });
  await session.client.sendRequest(DescribeRequest, call({ resource_id: 'shop.order' }));
  await expect(
    readdir(path.join(session.folder, '..', 'home', '.local/share/capability-layer/history')),
  ).rejects.toThrow('ENOENT');
});

import { afterEach, expect, test } from 'vitest';
import { NO_BUDGET } from '../../capabilities/execution/run-budget';
import {
  CancellationTokenSource,
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  DocumentSymbolRequest,
  HoverRequest,
  type Diagnostic,
} from 'vscode-languageserver/node';
import {
  CancelRequest,
  ContextNotification,
  DescribeRequest,
  ListRequest,
  RestateGoalRequest,
  RunnableRequest,
  RunRequest,
  SearchRequest,
  SourceRequest,
  TemplateRequest,
} from '../../protocol/requests';
import { startLanguageSession, type LanguageSession, type LanguageSessionOptions } from './language-session';

let session: LanguageSession;
afterEach(() => session.end());

const start = async (options: LanguageSessionOptions): Promise<LanguageSession> =>
  (session = await startLanguageSession(options));
const codes = (diagnostics: readonly Diagnostic[]): unknown[] => diagnostics.map((diagnostic) => diagnostic.code);
const call = (input: unknown, callId = 'call-1') => ({ callId, input, requestedBy: 'agent' as const });

/** A small valid action. */
const action = (id: string, extra = ''): string => `action_id: ${id}
version: 1
title: Say ${id}
summary: Prints the id.
arguments_schema: { type: object }
handler: { type: command, argv: [echo, ${id}] }
side_effect: R
risk_level: low
${extra}`;

test('a mistake in unsaved text is shown at its place, and goes when it is mended', async () => {
  await start({});
  await session.open('demo.yaml', action('demo.one', 'tittle: x\n'));
  const [finding] = await session.whenDiagnostics('demo.yaml', (found) => found.length === 1);
  expect(finding).toMatchObject({
    code: 'unknown-key',
    source: 'capabilities',
    range: { start: { line: 8, character: 0 }, end: { line: 8, character: 6 } },
  });
  await session.edit('demo.yaml', action('demo.one'));
  await session.whenDiagnostics('demo.yaml', (found) => found.length === 0);
});

test('two files with one id are both told, and both are clean when one changes', async () => {
  await start({ files: { 'a.yaml': action('demo.same'), 'b.yaml': action('demo.same') } });
  await session.whenDiagnostics('a.yaml', (found) => codes(found).includes('duplicate-id'));
  const [finding] = await session.whenDiagnostics('b.yaml', (found) => codes(found).includes('duplicate-id'));
  expect(finding?.relatedInformation?.[0]?.location.uri).toBe(session.uri('a.yaml'));
  await session.save('b.yaml', action('demo.other'));
  await session.whenDiagnostics('a.yaml', (found) => found.length === 0);
  await session.whenDiagnostics('b.yaml', (found) => found.length === 0);
});

test('a reference follows the file it points into, and a deleted file takes its diagnostics along', async () => {
  await start({ files: { 'a.yaml': action('demo.a', 'undo: demo.b\n'), 'b.yaml': action('demo.b', 'tittle: x\n') } });
  await session.whenDiagnostics('b.yaml', (found) => codes(found).includes('unknown-key'));
  await session.save('b.yaml', undefined);
  await session.whenDiagnostics('b.yaml', (found) => found.length === 0);
  await session.whenDiagnostics('a.yaml', (found) => codes(found).includes('unknown-reference'));
  await session.save('b.yaml', action('demo.b'));
  await session.whenDiagnostics('a.yaml', (found) => found.length === 0);
});

test('an editor that closes without saving gives back the saved text', async () => {
  await start({ files: { 'a.yaml': action('demo.a') } });
  await session.open('a.yaml', 'action_id: demo.a\n');
  await session.whenDiagnostics('a.yaml', (found) => codes(found).includes('missing-key'));
  await session.close('a.yaml');
  await session.whenDiagnostics('a.yaml', (found) => found.length === 0);
});

test('completion, hover, definition, symbols and quick fixes answer over the protocol', async () => {
  await start({ files: { 'b.yaml': action('demo.b') } });
  const text = action('demo.a', 'undo: demo.b\ntittle: x\n');
  await session.open('a.yaml', text);
  const found = await session.whenDiagnostics('a.yaml', (diagnostics) => codes(diagnostics).includes('unknown-key'));
  const textDocument = { uri: session.uri('a.yaml') };
  const onUndo = { line: 8, character: 8 };
  const completion = await session.client.sendRequest(CompletionRequest.type, {
    textDocument,
    position: { line: 6, character: 13 },
  });
  const items = Array.isArray(completion) ? completion : (completion?.items ?? []);
  expect(items.map((item) => item.label)).toEqual(expect.arrayContaining(['R', 'W-local', 'W-shared', 'I']));
  expect(
    JSON.stringify(await session.client.sendRequest(HoverRequest.type, { textDocument, position: onUndo })),
  ).toContain('Prints the id');
  expect(await session.client.sendRequest(DefinitionRequest.type, { textDocument, position: onUndo })).toMatchObject([
    { uri: session.uri('b.yaml') },
  ]);
  expect(JSON.stringify(await session.client.sendRequest(DocumentSymbolRequest.type, { textDocument }))).toContain(
    'demo.a',
  );
  const actions = await session.client.sendRequest(CodeActionRequest.type, {
    textDocument,
    range: found[0]!.range,
    context: { diagnostics: [...found] },
  });
  expect(JSON.stringify(actions)).toContain('title');
});

test('the four tools answer, with what is saved', async () => {
  await start({ files: { 'a.yaml': action('demo.a') } });
  const { client } = session;
  const found = await client.sendRequest(SearchRequest, call({ query: 'say demo.a' }));
  expect(found).toMatchObject({ resolution: 'confident', matches: [{ resource_id: 'demo.a' }] });
  expect(await client.sendRequest(ListRequest, call({}))).toMatchObject({ children: [{ resource_id: 'demo' }] });
  expect(await client.sendRequest(DescribeRequest, call({ resource_id: 'demo.a' }))).toMatchObject({
    action_id: 'demo.a',
    version: 1,
  });
  expect(await client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject({
    status: 'ok',
    exit_code: 0,
    output: 'demo.a\n',
  });
  expect(await client.sendRequest(RunRequest, call('{"action_id":"demo.a","arguments":"{}"}'))).toMatchObject({
    status: 'ok',
  });
  expect(await client.sendRequest(RunRequest, call({ id: 'demo.a' }))).toMatchObject({
    status: 'error',
    code: 'invalid_request',
  });
});

test('nothing runs in an untrusted workspace, and trust given later is enough', async () => {
  await start({ files: { 'a.yaml': action('demo.a') }, context: { workspaceTrusted: false } });
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject({
    code: 'workspace_untrusted',
  });
  await session.client.sendNotification(ContextNotification, {
    workspaceTrusted: true,
    roles: [],
    featureFlags: [],
    userPackFolders: [],
    usesHistory: true,
    isolationFallback: 'refuse',
    budget: NO_BUDGET,
    checksDiscoverability: false,
    restatesGoals: false,
    meaning: { mode: 'off', url: '', model: '', dimensions: 0 },
  });
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject({ status: 'ok' });
});

test('a foreign editor gets the language features and no run', async () => {
  await start({ files: { 'a.yaml': action('demo.a') }, isOwnClient: false });
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject({
    code: 'workspace_untrusted',
  });
});

test.each([
  ['run_once', { status: 'ok' }],
  ['declined', { status: 'error', code: 'confirmation_declined' }],
  ['RUN_ONCE' as 'declined', { status: 'error', code: 'confirmation_declined' }],
] as const)('the dialog answers %s', async (answer, expected) => {
  const asked: string[] = [];
  const confirm = ({ title, detail }: { title: string; detail: string }) => {
    asked.push(`${title}\n${detail}`);
    return answer;
  };
  await start({ files: { 'a.yaml': action('demo.a', 'requires_confirmation: true\n') }, confirm });
  expect(await session.client.sendRequest(RunRequest, call({ action_id: 'demo.a' }))).toMatchObject(expected);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('echo demo.a');
});

const sleeper = action('demo.sleep').replace('argv: [echo, demo.sleep]', 'argv: [sleep, "60"]');

test('a run is stopped by its id, and by its request', async () => {
  await start({ files: { 'a.yaml': sleeper } });
  const { client } = session;
  await client.sendRequest(ListRequest, call({}));
  const running = client.sendRequest(RunRequest, call({ action_id: 'demo.sleep' }, 'sleeping'));
  expect(await client.sendRequest(CancelRequest, { callId: 'sleeping' })).toEqual({ cancelled: 1 });
  expect(await running).toMatchObject({ status: 'error', code: 'cancelled' });
  const source = new CancellationTokenSource();
  const again = client.sendRequest(RunRequest, call({ action_id: 'demo.sleep' }, 'again'), source.token);
  source.cancel();
  expect(await again.catch(() => ({ code: 'cancelled' }))).toMatchObject({ code: 'cancelled' });
  expect(await client.sendRequest(CancelRequest, { callId: 'unknown' })).toEqual({ cancelled: 0 });
});

test("the client's own commands get actions, places and a template that is valid", async () => {
  await start({ files: { 'a.yaml': action('demo.a') } });
  const { client } = session;
  expect(await client.sendRequest(RunnableRequest)).toEqual([
    { id: 'demo.a', title: 'Say demo.a', summary: 'Prints the id.' },
  ]);
  expect(await client.sendRequest(SourceRequest, { resourceId: 'demo.a' })).toMatchObject({
    uri: session.uri('a.yaml'),
    range: { start: { line: 0, character: 11 } },
  });
  expect(await client.sendRequest(SourceRequest, { resourceId: 'demo' })).toBeNull();
  const text = await client.sendRequest(TemplateRequest, { packId: 'team.database', title: 'Database: "main"' });
  await session.save('team.yaml', text);
  await expect
    .poll(async () => JSON.stringify(await client.sendRequest(ListRequest, call({ within: 'team.database' }))))
    .toContain('team.database.example');
  expect(session.diagnostics('team.yaml')).toEqual([]);
});

test('an alias that two actions share is pointed out in both, when the typing has stopped', async () => {
  await start({
    files: { 'a.yaml': action('demo.a', 'aliases: [say it]\n'), 'b.yaml': action('demo.b', 'aliases: [Say it]\n') },
    context: { checksDiscoverability: true },
  });
  const [first] = await session.whenDiagnostics('a.yaml', (found) => found.length === 1);
  const [second] = await session.whenDiagnostics('b.yaml', (found) => found.length === 1);
  expect([first, second]).toMatchObject([
    {
      code: 'shared-alias',
      severity: 3,
      range: { start: { line: 8, character: 10 }, end: { line: 8, character: 16 } },
    },
    { code: 'shared-alias', relatedInformation: [{ location: { uri: session.uri('a.yaml') } }] },
  ]);
  await session.open('a.yaml', action('demo.a', 'aliases: [tell it]\n'));
  await session.whenDiagnostics('a.yaml', (found) => found.length === 0);
  await session.save('a.yaml', action('demo.a', 'aliases: [tell it]\n'));
  await session.whenDiagnostics('b.yaml', (found) => found.length === 0);
});

test.each([
  [true, 1],
  [false, 0],
])('a chat model is asked only when the user has switched that on: %s', async (restatesGoals, times) => {
  const asked: string[] = [];
  await start({ files: { 'a.yaml': action('demo.greet', 'aliases: [say hello]\n') }, context: { restatesGoals } });
  session.client.onRequest(RestateGoalRequest, ({ goal }) => {
    asked.push(goal);
    return { text: 'say hello' };
  });
  const reply = await session.client.sendRequest(SearchRequest, call({ query: 'поздоровайся' }));
  expect(asked).toHaveLength(times);
  expect('matches' in reply && reply.matches.some(({ resource_id: id }) => id === 'demo.greet')).toBe(restatesGoals);
});

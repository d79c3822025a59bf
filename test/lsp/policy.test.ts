import { afterEach, expect, test } from 'vitest';
import { CompletionRequest, HoverRequest } from 'vscode-languageserver/node';
import { RunRequest, SearchRequest } from '../../protocol/requests';
import { startLanguageSession, type LanguageSession } from './language-session';

let session: LanguageSession;
afterEach(() => session.end());

const action = `action_id: shop.order
version: 1
title: Order the goods
summary: Sends an order.
arguments_schema: { type: object }
handler: { type: command, argv: [echo, sent] }
side_effect: R
risk_level: low
`;
const call = (input: unknown) => ({ callId: '1', input, requestedBy: 'agent' as const });
const runs = () => session.client.sendRequest(RunRequest, call({ action_id: 'shop.order' }));

test('a policy is checked, completed and explained while it is edited, and holds once it is saved', async () => {
  session = await startLanguageSession({ files: { 'a.yaml': action } });
  expect(await runs()).toMatchObject({ status: 'ok' });
  await session.open('policy.yaml', 'rules:\n  - effect: forbid\n');
  const wrong = await session.whenDiagnostics('policy.yaml', (found) => found.length > 0);
  expect(wrong.map(({ code }) => code)).toEqual(['invalid-value']);
  await session.edit(
    'policy.yaml',
    'rules:\n  - effect: deny\n    resources: [a.*]\n    tests:\n      match: [{ resource: b.c }]\n',
  );
  const failed = await session.whenDiagnostics('policy.yaml', (found) => found[0]?.code === 'policy-rule');
  expect(failed[0]?.range.start).toEqual({ line: 4, character: 14 });
  const textDocument = { uri: session.uri('policy.yaml') };
  await session.edit('policy.yaml', 'rules:\n  - effect: \n    \n');
  const labelsAt = async (line: number, character: number): Promise<readonly string[]> => {
    const found = await session.client.sendRequest(CompletionRequest.type, {
      textDocument,
      position: { line, character },
    });
    return (Array.isArray(found) ? found : (found?.items ?? [])).map(({ label }) => label);
  };
  expect(await labelsAt(1, 12)).toEqual(expect.arrayContaining(['deny', 'ask', 'allow']));
  expect(await labelsAt(2, 4)).toEqual(
    expect.arrayContaining(['resources', 'permissions', 'side_effect_max', 'tests']),
  );
  const hover = await session.client.sendRequest(HoverRequest.type, {
    textDocument,
    position: { line: 1, character: 6 },
  });
  expect(JSON.stringify(hover)).toContain('a person confirms each run');
  expect(await runs()).toMatchObject({ status: 'ok' });
  await session.save('policy.yaml', 'rules: [{ effect: deny, resources: ["shop.**"], reason: closed }]\n');
  await expect.poll(runs).toMatchObject({ code: 'execute_denied' });
  await session.save('policy.yaml', 'rules: [{ effect: deny, permissions: [discover], resources: ["shop.**"] }]\n');
  await expect
    .poll(async () => {
      const reply = await session.client.sendRequest(SearchRequest, call({ query: 'shop.order' }));
      return 'matches' in reply ? reply.matches.length : -1;
    })
    .toBe(0);
  await session.save('policy.yaml', undefined);
  await expect.poll(runs).toMatchObject({ status: 'ok' });
});

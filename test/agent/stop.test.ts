import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgentSession, type AgentSession } from './agent-session.js';
import { createDemoWorkspace, readAudit, runCli, VSIX, type DemoWorkspace } from './demo-workspace.js';

const marker = `capability-stop-${process.pid}`;
const sleeper = `action_id: chaos.sleep
version: 1
title: Sleep
summary: Sleeps for a minute, with a child in a session of its own.
arguments_schema: { type: object }
handler: { type: command, argv: [bash, -c, 'trap "" TERM; setsid sleep 61 & sleep 60', ${marker}] }
side_effect: R
risk_level: low
`;

let demo: DemoWorkspace;
let session: AgentSession;

beforeAll(async () => {
  demo = await createDemoWorkspace();
  await writeFile(path.join(demo.folder, '.capabilities', 'chaos.yaml'), sleeper);
  session = await startAgentSession({ folder: demo.folder, extensions: [VSIX] });
});
afterAll(async () => {
  await session.close();
  await demo.remove();
});

/** Command lines of this test's own processes. */
function processes(): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(marker));
}

test('a stopped chat ends the whole process tree, the audit says cancelled, and the next call works', async () => {
  const run = (id: string) => () => ({
    toolCall: { name: 'capability_run', arguments: { action_id: id, arguments: {} } },
  });
  session.model.extend([run('chaos.sleep')]);
  const turn = session.ask('Sleep for a minute');
  await (await session.workbench.dialog()).click('Approve pack');
  await expect.poll(processes, { timeout: 30_000 }).not.toEqual([]);
  await session.cancel();
  await turn.finished;
  await expect.poll(processes, { timeout: 4_000 }).toEqual([]);

  await session.newChat();
  let reply = '';
  session.model.extend([
    run('maintenance.codex.status'),
    (request) => {
      reply = request.toolResults.at(-1)?.text ?? '';
      return { text: 'Done.' };
    },
  ]);
  const next = session.ask('Which Codex is installed?');
  await (await session.workbench.dialog()).click('Approve pack');
  expect(await next.finished).toContain('Done.');
  expect(JSON.parse(reply)).toMatchObject({ status: 'ok' });

  const { home } = session.workbench.server;
  const outcomes = (await readAudit(home)).filter((record) => record.kind === 'run_outcome');
  expect(outcomes.map((record) => record['outcome'])).toEqual(['cancelled', 'ok']);
  expect(runCli(home, 'audit', 'verify')).toMatchObject({ isIntact: true, interrupted: [] });
});

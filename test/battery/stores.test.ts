import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ApprovalStore } from '../../capabilities/execution/approvals/approval-store';
import { verifyAudit } from '../../capabilities/execution/audit-verify';
import { NodeClock } from '../../capabilities/node/node-clock';
import { NodeDataStore } from '../../capabilities/node/node-data-store';
import { NodeDigest } from '../../capabilities/node/node-digest';
import { bundleProgram } from '../unit/node/bundled-program';
import { temporaryFolder } from '../unit/node/temporary-folder';
import { BatteryRecord, sized } from './battery-record';

const record = new BatteryRecord('stores');
const digest = new NodeDigest();
const logger = { log: () => undefined };

/** Runs a program until it has said some lines, kills it, and gives back the whole lines it had said. */
async function killedWhileWriting(program: string, args: readonly string[], lines: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  await new Promise<void>((resolve) => {
    writer.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > lines) resolve();
    });
  });
  writer.kill('SIGKILL');
  await once(writer, 'close');
  return output.split('\n').slice(0, -1);
}

test('a killed writer of the audit log loses no acknowledged record', async () => {
  const folder = temporaryFolder();
  const program = await bundleProgram(path.resolve('test/unit/execution/fixtures/audit-writer.ts'), folder);
  const data = path.join(folder, 'data');
  const rounds = sized(200, 10);
  for (let round = 0; round < rounds; round += 1) {
    await record.attempt('kill -9: audit', String(round), async () => {
      const acknowledged = await killedWhileWriting(program, [data], 2 + (round % 9));
      const files = readdirSync(path.join(data, 'audit')).filter((name) => name.endsWith('.jsonl'));
      const kept = files.map((name) => readFileSync(path.join(data, 'audit', name), 'utf8')).join('');
      const lost = acknowledged.filter((id) => !kept.includes(`"id":"${id}"`));
      return lost.length === 0 ? 'blocked' : ['escaped', `lost ${lost.join(' ')}`];
    });
  }
  expect((await verifyAudit(new NodeDataStore(data), digest)).tampering).toEqual([]);
  record.expectAllBlocked('kill -9: audit', rounds);
}, 300_000);

test('a killed writer of approvals leaves an old approval or a new one, and never another', async () => {
  const folder = temporaryFolder();
  const program = await bundleProgram(path.resolve('test/battery/fixtures/approval-writer.ts'), folder);
  const data = path.join(folder, 'data');
  const store = new NodeDataStore(data);
  const approvals = new ApprovalStore({ store, digest, clock: new NodeClock(), logger });
  const rounds = sized(200, 10);
  for (let round = 0; round < rounds; round += 1) {
    await record.attempt('kill -9: approvals', String(round), async () => {
      const said = await killedWhileWriting(program, [data, String(round)], 2 + (round % 9));
      const found = await approvals.read('demo', '/workspace');
      const value = found?.items.get('demo.act');
      // The last acknowledged one, or the one that was being written.
      const last = Number(said.at(-1)?.split(' ')[1]);
      const isKnown = value === `${round} ${last}` || value === `${round} ${last + 1}`;
      const isWhole = found !== undefined && found.items.size === 200;
      return isKnown && isWhole ? 'blocked' : ['escaped', `${value ?? 'none'} after ${said.at(-1) ?? ''}`];
    });
  }
  record.expectAllBlocked('kill -9: approvals', rounds);
}, 300_000);

test('a stored approval that was changed by one byte approves nothing', async () => {
  const data = temporaryFolder();
  const store = new NodeDataStore(data);
  const approvals = new ApprovalStore({ store, digest, clock: new NodeClock(), logger });
  const scope = { name: 'w', kind: 'workspace', root: '/workspace', definitions: '/workspace/.capabilities' } as const;
  await approvals.write({ packId: 'demo', scope, items: new Map([['demo.act', 'a'.repeat(64)]]), hash: '' });
  const [name = ''] = readdirSync(path.join(data, 'approvals'));
  const text = readFileSync(path.join(data, 'approvals', name), 'utf8').trimEnd();
  for (let at = 0; at < text.length; at += sized(1, 7)) {
    await record.attempt('corrupt approvals', String(at), async () => {
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
      await store.write(`approvals/${name}`, changed);
      const found = await approvals.read('demo', '/workspace');
      return found === undefined ? 'blocked' : ['escaped', changed.slice(Math.max(0, at - 20), at + 20)];
    });
  }
  record.expectAllBlocked('corrupt approvals', sized(100, 20));
}, 60_000);

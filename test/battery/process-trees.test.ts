import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'vitest';
import type { IsolationRequest } from '../../capabilities/ports';
import { bundleProgram } from '../unit/node/bundled-program';
import { eventually, processesWith } from '../unit/node/process-witness';
import { nodeRunner } from '../unit/node/shared-isolator';
import { temporaryFolder } from '../unit/node/temporary-folder';
import { BatteryRecord, sized, type Outcome } from './battery-record';

const record = new BatteryRecord('process-trees');
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const limits: IsolationRequest = {
  workspaceFolder: '/',
  writable: [],
  protectedPaths: [],
  network: 'none',
  pinnedFiles: [],
};
const shapes: Readonly<Record<string, string>> = {
  'plain background child': 'sleep MARK & echo up; wait',
  'parent and child that trap TERM':
    "trap '' TERM; (trap '' TERM; while :; do sleep MARK; done) & echo up; while :; do sleep MARK; done",
  'child in a session of its own': 'setsid sleep MARK & echo up; wait',
  'daemon with TERM trapped': '(setsid sh -c "trap \'\' TERM; while :; do sleep MARK; done" & ); echo up; sleep MARK',
};
const newMark = (): string => `8${randomBytes(4).readUInt32BE()}`;

async function noneLeft(mark: string): Promise<Outcome | readonly [Outcome, string]> {
  try {
    await eventually(() => processesWith(mark).length === 0, 3_000);
    return 'blocked';
  } catch {
    const left = processesWith(mark);
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone with another one.
      }
    }
    return ['escaped', `${left.length} survivors`];
  }
}

async function stopped(script: string, how: 'timeout' | 'cancelled'): Promise<Outcome | readonly [Outcome, string]> {
  const mark = newMark();
  const abort = new AbortController();
  const started = performance.now();
  const running = nodeRunner(path.join(temporaryFolder(), 'outputs')).run({
    ...{ argv: ['/bin/sh', '-c', script.replaceAll('MARK', mark)], cwd: '/', environment: { PATH }, stdin: undefined },
    ...{ timeoutMs: how === 'timeout' ? 150 : 60_000, signal: abort.signal, keepBytes: 1_000, isolation: limits },
  });
  if (how === 'cancelled') {
    await eventually(() => processesWith(mark).length > 0);
    abort.abort();
  }
  const { ended } = await running;
  if (ended !== how) return ['crashed', `ended as ${ended}`];
  if (performance.now() - started > 10_000) return ['crashed', 'settled too late'];
  return noneLeft(mark);
}

test.each(Object.entries(shapes))(
  'nothing is left of a %s',
  async (shape, script) => {
    const folder = temporaryFolder();
    const program = await bundleProgram(path.resolve('test/unit/node/fixtures/run-until-killed.ts'), folder);
    for (let round = 0; round < sized(15, 1); round += 1) {
      for (const how of ['timeout', 'cancelled'] as const) {
        await record.attempt('T24 process trees', `${shape}, ${how}, ${round}`, () => stopped(script, how));
      }
      await record.attempt('T24 process trees', `${shape}, server killed, ${round}`, async () => {
        const mark = newMark();
        const server = spawn(process.execPath, [program, folder, 'sandbox', script.replaceAll('MARK', mark)], {
          stdio: 'ignore',
        });
        // At a different moment of the start each time.
        await eventually(() => processesWith(mark).filter((pid) => pid !== server.pid).length > round % 4);
        server.kill('SIGKILL');
        await once(server, 'exit');
        return noneLeft(mark);
      });
    }
    record.expectAllBlocked('T24 process trees', 3);
  },
  300_000,
);

import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BubblewrapIsolator } from '../../capabilities/node/isolation/bubblewrap-isolator';
import { NodeClock } from '../../capabilities/node/node-clock';
import { NodeProcessRunner } from '../../capabilities/node/node-process-runner';
import { ProcessContainment } from '../../capabilities/node/process-containment';
import { temporaryFolder } from '../unit/node/temporary-folder';
import { BatteryRecord, type Outcome } from './battery-record';
import { ESCAPE_ATTEMPTS, type EscapeAttempt, type Victims } from './escape-attempts';

const record = new BatteryRecord('escapes');

/** What an attempt must leave as it was. */
interface Scene {
  readonly victims: Victims;
  readonly connections: () => number;
  readonly process: ChildProcess;
  close(): void;
}

async function setScene(root: string): Promise<Scene> {
  const [outside, workspace, home, data] = ['outside', 'workspace', 'home', 'data'].map((name) =>
    path.join(root, name),
  );
  for (const folder of [outside, `${workspace}/.git/hooks`, `${home}/.ssh`, data])
    mkdirSync(folder!, { recursive: true });
  writeFileSync(path.join(outside!, 'secret'), 'private');
  writeFileSync(path.join(outside!, 'victim'), 'untouched');
  writeFileSync(path.join(home!, '.ssh/id_rsa'), 'private');
  writeFileSync(path.join(data!, 'approvals.json'), 'private');
  symlinkSync(outside!, path.join(workspace!, 'link'));
  let connections = 0;
  const count = (): void => {
    connections += 1;
  };
  const servers = [createServer(count), createServer(count), createServer(count)] as const;
  await once(servers[0].listen(0, '::'), 'listening');
  const socket = path.join(outside!, 's.sock');
  await once(servers[1].listen(socket), 'listening');
  const abstract = `capability-battery-${process.pid}`;
  await once(servers[2].listen(`\0${abstract}`), 'listening');
  const udp = createSocket('udp4').on('message', count).bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', 'victim-process'], { stdio: 'ignore' });
  return {
    victims: {
      ...{ outside: outside!, workspace: workspace!, home: home!, data: data!, socket, abstract },
      ...{ port: (servers[0].address() as AddressInfo).port, udp: udp.address().port, pid: victim.pid ?? 0 },
    },
    connections: () => connections,
    process: victim,
    close: () => {
      for (const server of servers) server.close();
      udp.close();
      victim.kill('SIGKILL');
    },
  };
}

test('no program in a sandbox gets out of it', async () => {
  const root = temporaryFolder();
  const scene = await setScene(root);
  const { victims } = scene;
  const isolator = new BubblewrapIsolator({ home: victims.home, dataFolder: victims.data });
  const fences = { isolator, containment: new ProcessContainment() };
  const runner = new NodeProcessRunner(path.join(root, 'outputs'), fences, new NodeClock());
  process.env['HOST_SECRET'] = 'known to the server alone';
  const prelude = `const fs = require('fs'), net = require('net'); const v = ${JSON.stringify(victims)};`;
  const names = {
    OUTSIDE: victims.outside,
    WORKSPACE: victims.workspace,
    HOMEDIR: victims.home,
    PID: String(victims.pid),
  };

  const look = (): string =>
    JSON.stringify([
      ...[victims.outside, victims.workspace, `${victims.workspace}/.git/hooks`, victims.home, victims.data].map(
        (folder) => readdirSync(folder).sort(),
      ),
      ...[`${victims.outside}/victim`, `${victims.outside}/secret`, `${victims.data}/approvals.json`].map((file) =>
        readFileSync(file, 'utf8'),
      ),
      scene.connections(),
      scene.process.exitCode ??
        scene.process.signalCode ??
        readFileSync(`/proc/${victims.pid}/stat`, 'utf8').split(') ')[1]?.[0] === 'T',
      ['/etc/capability-escaped', '/usr/local/bin/capability-escaped'].filter((file) => existsSync(file)),
    ]);
  const before = look();

  async function attempt({ sh, node, network }: EscapeAttempt): Promise<Outcome | readonly [Outcome, string]> {
    const argv = node === undefined ? ['/bin/sh', '-c', sh ?? ''] : [process.execPath, '-e', `${prelude}\n${node}`];
    const result = await runner.run({
      ...{
        argv,
        cwd: victims.workspace,
        environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...names },
        stdin: undefined,
      },
      ...{ timeoutMs: 10_000, signal: new AbortController().signal, keepBytes: 10_000 },
      isolation: {
        workspaceFolder: victims.workspace,
        writable: [],
        protectedPaths: [],
        network: network ?? 'none',
        pinnedFiles: [],
      },
    });
    if (result.ended === 'failed-to-start') return ['crashed', result.detail ?? result.stderr.text];
    const after = look();
    if (after !== before) return ['escaped', `${before} → ${after}`];
    return result.stdout.text.includes('ESCAPED') ? ['escaped', result.stdout.text.slice(0, 200)] : 'blocked';
  }

  for (const [threat, attempts] of Object.entries(ESCAPE_ATTEMPTS)) {
    for (const each of attempts) await record.attempt(threat, each.name, () => attempt(each));
  }
  scene.close();
  rmSync('/etc/capability-escaped', { force: true });
  for (const [threat, attempts] of Object.entries(ESCAPE_ATTEMPTS)) record.expectAllBlocked(threat, attempts.length);
  expect(Object.values(ESCAPE_ATTEMPTS).flat().length).toBeGreaterThanOrEqual(60);
}, 300_000);

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { test } from 'vitest';
import { AllowListProxy } from '../../capabilities/node/network/allow-list-proxy';
import { HOST_SPELLINGS } from './host-spellings';
import { BatteryRecord } from './battery-record';

const record = new BatteryRecord('hosts');
const answers: Readonly<Record<string, string>> = { 'private.test': '10.0.0.1', 'metadata.test': '169.254.169.254' };

/** A client of the proxy over a pair of connected streams. */
async function ask(proxy: AllowListProxy, text: string): Promise<string> {
  const bridge: Server = createServer((socket: Duplex) => {
    proxy.accept(socket);
  });
  await once(bridge.listen(0, '127.0.0.1'), 'listening');
  const client = connect((bridge.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  client.on('data', (part: Buffer) => (answer += part.toString('latin1')));
  client.on('error', () => undefined);
  client.setTimeout(1_000, () => client.destroy());
  client.write(text);
  await once(client, 'close').catch(() => undefined);
  bridge.close();
  return answer;
}

test('no spelling of a host leads to a place that is not listed', async () => {
  let connections = 0;
  const target = createHttp((_request, response) => response.end('reached'));
  target.on('connection', () => (connections += 1));
  await once(target.listen(0, '::'), 'listening');
  const { port } = target.address() as AddressInfo;
  const listed = ['allowed.test', 'rebinding.test', 'private.test', 'metadata.test'].map((name) => `${name}:${port}`);
  const proxy = new AllowListProxy(listed, (name) => Promise.resolve([answers[name] ?? '127.0.0.1']));
  const forms: readonly [string, (host: string) => string][] = [
    ['CONNECT', (host) => `CONNECT ${host}:${port} HTTP/1.1\r\nHost: allowed.test\r\n\r\n`],
    [
      'GET',
      (host) => `GET http://${host}:${port}/ HTTP/1.1\r\nHost: allowed.test:${port}\r\nConnection: close\r\n\r\n`,
    ],
  ];
  for (const [form, requestFor] of forms) {
    for (const host of HOST_SPELLINGS) {
      await record.attempt('T15 hosts', `${form} ${host}`, async () => {
        const before = connections;
        const answer = await ask(proxy, requestFor(host));
        if (connections > before || answer.includes('reached') || answer.startsWith('HTTP/1.1 200'))
          return ['escaped', answer.slice(0, 100)];
        return 'blocked';
      });
    }
  }
  record.expectAllBlocked('T15 hosts', 80);
  proxy.close();
  target.close();
}, 120_000);

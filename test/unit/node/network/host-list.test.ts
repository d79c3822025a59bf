import fc from 'fast-check';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, test } from 'vitest';
import { HOST_SPELLINGS } from '../../../battery/host-spellings';
import { isPublicAddress } from '../../../../capabilities/node/network/address-ranges';
import { connectGuarded } from '../../../../capabilities/node/network/guarded-connection';
import { HostList } from '../../../../capabilities/node/network/host-list';

describe('an address', () => {
  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '100.128.0.1', '172.32.0.1', '::ffff:1.1.1.1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
    ],
    ...[
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:127.0.0.1',
    ],
    ...[
      '::ffff:7f00:1',
      '::ffff:a00:1',
      '64:ff9b::7f00:1',
      '64:ff9b::127.0.0.1',
      '2002:7f00:1::',
      '2001:db8::1',
      'localhost',
      '',
      '127.1',
      '1.1.1',
    ],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a list of hosts', () => {
  test.each([
    [['example.com'], 'example.com', 443, true],
    [['example.com'], 'EXAMPLE.com.', 80, true],
    [['example.com'], 'example.com', 8080, false],
    [['example.com:8080'], 'example.com', 8080, true],
    [['example.com:8080'], 'example.com', 443, false],
    [['example.com'], 'sub.example.com', 443, false],
    [['*.example.com'], 'a.b.example.com', 443, true],
    [['*.example.com'], 'example.com', 443, false],
    [['*.example.com'], 'evilexample.com', 443, false],
    [['example.com'], 'example.com.evil.org', 443, false],
    [['bücher.example'], 'xn--bcher-kva.example', 443, true],
    [['[::1]:9000'], '::1', 9000, true],
    [['127.0.0.1:9000'], '0x7f.1', 9000, true],
    [[''], '', 443, false],
    [['*'], 'example.com', 443, false],
    [['user@example.com'], 'example.com', 443, false],
  ])('%j and %s:%d: %s', (entries, host, port, expected) => {
    expect(new HostList(entries).admits(host, port)).toBe(expected);
  });

  it('admits nothing that it does not name, however it is written', () => {
    const list = new HostList(['example.com', '*.example.org']);
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { hostname, port } = new URL(url);
        const isNamed = hostname === 'example.com' || hostname.endsWith('.example.org');
        expect(list.admits(hostname, Number(port || 443))).toBe(isNamed && ['', '443', '80'].includes(port));
      }),
    );
  });
});

describe('a connection', () => {
  const answers: Readonly<Record<string, string>> = {
    'allowed.test': '127.0.0.1',
    'rebinding.test': '127.0.0.1',
    'private.test': '10.0.0.1',
    'metadata.test': '169.254.169.254',
  };

  it('to this machine is made under no spelling, not even of a listed name that leads here', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await once(server.listen(0, '::'), 'listening');
    const { port } = server.address() as AddressInfo;
    const named = ['allowed.test', 'rebinding.test', 'private.test', 'metadata.test'].map((name) => `${name}:${port}`);
    const list = new HostList(named);
    expect(HOST_SPELLINGS.length).toBeGreaterThanOrEqual(40);
    for (const host of [...HOST_SPELLINGS, 'allowed.test', 'allowed.test\t', '\nlocalhost', 'localhost\0']) {
      const result = await connectGuarded({ host, port }, list, (name) =>
        Promise.resolve([answers[name] ?? '127.0.0.1']),
      );
      expect(result, host).toMatchObject({ ok: false });
    }
    expect(connections).toBe(0);
    server.close();
  });

  it('to this machine is made where the list names it', async () => {
    const server = createServer((socket) => socket.destroy());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    for (const name of ['127.0.0.1', 'localhost']) {
      const result = await connectGuarded({ host: name, port }, new HostList([`${name}:${port}`]));
      expect(result).toMatchObject({ ok: true });
      if (result.ok) result.socket.destroy();
    }
    server.close();
  });

  it('goes to the address that was checked, though the name answers differently afterwards', async () => {
    const answersInTurn = [['10.0.0.1'], ['127.0.0.1']];
    const resolve = (): Promise<readonly string[]> => Promise.resolve(answersInTurn.shift() ?? []);
    expect(await connectGuarded({ host: 'a.test', port: 443 }, new HostList(['a.test']), resolve)).toMatchObject({
      ok: false,
      refusal: { kind: 'not-public' },
    });
    expect(answersInTurn).toHaveLength(1);
  });
});

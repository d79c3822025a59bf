import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NetworkTunnel } from '../../../../capabilities/node/isolation/network-tunnel';
import type { ProcessRequest, ProcessResult } from '../../../../capabilities/ports';
import { Duplex } from 'node:stream';
import { nodeRunner } from '../shared-isolator';
import { temporaryFolder } from '../temporary-folder';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (handle: RequestListener): Promise<number> => listen(createHttp(handle));

function run(allow: string[], program: string, more: Partial<ProcessRequest> = {}): Promise<ProcessResult> {
  const folder = temporaryFolder();
  return nodeRunner(path.join(folder, 'outputs')).run({
    argv: [process.execPath, '-e', `${CLIENT}\n${program}`],
    cwd: folder,
    environment: { PATH: '/usr/bin:/bin' },
    stdin: undefined,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    keepBytes: 1024 * 1024,
    isolation: { workspaceFolder: folder, writable: [], protectedPaths: [], network: { allow }, pinnedFiles: [] },
    ...more,
  });
}

/** A client as programs are that honour the usual variables. */
const CLIENT = `
const http = require('http');
const proxy = new URL(process.env.HTTP_PROXY);
const plain = (url, headers = {}) => new Promise((done) => {
  const request = http.request({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host, ...headers } }, (answer) => {
    let text = ''; answer.on('data', (part) => (text += part)); answer.on('end', () => done(answer.statusCode + ' ' + text));
  });
  request.on('error', (error) => done('error ' + error.message)); request.end();
});
const connect = (authority) => new Promise((done) => {
  const request = http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: authority });
  request.on('connect', (answer, socket) => done({ status: answer.statusCode, socket }));
  request.on('response', (answer) => done({ status: answer.statusCode }));
  request.on('error', (error) => done({ status: error.message })); request.end();
});
`;

describe('a run that may reach some hosts', () => {
  let port: number;
  let other: number;
  let hits: string[];
  async function open(): Promise<void> {
    hits = [];
    port = await serve((request, response) => {
      hits.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.host ?? ''}`);
      response.end('listed');
    });
    other = await serve((_request, response) => {
      hits.push('other');
      response.end('not listed');
    });
  }

  it('reaches those by plain requests and through CONNECT', async () => {
    await open();
    const result = await run(
      [`127.0.0.1:${port}`],
      `(async () => {
        console.log(await plain('http://127.0.0.1:${port}/a?b=c'));
        const { status, socket } = await connect('127.0.0.1:${port}');
        socket.end('GET /tunnel HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');
        let text = ''; socket.on('data', (part) => (text += part)); socket.on('end', () => console.log(status, text.endsWith('listed')));
      })()`,
    );
    expect(result.stderr.text).toBe('');
    expect(result).toMatchObject({ ended: 'exit', exitCode: 0 });
    expect(result.stdout.text).toBe('200 listed\n200 true\n');
    expect(hits).toEqual([`GET /a?b=c 127.0.0.1:${port}`, 'GET /tunnel x']);
  });

  it('is refused all others, however they are written, with the reason', async () => {
    await open();
    const result = await run(
      [`127.0.0.1:${port}`],
      `(async () => {
        for (const host of ['127.0.0.1:${other}', 'localhost:${port}', '127.0.0.2:${port}', '[::1]:${port}', 'example.org', '169.254.169.254'])
          console.log((await connect(host)).status, (await plain('http://' + host + '/')).slice(0, 12));
        console.log((await plain('http://127.0.0.1:${other}/', { host: '127.0.0.1:${port}' })).slice(0, 3));
        console.log((await plain('http://user@127.0.0.1:${port}/')).slice(0, 3), (await plain('https://127.0.0.1:${port}/')).slice(0, 3));
      })()`,
    );
    expect(result.stdout.text).toBe(`${'403 403 Refused:\n'.repeat(6)}403\n403 403\n`);
    expect(hits).toEqual([]);
  });

  it('reaches nothing around the proxy', async () => {
    await open();
    const result = await run(
      [`127.0.0.1:${port}`],
      `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('through')).on('error', (error) => console.log(error.code));
       require('dns').lookup('example.org', (error) => console.log(error && error.code));`,
    );
    expect(result.stdout.text).not.toContain('through');
    expect(result.stdout.text).toContain('ECONNREFUSED');
    expect(hits).toEqual([]);
  });

  it('gets its arguments, its exit code and its environment as without', async () => {
    const odd = ['', ' ', "a'b", '$HOME', 'ä\n😀', 'x'.repeat(100_000), 'y'.repeat(100_000)];
    const script =
      'console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env).sort()])); process.exit(7)';
    const result = await run([], '', {
      argv: [process.execPath, '-e', script, '--', ...odd],
      environment: { ONE: '1' },
    });
    expect(result).toMatchObject({ ended: 'exit', exitCode: 7 });
    const [args, names] = JSON.parse(result.stdout.text) as [string[], string[]];
    expect(args).toEqual(odd);
    expect(names.filter((name) => !/proxy/iu.test(name))).toEqual(['ONE']);
  });

  it('carries much, both ways, also when a side is slow', async () => {
    const size = 20_000_000;
    let received = 0;
    const sink = await serve((request, response) => {
      request.on('data', (part: Buffer) => {
        received += part.length;
        request.pause();
        setImmediate(() => request.resume());
      });
      request.on('end', () => response.end(Buffer.alloc(size, 'x')));
    });
    const result = await run(
      [`127.0.0.1:${sink}`],
      `(async () => {
        const { socket } = await connect('127.0.0.1:${sink}');
        socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: ${size}\\r\\n\\r\\n');
        socket.write(Buffer.alloc(${size}, 'y'));
        let total = 0; socket.on('data', (part) => (total += part.length)); socket.on('end', () => console.log(total > ${size}));
      })()`,
    );
    expect(result.stdout.text).toBe('true\n');
    expect(received).toBe(size);
  });

  it('ends at its time limit, with its connections', async () => {
    let isClosed = false;
    const hanging = await listen(
      createServer((socket) => socket.on('close', () => (isClosed = true)).on('error', () => undefined)),
    );
    const result = await run(
      [`127.0.0.1:${hanging}`],
      `connect('127.0.0.1:${hanging}').then(() => console.log('open'))`,
      {
        timeoutMs: 1_500,
      },
    );
    expect(result).toMatchObject({ ended: 'timeout', stdout: { text: 'open\n' } });
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('the tunnel', () => {
  function tunnel(): { stream: Duplex; accepted: Duplex[] } {
    const accepted: Duplex[] = [];
    const stream = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => {
        done();
      },
    });
    new NetworkTunnel(stream, (connection) => accepted.push(connection));
    return { stream, accepted };
  }
  const frame = (id: number, kind: number, length: number, bytes = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUInt32BE(id, 0);
    head.writeUInt8(kind, 4);
    head.writeUInt32BE(length, 5);
    return Buffer.concat([head, bytes]);
  };

  it.each([
    ['a frame that is too large', frame(1, 1, 0xffffffff)],
    ['a frame of no known kind', frame(1, 77, 0)],
  ])('ends at %s', async (_, bytes) => {
    const { stream } = tunnel();
    stream.push(bytes);
    await once(stream, 'close');
    expect(stream.destroyed).toBe(true);
  });

  it('reads frames wherever they are cut, and ignores connections that it does not know', async () => {
    const { stream, accepted } = tunnel();
    const bytes = Buffer.concat([
      frame(9, 1, 1, Buffer.from('?')),
      frame(1, 0, 0),
      frame(1, 0, 0),
      frame(1, 1, 3, Buffer.from('abc')),
      frame(9, 3, 0),
      frame(1, 2, 0),
    ]);
    for (const byte of bytes) stream.push(Buffer.from([byte]));
    await expect.poll(() => accepted.length).toBe(1);
    const parts: Buffer[] = [];
    for await (const part of accepted[0]!) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toBe('abc');
  });
});

import {
  createServer,
  request as startRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { connectGuarded, type ConnectionRefusal, type Resolve } from './guarded-connection';
import { HostList } from './host-list';

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
/** Headers that are between the client and us. */
const BETWEEN_US = new Set([
  'proxy-connection',
  'proxy-authorization',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
]);

/**
 * A proxy (HTTP and CONNECT) that reaches the hosts of a list and answers 403 for all others, each with a sentence that says why. It listens
 * nowhere: connections are handed to it.
 */
export class AllowListProxy {
  readonly #server: Server;
  readonly #allowed: HostList;
  readonly #resolve: Resolve | undefined;

  constructor(hosts: readonly string[], resolve?: Resolve) {
    this.#allowed = new HostList(hosts);
    this.#resolve = resolve;
    this.#server = createServer((request, response) => void this.#forward(request, response));
    this.#server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head));
    this.#server.on('clientError', (_error, socket) => {
      socket.destroy();
    });
  }

  /** Serves one connection of a client. */
  accept(connection: Duplex): void {
    this.#server.emit('connection', connection);
  }

  /** Ends every connection of clients. */
  close(): void {
    this.#server.closeAllConnections();
  }

  #connect(host: string, port: number): ReturnType<typeof connectGuarded> {
    return connectGuarded({ host, port }, this.#allowed, this.#resolve);
  }

  /** CONNECT host:port: bytes both ways, whatever they are. */
  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => undefined);
    const target = splitAuthority(request.url ?? '', HTTPS_PORT);
    const result = target && (await this.#connect(target.host, target.port));
    if (result?.ok !== true) {
      const text = refusalText(result?.refusal);
      client.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
      return;
    }
    const { socket } = result;
    socket.on('error', () => client.destroy());
    client.on('close', () => socket.destroy());
    socket.on('close', () => client.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.write(head);
    client.pipe(socket).pipe(client);
  }

  /** A plain request with a whole URL: the host of the URL counts, and nothing that the headers say. */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    const isHttp = url?.protocol === 'http:' && url.username === '' && url.password === '';
    const result = isHttp ? await this.#connect(url.hostname, Number(url.port || HTTP_PORT)) : undefined;
    if (url === undefined || result?.ok !== true) {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end(refusalText(result?.ok === false ? result.refusal : undefined));
      return;
    }
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !BETWEEN_US.has(name)));
    const onward = startRequest({
      ...{
        method: request.method,
        path: `${url.pathname}${url.search}`,
        createConnection: () => result.socket,
      },
      headers: { ...headers, host: url.host, connection: 'close' },
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}

function splitAuthority(authority: string, port: number): { readonly host: string; readonly port: number } | undefined {
  const found = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/u.exec(authority);
  return found?.[1] === undefined
    ? undefined
    : { host: found[1], port: found[2] === undefined ? port : Number(found[2]) };
}

function refusalText(refusal: ConnectionRefusal | undefined): string {
  return `Refused: ${refusal?.reason ?? 'this is no request that a host can be read from.'} The action's network_policy names the hosts it may reach.\n`;
}

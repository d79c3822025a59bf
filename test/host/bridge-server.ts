import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Message {
  readonly secret?: string;
  readonly id?: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string };
}

interface PendingCall {
  readonly socket: Socket;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The test process' half of the bridge: it waits for the bridge extension to connect, and sends it functions
 * to run. When the extension host restarts (a reload, another folder) the new one takes the old one's place.
 */
export class BridgeServer {
  readonly #secret = randomUUID();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #pending = new Map<number, PendingCall>();
  #connection: Socket | undefined;
  #waiting: ((socket: Socket) => void)[] = [];
  #lastId = 0;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#accept(socket);
    });
  }

  /** Listens on a free loopback port. */
  static async start(): Promise<BridgeServer> {
    const bridge = new BridgeServer();
    bridge.#server.listen(0, '127.0.0.1');
    await once(bridge.#server, 'listening');
    return bridge;
  }

  /** What the bridge extension must find in its environment. */
  environment(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { CAPABILITY_BRIDGE_PORT: String(port), CAPABILITY_BRIDGE_SECRET: this.#secret };
  }

  /** Resolves when an extension host is connected. */
  async connected(): Promise<void> {
    await this.#connected();
  }

  /**
   * Runs a function, given as source text, in the extension host. Rejects with what the function throws (name
   * and message are kept), or when the extension host ends during the call.
   */
  async call(source: string, args: readonly unknown[]): Promise<unknown> {
    const socket = await this.#connected();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { socket, resolve, reject });
      socket.write(`${JSON.stringify({ id, source, args })}\n`);
    });
  }

  /** Drops the connection; calls that are under way reject. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connected(): Promise<Socket> {
    return this.#connection
      ? Promise.resolve(this.#connection)
      : new Promise((resolve) => {
          this.#waiting.push(resolve);
        });
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#drop(socket);
    });
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (this.#connection === socket) this.#settle(message);
      else if (message.secret === this.#secret) this.#use(socket);
      else socket.destroy();
    });
  }

  #use(socket: Socket): void {
    this.#connection = socket;
    for (const resolve of this.#waiting.splice(0)) resolve(socket);
  }

  #drop(socket: Socket): void {
    this.#sockets.delete(socket);
    if (this.#connection === socket) this.#connection = undefined;
    for (const [id, call] of this.#pending) {
      if (call.socket !== socket) continue;
      this.#pending.delete(id);
      call.reject(new Error('The extension host ended during the call.'));
    }
  }

  #settle({ id = 0, value, error }: Message): void {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (!call) return;
    if (error) call.reject(Object.assign(new Error(error.message, { cause: error.stack }), { name: error.name }));
    else call.resolve(value);
  }
}

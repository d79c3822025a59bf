import { Duplex } from 'node:stream';

const HEAD_BYTES = 9;
/** What one frame may hold; the bridge sends what it has read from a socket at once, which is less. */
const LARGEST_FRAME = 4 * 1024 * 1024;
const FrameKind = { open: 0, data: 1, end: 2, gone: 3, start: 4 } as const;

/** What the bridge starts once it can serve it. */
export interface BridgedCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What a connection needs of its tunnel. */
interface TunnelEnd {
  send(kind: number, bytes?: Buffer): void;
  /** Calls back when the tunnel takes more. */
  whenWritable(done: () => void): void;
  /** Lets more come in. */
  resume(): void;
}

/** One connection that a process in the sandbox has made. */
class TunnelledConnection extends Duplex {
  readonly #end: TunnelEnd;

  constructor(end: TunnelEnd) {
    super({ allowHalfOpen: true });
    this.#end = end;
  }

  override _read(): void {
    this.#end.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#end.send(FrameKind.data, chunk);
    this.#end.whenWritable(done);
  }

  override _final(done: () => void): void {
    this.#end.send(FrameKind.end);
    done();
  }

  override _destroy(_error: Error | null, done: (error: Error | null) => void): void {
    this.#end.send(FrameKind.gone);
    done(null);
  }
}

/**
 * The outer end of the one descriptor that leads out of a sandbox: takes the frames apart that `NETWORK_BRIDGE` sends, and hands over each
 * connection. What comes through it is hostile: a frame that is too large, or of no known kind, ends the tunnel.
 */
export class NetworkTunnel {
  readonly #stream: Duplex;
  readonly #accept: (connection: Duplex) => void;
  readonly #connections = new Map<number, TunnelledConnection>();
  #buffered: Buffer = Buffer.alloc(0);

  constructor(stream: Duplex, accept: (connection: Duplex) => void) {
    this.#stream = stream;
    this.#accept = accept;
    stream.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    stream.on('error', () => {
      this.close();
    });
    stream.on('close', () => {
      this.close();
    });
  }

  /** Tells the bridge what to start. */
  start(command: BridgedCommand): void {
    this.#send(0, FrameKind.start, Buffer.from(JSON.stringify(command)));
  }

  /** Ends every connection. */
  close(): void {
    for (const connection of this.#connections.values()) connection.destroy();
    this.#connections.clear();
    this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    while (this.#buffered.length >= HEAD_BYTES) {
      const length = this.#buffered.readUInt32BE(5);
      if (length > LARGEST_FRAME) {
        this.close();
        return;
      }
      if (this.#buffered.length < HEAD_BYTES + length) return;
      this.#handle(
        this.#buffered.readUInt32BE(0),
        this.#buffered.readUInt8(4),
        this.#buffered.subarray(HEAD_BYTES, HEAD_BYTES + length),
      );
      this.#buffered = this.#buffered.subarray(HEAD_BYTES + length);
    }
  }

  #handle(id: number, kind: number, bytes: Buffer): void {
    const connection = this.#connections.get(id);
    switch (kind) {
      case FrameKind.open:
        if (connection === undefined) this.#open(id);
        return;
      case FrameKind.data:
        // A reader that is behind holds up the whole tunnel: nothing piles up in memory.
        if (connection?.push(Buffer.from(bytes)) === false) this.#stream.pause();
        return;
      case FrameKind.end:
        connection?.push(null);
        return;
      case FrameKind.gone:
        this.#connections.delete(id);
        connection?.destroy();
        return;
      default:
        this.close();
    }
  }

  #open(id: number): void {
    const connection = new TunnelledConnection({
      send: (kind, bytes) => {
        this.#send(id, kind, bytes);
      },
      whenWritable: (done) => {
        if (this.#stream.writableNeedDrain) this.#stream.once('drain', done);
        else done();
      },
      resume: () => {
        this.#stream.resume();
      },
    });
    connection.on('error', () => undefined);
    this.#connections.set(id, connection);
    this.#accept(connection);
  }

  #send(id: number, kind: number, bytes: Buffer = Buffer.alloc(0)): void {
    if (!this.#stream.writable) return;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(id, 0);
    head.writeUInt8(kind, 4);
    head.writeUInt32BE(bytes.length, 5);
    this.#stream.write(Buffer.concat([head, bytes]));
  }
}

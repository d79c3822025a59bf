/**
 * What runs inside a sandbox that may reach some hosts: it offers a proxy on the sandbox's own loopback and carries each connection through one
 * descriptor to the server outside, which decides (see `NetworkTunnel`). The descriptor is one end of a socket pair that was there before: nothing
 * in the sandbox opens a socket to the outside, and the action's process does not inherit it.
 *
 * A text and not a module, because the sandbox has nothing of ours to load. Its argument is the descriptor. Frames both ways: connection (u32), kind
 * (u8: 0 open, 1 data, 2 end, 3 gone, 4 start with `{argv, environment}` as JSON), length (u32), bytes; big-endian.
 */
export const NETWORK_BRIDGE = `
const net = require('net');
const { spawn } = require('child_process');
const tunnel = new net.Socket({ fd: Number(process.argv[1]), readable: true, writable: true });
const sockets = new Map();
let next = 1;
const send = (id, kind, bytes = Buffer.alloc(0)) => {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(id, 0); head.writeUInt8(kind, 4); head.writeUInt32BE(bytes.length, 5);
  return tunnel.write(Buffer.concat([head, bytes]));
};
let buffered = Buffer.alloc(0);
tunnel.on('data', (chunk) => {
  buffered = Buffer.concat([buffered, chunk]);
  while (buffered.length >= 9) {
    const length = buffered.readUInt32BE(5);
    if (buffered.length < 9 + length) return;
    const socket = sockets.get(buffered.readUInt32BE(0));
    const kind = buffered.readUInt8(4);
    if (kind === 4) start(JSON.parse(buffered.subarray(9, 9 + length).toString()));
    if (socket && kind === 1) socket.write(buffered.subarray(9, 9 + length));
    if (socket && kind === 2) socket.end();
    if (socket && kind === 3) socket.destroy();
    buffered = buffered.subarray(9 + length);
  }
});
tunnel.on('error', () => process.exit(70));
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  const id = next++;
  sockets.set(id, socket);
  send(id, 0);
  socket.on('data', (bytes) => {
    if (send(id, 1, bytes)) return;
    socket.pause();
    tunnel.once('drain', () => socket.resume());
  });
  socket.on('end', () => send(id, 2));
  socket.on('error', () => undefined);
  socket.on('close', () => { sockets.delete(id); send(id, 3); });
});
process.on('SIGTERM', () => undefined);
const start = ({ argv, environment }) => server.listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  const proxies = {};
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) proxies[name] = proxies[name.toUpperCase()] = url;
  const env = { ...proxies, NODE_USE_ENV_PROXY: '1', ...environment };
  const child = spawn(argv[0], argv.slice(1), { stdio: 'inherit', env });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + require('os').constants.signals[signal] : code));
});
`;

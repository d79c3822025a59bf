import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';

/**
 * Runs `work` while no other process on this machine holds the same name. The lock is a socket in Linux's
 * abstract name space: the kernel frees it when its owner ends, however that happens, so it can't go stale,
 * and a waiting process learns of the release from its connection closing.
 * @template T
 * @param {string} name
 * @param {{ onWait: () => void }} options `onWait` is called once, if the lock is taken
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withMachineLock(name, { onWait }, work) {
  const address = `\0capability-layer-${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;
  let waited = false;
  let release = await tryLock(address);
  while (!release) {
    if (!waited) onWait();
    waited = true;
    await untilReleased(address);
    release = await tryLock(address);
  }
  try {
    return await work();
  } finally {
    await release();
  }
}

/**
 * @param {string} address
 * @returns {Promise<(() => Promise<void>) | undefined>} the release function, or undefined when taken
 */
function tryLock(address) {
  return new Promise((resolve, reject) => {
    /** @type {Set<import('node:net').Socket>} */
    const waiting = new Set();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => waiting.delete(socket));
    });
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => resolve(() => close(server, waiting)));
  });
}

/**
 * @param {import('node:net').Server} server
 * @param {Set<import('node:net').Socket>} waiting
 * @returns {Promise<void>}
 */
function close(server, waiting) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of waiting) socket.destroy();
  });
}

/** @param {string} address @returns {Promise<void>} */
function untilReleased(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.resume();
  });
}

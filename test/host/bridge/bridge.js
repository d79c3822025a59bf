/**
 * The half of the test bridge inside VS Code. It connects to the test process (see bridge-server.ts), shows
 * that it knows the secret, and runs the functions that it is sent, with the `vscode` API as first argument.
 * Messages are JSON, one a line.
 */
const { connect } = require('node:net');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

const PORT_VARIABLE = 'CAPABILITY_BRIDGE_PORT';
const SECRET_VARIABLE = 'CAPABILITY_BRIDGE_SECRET';

exports.activate = (/** @type {import('vscode').ExtensionContext} */ context) => {
  const { [PORT_VARIABLE]: port, [SECRET_VARIABLE]: secret } = process.env;
  if (!port || !secret) return;
  // Other extensions and the processes that they start must not be able to reach the bridge.
  delete process.env[PORT_VARIABLE];
  delete process.env[SECRET_VARIABLE];
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  /** @param {unknown} message */
  const send = (message) => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on('error', (error) => console.error('test bridge:', error.message));
  createInterface({ input: socket }).on('line', (line) => void answer(JSON.parse(line)).then(send));
  send({ secret });
  context.subscriptions.push({ dispose: () => socket.destroy() });
};

/** @param {{ id: number, source: string, args: unknown[] }} call */
async function answer({ id, source, args }) {
  try {
    const run = new Function(`return (${source})`)();
    return { id, value: await run(vscode, ...args) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { id, error: { name: error.name, message: error.message, stack: error.stack } };
  }
}

import { spawn } from 'node:child_process';

const KEPT_CHARACTERS = 8000;

/**
 * Runs a command to its end. Never rejects: a command that can't be started has code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>} the exit code and the end of stdout and stderr together
 */
export function runCommand(command, args, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    /** @param {unknown} chunk */
    const keep = (chunk) => {
      output = (output + String(chunk)).slice(-KEPT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output }),
    );
  });
}

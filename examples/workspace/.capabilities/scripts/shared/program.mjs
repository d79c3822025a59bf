import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from './action.mjs';

/**
 * Runs a program without a shell. `env` is added to this process's own environment; standard input is `input`, then closed.
 * Returns `{ code, stdout, stderr }`; a program that can't be started is a Refusal.
 */
export function runProgram(program, argv, { cwd = process.cwd(), env = {}, input = '', timeout = 30_000 } = {}) {
  const outcome = spawnSync(program, argv, {
    cwd,
    env: { ...process.env, ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout,
  });
  if (outcome.error?.code === 'ENOENT') throw new Refusal(`${program} is not on PATH.`);
  if (outcome.error) throw new Refusal(`${program} could not be run: ${outcome.error.message}`);
  return { code: outcome.status ?? 1, stdout: outcome.stdout, stderr: outcome.stderr };
}

/** Like `runProgram`, for programs whose failure ends the action. Returns standard output. */
export function requireProgram(program, argv, options) {
  const { code, stdout, stderr } = runProgram(program, argv, options);
  if (code !== 0) throw new Refusal(stderr.trim() || `${program} ${argv[0]} ended with exit code ${code}.`);
  return stdout;
}

/** Absolute path of the first executable with this name on PATH, or null. */
export function findOnPath(program) {
  return (
    pathFolders()
      .map((folder) => path.join(folder, program))
      .find(isExecutableFile) ?? null
  );
}

/** The folders of PATH, in order, without repeats. */
export function pathFolders() {
  return [...new Set((process.env.PATH ?? '').split(path.delimiter).filter(Boolean))];
}

/** Whether the path is a file that this user may execute. */
export function isExecutableFile(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

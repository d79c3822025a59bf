import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProcessRequest } from '../ports';
import { findOnPath, isExecutableFile } from './node-machine';

/**
 * Why the request can't be started, found before the start: inside a wrapper a missing program would only show as exit
 * code 127. Undefined when nothing speaks against it.
 */
export async function findStartFailure(request: ProcessRequest): Promise<string | undefined> {
  const folder = await stat(request.cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    return `The working folder ${request.cwd} does not exist.`;
  }
  const [program = ''] = request.argv;
  const file = program.includes('/') || path.isAbsolute(program) ? path.resolve(request.cwd, program) : undefined;
  const found = file ?? findOnPath(program, { platform: process.platform, environment: request.environment });
  if (found === undefined || !exists(found)) {
    return `The program "${program}" was not found (ENOENT). Install it, or correct the action's definition.`;
  }
  return isExecutableFile(found) ? undefined : notExecutable(program);
}

/** The same for an error that the start itself reports. */
export function explainStartFailure(error: unknown, request: ProcessRequest): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const [program = ''] = request.argv;
  switch (code) {
    case 'E2BIG':
      return 'The arguments and the environment together are too long for this system (E2BIG). Pass less, or pass it in a file.';
    case 'EACCES':
      return notExecutable(program);
    case 'ENOENT':
      return `The program "${program}" or its interpreter was not found (ENOENT).`;
    default:
      return `"${program}" could not be started (${code ?? String(error)}).`;
  }
}

function notExecutable(program: string): string {
  return `"${program}" is not an executable file (EACCES). Make it executable, or name its interpreter.`;
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '..', '..');

/** The packaged extension: what a user installs is what is tested. */
export const VSIX = path.join(repository, 'dist', 'capability-layer.vsix');

/** A private copy of the example workspace with its fake Codex installed in two places. */
export interface DemoWorkspace {
  readonly folder: string;
  /** Puts the fake Codex back into the state before any repair. */
  reinstall(): void;
  /** Text of the demo's Bash start-up file. */
  bashrc(): Promise<string>;
  remove(): Promise<void>;
}

/** Copies examples/workspace into a temporary folder and installs the demo there. */
export async function createDemoWorkspace(): Promise<DemoWorkspace> {
  const parent = await mkdtemp(path.join(tmpdir(), 'capability-demo-'));
  const folder = path.join(parent, 'workspace');
  await cp(path.join(repository, 'examples', 'workspace'), folder, {
    recursive: true,
    filter: (source) => path.basename(source) !== '.demo',
  });
  const install = (): void => {
    execFileSync(process.execPath, ['.capabilities/scripts/codex/install-demo.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], CAPABILITY_ARGS: JSON.stringify({ reset: true }) },
      input: '',
    });
  };
  install();
  return {
    folder,
    reinstall: install,
    bashrc: () => readFile(path.join(folder, '.demo', 'home', '.bashrc'), 'utf8'),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

/** One record of the audit log, as far as the tests read it. */
export interface AuditRecord {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Every audit record below a home folder, oldest first. */
export async function readAudit(home: string): Promise<readonly AuditRecord[]> {
  const folder = path.join(home, '.local', 'share', 'capability-layer', 'audit');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line) as AuditRecord);
}

/** Runs the command line against a home folder and returns its exit code and JSON. */
export function runCli(home: string, ...args: readonly string[]): unknown {
  const output = execFileSync(process.execPath, [path.join(repository, 'dist', 'cli.js'), ...args, '--json'], {
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

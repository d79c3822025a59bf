import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../capabilities/models';
import { NodeClock } from '../../../capabilities/node/node-clock';
import { NodeDigest } from '../../../capabilities/node/node-digest';
import { NodeEnvironmentFacts } from '../../../capabilities/node/node-environment-facts';
import { findOnPath, NodeMachine } from '../../../capabilities/node/node-machine';
import { ProcessContainment } from '../../../capabilities/node/process-containment';
import type { Clock } from '../../../capabilities/ports';
import { temporaryFolder } from './temporary-folder';

class HandClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

function program(folder: string, name: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

function machine(PATH: string, clock: Clock = new HandClock()): NodeMachine {
  return new NodeMachine(clock, { platform: 'linux', environment: { PATH, EMPTY: undefined } });
}

describe('NodeMachine', () => {
  it('finds the first executable file on PATH', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(path.join(first, 'tool'));
    const file = program(second, 'tool');
    program(first, 'other', 0o644);
    expect(await machine(`${first}:${second}`).findExecutable('tool')).toBe(file);
    expect(await machine(`${first}:${second}`).findExecutable('other')).toBeUndefined();
  });

  it.each(['', 'a/b', 'a\\b', 'a\0b', 'missing'])('does not find %j', async (name) => {
    expect(await machine('/usr/bin').findExecutable(name)).toBeUndefined();
  });

  it('skips relative folders of PATH: a workspace must not supply the program', () => {
    const here = path.relative(process.cwd(), temporaryFolder());
    program(path.resolve(here), 'tool');
    expect(machine(`.::${here}`).locate('tool')).toBeUndefined();
  });

  it('sees a program that was installed after the cached answer has aged', () => {
    const clock = new HandClock();
    const folder = temporaryFolder();
    const subject = machine(folder, clock);
    expect(subject.locate('tool')).toBeUndefined();
    const file = program(folder, 'tool');
    expect(subject.locate('tool')).toBeUndefined();
    clock.time += 10_000;
    expect(subject.locate('tool')).toBe(file);
  });

  it('tries the endings of PATHEXT on Windows', () => {
    const folder = temporaryFolder();
    const file = program(folder, 'tool.EXE');
    expect(findOnPath('tool', { platform: 'win32', environment: { Path: folder } })).toBe(file);
    expect(findOnPath('tool', { platform: 'win32', environment: { Path: folder, PATHEXT: '.COM' } })).toBeUndefined();
    expect(findOnPath('tool', { platform: 'linux', environment: {} })).toBeUndefined();
  });

  it('gives variables of the environment, not of its prototype', () => {
    expect(machine('/x').environmentVariable('PATH')).toBe('/x');
    expect(machine('/x').environmentVariable('toString')).toBeUndefined();
    expect(new NodeMachine(new HandClock()).environmentVariable('PATH')).toBe(process.env['PATH']);
  });
});

describe('NodeEnvironmentFacts', () => {
  const scopeOf = (root: string): Scope => ({ name: 'folder', kind: 'workspace', root, definitions: root });

  it('takes `shell` for sh', () => {
    const folder = temporaryFolder();
    program(folder, 'sh');
    const facts = new NodeEnvironmentFacts(machine(folder), new HandClock());
    expect([facts.hasExecutor('shell'), facts.hasExecutor('sh'), facts.hasExecutor('git')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('knows credentials by name', () => {
    const clock = new HandClock();
    expect(new NodeEnvironmentFacts(machine(''), clock).hasCredential('TOKEN')).toBe(false);
    expect(new NodeEnvironmentFacts(machine(''), clock, () => new Set(['TOKEN'])).hasCredential('TOKEN')).toBe(true);
  });

  it('recognises a repository from any folder inside it, and the file form of .git', () => {
    const root = temporaryFolder();
    const facts = new NodeEnvironmentFacts(machine(''), new HandClock());
    mkdirSync(path.join(root, 'repository/sub'), { recursive: true });
    writeFileSync(path.join(root, 'repository/.git'), 'gitdir: x');
    expect(facts.hasContext('git_repository', scopeOf(path.join(root, 'repository/sub')))).toBe(true);
    expect(facts.hasContext('git_repository', scopeOf(root))).toBe(false);
  });

  it('looks for files inside the folder only, and follows changes', () => {
    const root = temporaryFolder();
    const clock = new HandClock();
    const facts = new NodeEnvironmentFacts(machine(''), clock);
    symlinkSync('/etc', path.join(root, 'out'));
    const has = (name: string) => facts.hasContext(`file:${name}`, scopeOf(root));
    expect([has('a.txt'), has('../x'), has('/etc/passwd'), has('out/passwd')]).toEqual([false, false, false, false]);
    writeFileSync(path.join(root, 'a.txt'), '');
    expect(has('a.txt')).toBe(false);
    clock.time += 2_000;
    expect(has('a.txt')).toBe(true);
    rmSync(path.join(root, 'a.txt'));
    clock.time += 2_000;
    expect(has('a.txt')).toBe(false);
    expect(facts.hasContext('something_else', scopeOf(root))).toBe(false);
  });
});

describe('ProcessContainment', () => {
  it('works on this machine, for the superuser and for others', async () => {
    const prefix = await new ProcessContainment().prefix();
    expect(prefix).toContain('--kill-child');
    expect(await new ProcessContainment({ platform: 'linux', userId: 1000 }).prefix()).toContain('--map-current-user');
  });

  it('is not tried on other platforms', async () => {
    expect(await new ProcessContainment({ platform: 'darwin', userId: 501 }).prefix()).toBeUndefined();
  });
});

describe('NodeClock and NodeDigest', () => {
  it('measure and sleep', async () => {
    const clock = new NodeClock();
    const before = clock.monotonic();
    await clock.sleep(5);
    expect(clock.monotonic() - before).toBeGreaterThan(3);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  });

  it('wake up with the reason of the signal', async () => {
    const abort = new AbortController();
    const sleeping = new NodeClock().sleep(60_000, abort.signal);
    abort.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
    await expect(new NodeClock().sleep(60_000, abort.signal)).rejects.toThrow('stopped');
  });

  it('hash UTF-8 and give ids that do not repeat', () => {
    const digest = new NodeDigest();
    expect(digest.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const ids = new Set(Array.from({ length: 100 }, () => digest.randomId()));
    expect(ids.size).toBe(100);
    expect([...ids].every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});

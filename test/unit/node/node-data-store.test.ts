import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolder } from '../../../capabilities/node/data-folder';
import { NodeDataStore } from '../../../capabilities/node/node-data-store';
import { temporaryFolder } from './temporary-folder';

function store(): NodeDataStore {
  return new NodeDataStore(path.join(temporaryFolder(), 'data'));
}

describe('NodeDataStore', () => {
  it('reads what was written, and nothing for a name that is not there', async () => {
    const data = store();
    expect(await data.read('a/b.json')).toBeUndefined();
    await data.write('a/b.json', 'one');
    await data.write('a/b.json', 'zwei 😀');
    expect(await data.read('a/b.json')).toBe('zwei 😀');
    await data.remove('a/b.json');
    await data.remove('a/b.json');
    expect(await data.read('a/b.json')).toBeUndefined();
  });

  it('keeps its files private, and makes a folder private that was open', async () => {
    const data = store();
    mkdirSync(data.folder, { mode: 0o755 });
    chmodSync(data.folder, 0o755);
    await data.write('x/y', 'secret');
    await data.appendLine('x/z', 'line', true);
    const modes = ['', 'x', 'x/y', 'x/z'].map((name) => statSync(path.join(data.folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  it('lists files in order, without folders and half-written files', async () => {
    const data = store();
    expect(await data.list('x')).toEqual([]);
    await data.write('x/b', '');
    await data.write('x/a', '');
    await data.write('x/deep/c', '');
    writeFileSync(path.join(data.folder, 'x/a.123.tmp'), 'half');
    expect(await data.list('x')).toEqual(['a', 'b']);
  });

  it('leaves no temporary file behind, also when the write fails', async () => {
    const data = store();
    await data.write('ok', '1');
    mkdirSync(path.join(data.folder, 'taken/inside'), { recursive: true });
    await expect(data.write('taken', 'x')).rejects.toThrow();
    expect(readdirSync(data.folder).sort()).toEqual(['ok', 'taken']);
  });

  it('appends whole lines', async () => {
    const data = store();
    await data.appendLine('log', 'one', false);
    await data.appendLine('log', 'two', true);
    expect(readFileSync(path.join(data.folder, 'log'), 'utf8')).toBe('one\ntwo\n');
    await expect(data.appendLine('log', 'a\nb', false)).rejects.toThrow('line break');
  });

  it('fails instead of leaving a part of a line unnoticed when the disk is full', async () => {
    const data = store();
    mkdirSync(data.folder);
    symlinkSync('/dev/full', path.join(data.folder, 'log'));
    await expect(data.appendLine('log', 'one', false)).rejects.toThrow();
  });

  it('lets exactly one of many callers claim a file', async () => {
    const data = store();
    await data.write('token', 'content');
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => data.claim('token', `claimed/${index}`)),
    );
    const winner = results.indexOf(true);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await data.read(`claimed/${winner}`)).toBe('content');
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', '', '.'])('refuses the name %j', async (name) => {
    await expect(store().write(name, 'x')).rejects.toThrow('not a name inside');
  });

  it('refuses a data folder that is a link', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'elsewhere'));
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'data'));
    await expect(new NodeDataStore(path.join(folder, 'data')).write('a', 'x')).rejects.toThrow(
      'not a folder of this user',
    );
  });

  it.each([
    ['the group', 0o770],
    ['everyone', 0o777],
  ])('trusts nothing in a data folder that %s can write to, and does not make it lasting', async (_name, mode) => {
    const data = store();
    await data.write('trusted', 'mine');
    chmodSync(data.folder, mode);
    await expect(data.read('trusted')).rejects.toThrow('Others can write');
    await expect(data.list('x')).rejects.toThrow('Others can write');
    await expect(data.write('a', 'x')).rejects.toThrow('Others can write');
    await expect(data.claim('trusted', 'claimed')).rejects.toThrow('Others can write');
    expect(statSync(data.folder).mode & 0o777).toBe(mode);
  });

  it('reads nothing through a data folder that is a link', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'elsewhere'));
    writeFileSync(path.join(folder, 'elsewhere', 'trusted'), 'planted');
    symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'data'));
    await expect(new NodeDataStore(path.join(folder, 'data')).read('trusted')).rejects.toThrow('not a folder');
  });

  it('passes other failures on', async () => {
    const data = store();
    await data.write('folder/file', 'x');
    await expect(data.read('folder')).rejects.toThrow('EISDIR');
    await expect(data.list('folder/file')).rejects.toThrow('ENOTDIR');
    mkdirSync(path.join(data.folder, 'full/inside'), { recursive: true });
    await expect(data.claim('folder/file', 'full')).rejects.toThrow();
    expect(await data.claim('nothing', 'x')).toBe(false);
  });
});

describe('dataFolder', () => {
  it.each([
    ['linux', {}, '/home/me/.local/share/capability-layer'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/capability-layer'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/capability-layer'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/me/Library/Application Support/capability-layer'],
    ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Local\\capability-layer'],
    ['win32', {}, '\\home\\me\\AppData\\Local\\capability-layer'],
  ] as const)('on %s with %j is %s', (platform, environment, expected) => {
    expect(dataFolder({ platform, home: '/home/me', environment })).toBe(expected);
  });
});

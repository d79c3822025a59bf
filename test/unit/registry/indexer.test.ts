import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../capabilities/models';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import type { FileSystem } from '../../../capabilities/ports';
import { Indexer } from '../../../capabilities/registry/indexer';
import { Registry } from '../../../capabilities/registry/registry';
import { actionText, digest, packText, rules, workspace } from './definition-fixtures';

const logger = { log: () => undefined };

describe('Indexer on a real folder', () => {
  let root: string;
  let scope: Scope;
  let registry: Registry;
  let indexer: Indexer;

  const file = (name: string): string => path.join(scope.definitions, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), content);
  };
  const ids = (): string[] => registry.all().map(({ id }) => id);
  const codes = (name: string): string[] => registry.diagnostics(file(name)).map(({ code }) => code);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'indexer-')));
    scope = { name: 'app', kind: 'workspace', root, definitions: path.join(root, '.capabilities') };
    mkdirSync(scope.definitions);
    registry = new Registry(digest);
    indexer = new Indexer({ registry, fileSystem: new NodeFileSystem(), logger, rules });
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  test('reads what can be read and gives everything else one diagnostic', async () => {
    write('a.yaml', actionText('a.x'));
    write('deep/er/b.yml', actionText('b.x'));
    write('notes.txt', 'action_id: [');
    write('bytes.yaml', Uint8Array.of(0x61, 0x3a, 0xff, 0xfe));
    write('big.yaml', 'x'.repeat(300_000));
    mkdirSync(file('folder.yaml'));
    symlinkSync(file('nowhere.yaml'), file('link.yaml'));
    await indexer.load([scope]);
    expect(ids()).toEqual(['a', 'a.x', 'b', 'b.x']);
    expect(codes('a.yaml')).toEqual([]);
    expect(codes('bytes.yaml')).toEqual(['file-not-utf8']);
    expect(codes('big.yaml')).toEqual(['file-too-large']);
    expect(codes('folder.yaml')).toEqual(['file-unreadable']);
    expect(codes('link.yaml')).toEqual(['file-unreadable']);
    await indexer.refresh(file('link.yaml'));
    expect(codes('link.yaml')).toEqual(['file-unreadable']);
  });

  test('leaves the files alone that are not definitions', async () => {
    write('lexicon.yaml', 'words: {}');
    write('policy.yml', 'rules: []');
    write('evaluation/samples.yaml', 'samples: []');
    write('sub/policy.yaml', packText('p'));
    await indexer.load([scope]);
    await indexer.refresh(file('lexicon.yaml'));
    expect(registry.paths).toEqual(['lexicon.yaml', 'policy.yml', 'sub/policy.yaml'].map(file));
    expect(registry.policies.map(({ policy }) => policy)).toEqual([{ rules: [] }]);
    expect(codes('lexicon.yaml')).toEqual(['unknown-key']);
    expect(registry.all().map(({ id }) => id)).toEqual(['p']);
  });

  test('reads nothing through a link, however it hears of it', async () => {
    const outside = path.join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'b.yaml'), actionText('b.x'));
    write('a.yaml', actionText('a.x'));
    symlinkSync(file('a.yaml'), file('again.yaml'));
    symlinkSync(path.join(outside, 'b.yaml'), file('b.yaml'));
    symlinkSync(outside, file('linked'));
    await indexer.load([scope]);
    for (const name of ['a.yaml', 'again.yaml', 'b.yaml', 'linked/b.yaml', 'linked']) await indexer.refresh(file(name));
    expect(ids()).toEqual(['a', 'a.x']);
    expect(registry.paths).toEqual([file('a.yaml')]);
  });

  test("refuses a workspace's definition folder that leads out of it, and follows the user's own", async () => {
    const outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'indexer-outside-')));
    writeFileSync(path.join(outside, 'b.yaml'), actionText('b.x'));
    rmSync(scope.definitions, { recursive: true });
    symlinkSync(outside, scope.definitions);
    await indexer.load([scope]);
    await indexer.refresh(file('b.yaml'));
    expect(ids()).toEqual([]);
    expect(registry.diagnostics(scope.definitions).map(({ code }) => code)).toEqual(['file-unreadable']);
    await indexer.load([{ ...scope, kind: 'user' }]);
    await indexer.refresh(file('b.yaml'));
    expect(ids()).toEqual(['b', 'b.x']);
    rmSync(scope.definitions);
    mkdirSync(path.join(root, 'inside'));
    writeFileSync(path.join(root, 'inside/c.yaml'), actionText('c.x'));
    symlinkSync('inside', scope.definitions);
    await indexer.load([{ ...scope }]);
    expect(ids()).toEqual(['c', 'c.x']);
    expect(registry.diagnostics(scope.definitions)).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  test('follows single files and whole folders', async () => {
    write('a.yaml', actionText('a.x'));
    await indexer.load([scope]);
    write('a.yaml', actionText('a.y'));
    await indexer.refresh(file('a.yaml'));
    expect(ids()).toEqual(['a', 'a.y']);
    write('sub/b.yaml', actionText('b.x'));
    await indexer.refresh(file('sub'));
    expect(ids()).toEqual(['a', 'a.y', 'b', 'b.x']);
    rmSync(file('sub'), { recursive: true });
    await indexer.refresh(file('sub'));
    rmSync(file('a.yaml'));
    await indexer.refresh(file('a.yaml'));
    expect(registry.paths).toEqual([]);
    await indexer.refresh(path.join(root, 'elsewhere.yaml'));
    expect(registry.paths).toEqual([]);
  });

  test('forgets at a new load what has gone in the meantime', async () => {
    write('a.yaml', actionText('a.x'));
    write('b.yaml', actionText('b.x'));
    await indexer.load([scope]);
    rmSync(file('b.yaml'));
    await indexer.load([scope]);
    expect(ids()).toEqual(['a', 'a.x']);
  });

  test('gives a file to the innermost of two scopes', async () => {
    const inner: Scope = { name: 'inner', kind: 'user', root: file('mine'), definitions: file('mine') };
    write('mine/a.yaml', actionText('a.x'));
    await indexer.load([inner]);
    await indexer.refresh(file('mine/a.yaml'));
    expect(registry.all().map(({ key }) => key)).toEqual(['inner:a', 'inner:a.x']);
  });
});

describe('Indexer', () => {
  /** Files in memory; a read of a gated path waits until it is released. */
  class MemoryFiles implements FileSystem {
    readonly paths = new NodeFileSystem().paths;
    readonly home = '/home';
    readonly files = new Map<string, string>();
    readonly gates = new Map<string, Promise<void>>();
    reading = 0;
    mostReading = 0;

    async readText(file: string): ReturnType<FileSystem['readText']> {
      const text = this.files.get(file);
      this.reading += 1;
      this.mostReading = Math.max(this.mostReading, this.reading);
      await (this.gates.get(file) ?? Promise.resolve());
      this.reading -= 1;
      return text === undefined ? { ok: false, reason: 'missing' } : { ok: true, text };
    }

    readBytes(): ReturnType<FileSystem['readBytes']> {
      return Promise.resolve({ ok: false, reason: 'missing' });
    }

    listYaml(folder: string, limit: number): Promise<readonly string[]> {
      return Promise.resolve(
        [...this.files.keys()]
          .filter((name) => name.startsWith(folder))
          .sort()
          .slice(0, limit),
      );
    }

    exists = (file: string): Promise<boolean> => Promise.resolve(this.files.has(file));
    realPath = (file: string): Promise<string> => Promise.resolve(file);
  }

  const make = (): { files: MemoryFiles; registry: Registry; indexer: Indexer } => {
    const files = new MemoryFiles();
    const registry = new Registry(digest);
    return { files, registry, indexer: new Indexer({ registry, fileSystem: files, logger, rules }) };
  };

  test('reads a bounded number of files at once, 5,000 at most, and says where it stopped', async () => {
    const { files, registry, indexer } = make();
    for (let index = 0; index < 5003; index += 1) {
      files.files.set(`${workspace.definitions}/${String(index).padStart(5, '0')}.yaml`, '');
    }
    await indexer.load([workspace]);
    expect(files.mostReading).toBe(32);
    expect(registry.paths).toHaveLength(5001);
    expect(registry.diagnostics(`${workspace.definitions}/05000.yaml`)).toMatchObject([{ code: 'too-many-files' }]);
  });

  test('keeps the text of the read that was started last', async () => {
    const { files, registry, indexer } = make();
    const file = `${workspace.definitions}/a.yaml`;
    await indexer.load([workspace]);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    files.files.set(file, actionText('old.x'));
    files.gates.set(file, gate);
    const slow = indexer.refresh(file);
    files.files.set(file, actionText('new.x'));
    files.gates.clear();
    await indexer.refresh(file);
    release();
    await slow;
    expect(registry.all().map(({ id }) => id)).toEqual(['new', 'new.x']);
  });

  test('a load that is overtaken brings nothing back, and ends with the newer one', async () => {
    const { files, registry, indexer } = make();
    const gone: Scope = { name: 'gone', kind: 'workspace', root: '/gone', definitions: '/gone/.capabilities' };
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    files.files.set('/gone/.capabilities/a.yaml', actionText('a.x'));
    files.gates.set('/gone/.capabilities/a.yaml', gate);
    files.files.set(`${workspace.definitions}/b.yaml`, actionText('b.x'));
    const overtaken = indexer.load([gone, { ...workspace }]);
    const newer = indexer.load([{ ...workspace }]);
    await newer;
    release();
    await overtaken;
    expect(registry.all().map(({ id }) => id)).toEqual(['b', 'b.x']);
    expect(registry.lookup('gone:a.x').kind).toBe('unknown');
  });
});

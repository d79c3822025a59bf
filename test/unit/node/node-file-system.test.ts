import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../capabilities/node/node-file-system';
import { temporaryFolder } from './temporary-folder';

const files = new NodeFileSystem('/home/me');

describe('readText', () => {
  it('keeps a BOM and reads up to the limit', async () => {
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, '\ufeffä');
    expect(await files.readText(file, 5)).toEqual({ ok: true, text: '\ufeffä' });
    expect(await files.readText(file, 4)).toEqual({ ok: false, reason: 'too-large' });
  });

  it('reads files of several blocks', async () => {
    const file = path.join(temporaryFolder(), 'a');
    writeFileSync(file, 'x'.repeat(200_000));
    expect(await files.readText(file, 300_000)).toMatchObject({ ok: true, text: 'x'.repeat(200_000) });
  });

  it.each([
    ['nothing', () => undefined, 'missing'],
    [
      'a folder',
      (file: string) => {
        mkdirSync(file);
      },
      'not-a-file',
    ],
    [
      'bytes that are not UTF-8',
      (file: string) => {
        writeFileSync(file, Buffer.from([0x61, 0xff]));
      },
      'not-utf8',
    ],
    [
      'a link to nothing',
      (file: string) => {
        symlinkSync('/nowhere', file);
      },
      'missing',
    ],
    [
      'a link to itself',
      (file: string) => {
        symlinkSync(file, file);
      },
      'missing',
    ],
    ['a named pipe without a writer', (file: string) => execFileSync('mkfifo', [file]), 'not-a-file'],
  ] as const)('says why %s can not be read', async (_name, make, reason) => {
    const file = path.join(temporaryFolder(), 'a');
    make(file);
    expect(await files.readText(file, 100)).toEqual({ ok: false, reason });
  });
});

describe('listYaml', () => {
  it('finds YAML files on every level, sorted, and nothing else', async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'b/deep'), { recursive: true });
    for (const name of ['z.yaml', 'a.YML', 'b/deep/c.yml', 'b/readme.md', 'yaml'])
      writeFileSync(path.join(root, name), '');
    const found = await files.listYaml(root, 10);
    expect(found.map((file) => path.relative(root, file))).toEqual(['a.YML', 'b/deep/c.yml', 'z.yaml']);
    expect(await files.listYaml(root, 2)).toHaveLength(2);
  });

  it('answers with nothing for a folder that is not there', async () => {
    expect(await files.listYaml('/nowhere', 10)).toEqual([]);
  });

  it('lists a file at its own place only, and nothing that a link brings in from outside', async () => {
    const outside = temporaryFolder();
    const root = temporaryFolder();
    writeFileSync(path.join(outside, 'evil.yaml'), '');
    mkdirSync(path.join(root, 'real'));
    writeFileSync(path.join(root, 'real/a.yaml'), '');
    symlinkSync(root, path.join(root, 'loop'));
    symlinkSync(path.join(root, 'real'), path.join(root, 'same'));
    symlinkSync(path.join(root, 'real/a.yaml'), path.join(root, 'alias.yaml'));
    symlinkSync(path.join(root, 'real/a.yaml'), path.join(root, 'alias.txt'));
    symlinkSync(outside, path.join(root, 'out'));
    symlinkSync(path.join(outside, 'evil.yaml'), path.join(root, 'evil.yaml'));
    const found = await files.listYaml(root, 100);
    expect(found.map((file) => path.relative(root, file))).toEqual(['real/a.yaml']);
  });

  it('lists what carries a YAML name and is no file, so that it is reported', async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'folder.yaml'));
    symlinkSync('/nowhere', path.join(root, 'dangling.yaml'));
    symlinkSync('/nowhere', path.join(root, 'dangling'));
    const found = await files.listYaml(root, 100);
    expect(found.map((file) => path.basename(file))).toEqual(['dangling.yaml', 'folder.yaml']);
  });
});

describe('exists and realPath', () => {
  it('resolve links and know what is not there', async () => {
    const root = temporaryFolder();
    writeFileSync(path.join(root, 'a'), '');
    symlinkSync('a', path.join(root, 'link'));
    expect(await files.exists(path.join(root, 'link'))).toBe(true);
    expect(await files.exists(path.join(root, 'none'))).toBe(false);
    expect(await files.realPath(path.join(root, 'link'))).toBe(path.join(root, 'a'));
    expect(await files.realPath(path.join(root, 'none'))).toBeUndefined();
  });

  it('has the paths of the platform', () => {
    const { paths } = files;
    expect(paths.join('/a', '..', 'b')).toBe('/b');
    expect(paths.resolve('/a', 'b')).toBe('/a/b');
    expect(paths.relative('/a/b', '/a/c')).toBe('../c');
    expect(paths.dirname('/a/b.TXT')).toBe('/a');
    expect(paths.basename('/a/b.TXT')).toBe('b.TXT');
    expect(paths.extension('/a/b.TXT')).toBe('.txt');
    expect(files.home).toBe('/home/me');
  });
});

import fc from 'fast-check';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { protectedNames } from '../../../../capabilities/execution/isolation/isolation-planner';
import { readWrittenPlace, resolveWritablePlaces } from '../../../../capabilities/execution/isolation/writable-places';
import { NodeFileSystem } from '../../../../capabilities/node/node-file-system';
import { temporaryFolder } from '../../node/temporary-folder';

describe('a writable place as it is written', () => {
  it.each([
    ['.', { base: 'workspace', relative: '', kind: 'folder' }],
    ['**', { base: 'workspace', relative: '', kind: 'folder' }],
    ['dist/', { base: 'workspace', relative: 'dist', kind: 'folder' }],
    ['dist/**', { base: 'workspace', relative: 'dist', kind: 'folder' }],
    ['./dist/**/*', { base: 'workspace', relative: 'dist', kind: 'folder' }],
    ['notes.md', { base: 'workspace', relative: 'notes.md', kind: 'file' }],
    ['a\\b\\**', { base: 'workspace', relative: 'a/b', kind: 'folder' }],
    ['~/.cache/tool/**', { base: 'home', relative: '.cache/tool', kind: 'folder' }],
    ['~/.bashrc', { base: 'home', relative: '.bashrc', kind: 'file' }],
  ])('%s is read', (pattern, expected) => {
    expect(readWrittenPlace(pattern)).toEqual({ ok: true, value: expected });
  });

  it.each(['/etc', 'C:\\x', '~', '~/', '~/.', '~root/x', '..', 'a/../../b', 'a/*.ts', 'a/{b,c}', '!a', '**/x'])(
    '%s is refused',
    (pattern) => {
      expect(readWrittenPlace(pattern).ok).toBe(false);
    },
  );

  it('never leads out of its base, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.', '~', '*', '**', 'a', '/', '\\', 'C:', ''), { maxLength: 8 }),
        (parts) => {
          const read = readWrittenPlace(parts.join('/'));
          if (!read.ok) return;
          expect(read.value.relative.split('/')).not.toContain('..');
          expect(path.isAbsolute(read.value.relative)).toBe(false);
        },
      ),
    );
  });
});

describe('a writable place on this machine', () => {
  const resolve = (root: string, ...patterns: string[]) =>
    resolveWritablePlaces(patterns, { workspaceFolder: root, fileSystem: new NodeFileSystem() });

  it('may be missing', async () => {
    const root = temporaryFolder();
    expect(await resolve(root, 'a/b/**', '.')).toEqual({
      ok: true,
      value: [
        { path: path.join(root, 'a/b'), kind: 'folder' },
        { path: root, kind: 'folder' },
      ],
    });
  });

  it('is refused when a link leads out of the workspace, at its end or on the way', async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    symlinkSync(outside, path.join(root, 'out'));
    mkdirSync(path.join(root, 'in'));
    symlinkSync(path.join(root, 'in'), path.join(root, 'link'));
    for (const pattern of ['out/**', 'out/deeper/**', 'out/file'])
      expect((await resolve(root, pattern)).ok).toBe(false);
    expect(await resolve(root, 'link/x/**')).toMatchObject({ value: [{ path: path.join(root, 'in/x') }] });
  });
});

it('what decides what happens later stays read-only unless it is named itself', () => {
  const all = ['.git', '.vscode', '.capabilities', '.mcp.json', '.devcontainer', '.husky'];
  expect(protectedNames(['.'])).toEqual(all);
  expect(protectedNames(['.git/**'])).toEqual([...all.slice(1), '.git/hooks', '.git/config']);
  expect(protectedNames(['.git/refs/**'])).toEqual(all);
  expect(protectedNames(['.git/**', '.git/config'])).toEqual([...all.slice(1), '.git/hooks']);
  expect(protectedNames(['~/.vscode/**'])).toEqual(all);
});

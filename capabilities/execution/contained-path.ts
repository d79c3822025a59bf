import type { FileSystem, Paths } from '../ports';

/** Whether `inner` is `outer` or lies below it. Both must be real paths. */
export function isInside(paths: Paths, outer: string, inner: string): boolean {
  const relative = paths.relative(outer, inner);
  return relative === '' || !/^(?:\.\.(?:[\\/]|$)|[A-Za-z]:|[\\/])/.test(relative);
}

/** Real path of `path`, taken relative to `base`, when it exists and lies inside `root`, all links resolved. */
export async function realPathInside(
  fileSystem: FileSystem,
  root: string,
  base: string,
  path: string,
): Promise<{ readonly kind: 'inside'; readonly path: string } | { readonly kind: 'missing' | 'outside' }> {
  const realRoot = await fileSystem.realPath(root);
  const target = await fileSystem.realPath(fileSystem.paths.resolve(base, path));
  if (realRoot === undefined || target === undefined) return { kind: 'missing' };
  return isInside(fileSystem.paths, realRoot, target) ? { kind: 'inside', path: target } : { kind: 'outside' };
}

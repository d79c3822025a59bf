import path from 'node:path';
import type { Paths } from '../ports';

/** Path arithmetic of the platform the process runs on. */
export const nodePaths: Paths = {
  join: (...parts) => path.join(...parts),
  resolve: (base, relative) => path.resolve(base, relative),
  relative: (from, to) => path.relative(from, to),
  dirname: (file) => path.dirname(file),
  basename: (file) => path.basename(file),
  extension: (file) => path.extname(file).toLowerCase(),
};

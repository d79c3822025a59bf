import { fileURLToPath, pathToFileURL } from 'node:url';

/** Absolute path of a `file:` URI; undefined for any other scheme or a malformed URI. */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/**
 * Remembers the form in which the client writes the URI of a file, so that diagnostics and links name the document the
 * client has open.
 */
export class FileUris {
  readonly #known = new Map<string, string>();

  /** Path of a URI the client sent; the form is remembered. */
  learn(uri: string): string | undefined {
    const path = pathOfUri(uri);
    if (path !== undefined) this.#known.set(path, uri);
    return path;
  }

  uriOf(path: string): string {
    return this.#known.get(path) ?? pathToFileURL(path).href;
  }
}

/** Where the parts of an installed host are. */
export interface Host {
  /** Folder of the installation; `playwright-core` is resolved from here. */
  readonly root: string;
  /** Executable of the Node that the VS Code server needs. */
  readonly node: string;
  /** Entry file of the VS Code server. */
  readonly server: string;
  /** Executable of the browser. */
  readonly chromium: string;
}

/** The folder that holds everything this project caches between runs. */
export function cacheFolder(environment?: NodeJS.ProcessEnv): string;

/**
 * Returns the installed host, installing it first when it is missing or half finished. Concurrent callers
 * wait for the one that installs. Rejects with an error that says what to do when a download fails.
 */
export function installHost(options?: { readonly report?: (line: string) => void }): Promise<Host>;

/** Rejects with the missing system library's name when the browser can't start on this machine. */
export function checkChromium(host: Host): Promise<void>;

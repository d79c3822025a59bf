import type { Host } from './install-host.mjs';

/** How to start a VS Code server. */
export interface ServerOptions {
  /** Workspace folder to open; none opens an empty window. */
  readonly folder?: string;
  /** Packaged extensions (`.vsix` files) and unpacked ones (folders), installed before the start. */
  readonly extensions?: readonly string[];
  /** User settings, over quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further files of the profile's `User` folder by relative path; what is not a string is written as JSON. */
  readonly userFiles?: Readonly<Record<string, unknown>>;
  /** `disabled` (default) trusts every folder; `prompt` starts in Restricted Mode, with the dialog that asks for trust. */
  readonly trust?: 'disabled' | 'prompt';
  /** Home folder of the server; a temporary one by default, and then no XDG_* variable is inherited either. */
  readonly home?: string;
  /** Further environment of the server and the extension host; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Profile to keep between runs, with the settings that are in it; a temporary one by default. */
  readonly dataDir?: string;
  /** 0 (default) takes a free port. */
  readonly port?: number;
  /** Leaves the temporary folder in place after `stop`. */
  readonly keep?: boolean;
  /** Receives progress lines of the installation. */
  readonly report?: (line: string) => void;
}

/** A running VS Code server. */
export interface Server {
  /** Opens the workbench on the folder. */
  readonly url: string;
  /** Host and port. */
  readonly authority: string;
  /** The server's home folder. */
  readonly home: string;
  /** The profile: `data/User/settings.json`, `extensions/`. */
  readonly dataDir: string;
  readonly serverPid: number;
  readonly host: Host;
  /** Resolves when the server is gone, also when it ended by itself. */
  readonly ended: Promise<void>;
  /** The last lines that the server wrote. */
  log(): string;
  /** Ends every process of the server and removes the temporary folder; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a VS Code server and resolves when it listens. Rejects with the server's last lines when it does not. */
export function startServer(options?: ServerOptions): Promise<Server>;

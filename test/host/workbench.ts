import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as vscode from 'vscode';
import { BridgeServer } from './bridge-server.js';
import { readDialog, type Dialog } from './dialog.js';
import { checkChromium } from './install-host.mjs';
import { loadPlaywright, type Browser, type Page } from './playwright.js';
import { within } from './within.js';
import { startServer, type Server, type ServerOptions } from './server.mjs';

/** The `vscode` API, as functions inside the extension host receive it. */
export type VsCode = typeof vscode;

/** How to launch a workbench: the server's options and these. */
export interface WorkbenchOptions extends ServerOptions {
  /** Folder for screenshots; `test-artifacts` in the repository by default. */
  readonly artifacts?: string;
  /** Size of the window; 1280 × 800 by default. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** How long one step in the page may take, in milliseconds; 30 s by default. */
  readonly stepTimeout?: number;
}

/** A real VS Code: a server with its extension host, and its workbench in a headless browser. */
export interface Workbench {
  readonly page: Page;
  readonly server: Server;
  /**
   * Runs a function inside the extension host and returns its result. It is sent as source text: it can use its
   * arguments, but nothing from around it. Arguments and result travel as JSON. Rejects with what it throws.
   */
  inside<A extends unknown[], R>(run: (vscode: VsCode, ...args: A) => R | Promise<R>, ...args: A): Promise<R>;
  /** Writes a picture of the window into the artifacts folder, and returns its path. */
  screenshot(name: string): Promise<string>;
  /** Waits for a modal dialog. */
  dialog(): Promise<Dialog>;
  /** Waits for a step, and adds the last lines of the logs to its error. */
  step<T>(what: string, work: Promise<T>): Promise<T>;
  /** Ends the browser and every process of the server, and removes the profile. Safe to call twice. */
  close(): Promise<void>;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const ARTIFACTS = path.resolve(here, '../../test-artifacts');
const DEFAULT_VIEWPORT = { width: 1280, height: 800 };
const DEFAULT_STEP_TIMEOUT = 30_000;
const START_TIMEOUT = 60_000;
const KEPT_CONSOLE_LINES = 40;
const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but loopback is reachable, for workers and sockets as well: all else goes to a proxy that is not there.
  '--proxy-server=http://127.0.0.1:1',
];

/** Launches VS Code and resolves when its extension host answers. Cleans up after itself when that fails. */
export async function launchWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const launch = new Launch(options);
  try {
    return await launch.start();
  } catch (error) {
    await launch.close();
    throw launch.explain('Launching VS Code failed', error);
  }
}

/** One launch: it owns what has to be closed, also after half a start. */
class Launch {
  readonly #options: WorkbenchOptions;
  readonly #console: string[] = [];
  #bridge: BridgeServer | undefined;
  #server: Server | undefined;
  #browser: Browser | undefined;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
  }

  async start(): Promise<Workbench> {
    const bridge = (this.#bridge = await BridgeServer.start());
    const server = (this.#server = await startServer({
      ...this.#options,
      extensions: [...(this.#options.extensions ?? []), path.join(here, 'bridge')],
      env: { ...this.#options.env, ...bridge.environment() },
    }));
    const page = await this.#openPage(server);
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.locator('.monaco-workbench').waitFor({ timeout: START_TIMEOUT });
    await within(START_TIMEOUT, 'the extension host to start', bridge.connected());
    return this.#workbench(page, server, bridge);
  }

  async #openPage(server: Server): Promise<Page> {
    this.#browser = await loadPlaywright(server.host.root)
      .chromium.launch({
        executablePath: server.host.chromium,
        headless: true,
        env: { ...process.env, HOME: server.home },
        args: BROWSER_ARGUMENTS,
        handleSIGINT: false,
      })
      .catch(async (error: unknown) => {
        await checkChromium(server.host);
        throw error;
      });
    const context = await this.#browser.newContext({ viewport: this.#options.viewport ?? DEFAULT_VIEWPORT });
    context.setDefaultTimeout(this.#options.stepTimeout ?? DEFAULT_STEP_TIMEOUT);
    const page = await context.newPage();
    page.on('console', (message) => {
      this.#keepLine(message.text());
    });
    page.on('pageerror', (error) => {
      this.#keepLine(`page error: ${error.message}`);
    });
    page.on('crash', () => {
      this.#keepLine('the page crashed');
    });
    return page;
  }

  #keepLine(line: string): void {
    this.#console.push(line);
    if (this.#console.length > KEPT_CONSOLE_LINES) this.#console.shift();
  }

  #workbench(page: Page, server: Server, bridge: BridgeServer): Workbench {
    const step = async <T>(what: string, work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        throw this.explain(what, error);
      });
    return {
      page,
      server,
      step,
      inside: (run, ...args) => {
        const result = callInside(bridge, run, args);
        // A test that failed half-way leaves its call behind; that must not fail the run a second time.
        result.catch(() => undefined);
        return result;
      },
      screenshot: async (name) => this.#screenshot(page, name),
      dialog: async () => step('Waiting for a dialog', readDialog(page)),
      close: async () => this.close(),
    };
  }

  async #screenshot(page: Page, name: string): Promise<string> {
    const folder = this.#options.artifacts ?? ARTIFACTS;
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    return file;
  }

  /** The one place that words a failure: what was done, why it failed, and what the two sides said last. */
  explain(what: string, error: unknown): Error {
    const reason = error instanceof Error ? error.message : String(error);
    const logs = [
      ['the VS Code server', this.#server?.log() ?? ''],
      ['the page and the extension host', this.#console.join('\n')],
    ].flatMap(([source, text]) => (text ? [`--- last lines of ${source ?? ''}\n${text}`] : []));
    return new Error([`${what}: ${reason}`, ...logs].join('\n'), { cause: error });
  }

  async close(): Promise<void> {
    await this.#browser?.close().catch(() => undefined);
    await this.#server?.stop();
    this.#bridge?.close();
  }
}

async function callInside<A extends unknown[], R>(
  bridge: BridgeServer,
  run: (vscode: VsCode, ...args: A) => R | Promise<R>,
  args: A,
): Promise<R> {
  return (await bridge.call(run.toString(), args)) as R;
}

import { createRequire } from 'node:module';
import path from 'node:path';

/** How long to wait, in milliseconds. */
export interface Timeout {
  readonly timeout?: number;
}

/** How to find an element by its accessible role. */
export interface RoleOptions {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
}

/** The part of Playwright's Locator that the tests use. */
export interface Locator {
  locator(selector: string): Locator;
  getByRole(role: string, options?: RoleOptions): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
  filter(options: { readonly hasText?: string | RegExp; readonly visible?: boolean }): Locator;
  or(other: Locator): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  click(options?: Timeout): Promise<void>;
  hover(options?: Timeout): Promise<void>;
  fill(text: string, options?: Timeout): Promise<void>;
  press(key: string, options?: Timeout): Promise<void>;
  waitFor(options?: Timeout & { readonly state?: 'attached' | 'detached' | 'visible' | 'hidden' }): Promise<void>;
  isVisible(): Promise<boolean>;
  count(): Promise<number>;
  innerText(options?: Timeout): Promise<string>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string, options?: Timeout): Promise<string | null>;
}

/** The part of Playwright's Page that the tests use. */
export interface Page {
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  goto(url: string, options?: { readonly waitUntil?: 'load' | 'commit' }): Promise<unknown>;
  reload(): Promise<unknown>;
  locator(selector: string): Locator;
  getByRole(role: string, options?: RoleOptions): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
  evaluate(expression: string): Promise<unknown>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  on(event: 'console', listener: (message: { text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'crash', listener: () => void): void;
}

/** The part of Playwright's BrowserContext that the tests use. */
export interface BrowserContext {
  newPage(): Promise<Page>;
  setDefaultTimeout(milliseconds: number): void;
}

/** The part of Playwright's Browser that the tests use. */
export interface Browser {
  newContext(options: {
    readonly viewport: { readonly width: number; readonly height: number };
  }): Promise<BrowserContext>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string;
      readonly headless: boolean;
      readonly env: Record<string, string | undefined>;
      readonly args: readonly string[];
      readonly handleSIGINT: boolean;
    }): Promise<Browser>;
  };
}

/** Loads Playwright from the installed host, so that the product itself does not depend on it. */
export function loadPlaywright(hostRoot: string): Playwright {
  return createRequire(path.join(hostRoot, 'package.json'))('playwright-core') as Playwright;
}

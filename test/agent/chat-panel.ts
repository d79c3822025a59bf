import type { Locator, Page } from '../host/playwright.js';
import { within } from '../host/within.js';
import type { VsCode, Workbench } from '../host/workbench.js';

/** What to do when VS Code itself asks for approval of a tool. */
export type ToolConfirmation = 'allow' | 'skip' | 'leave';

/** The chat view, as a user sees and uses it. */
export class ChatPanel {
  /** The confirmations that were answered, by their text. */
  readonly confirmations: string[] = [];
  readonly #workbench: Workbench;
  readonly #page: Page;
  readonly #policy: ToolConfirmation;

  constructor(workbench: Workbench, policy: ToolConfirmation) {
    this.#workbench = workbench;
    this.#page = workbench.page;
    this.#policy = policy;
  }

  /** Sends a query in agent mode to a vendor's model, and resolves with the response when the agent is done. */
  async ask(query: string, vendor: string, timeout: number): Promise<string> {
    // The command returns when the response is complete, or when VS Code waits for a confirmation.
    const opened = this.#workbench.inside(openChat, query, vendor);
    await within(timeout, 'the response', opened);
    while (await this.#awaitsConfirmation(timeout)) await this.#answerConfirmation(timeout);
    return this.#lastResponse().innerText();
  }

  /** Everything that the chat shows, from the first query on. */
  async text(): Promise<string> {
    return (await this.#page.locator('.interactive-session .interactive-item-container').allInnerTexts()).join('\n');
  }

  #lastResponse(): Locator {
    return this.#page.locator('.interactive-response.chat-most-recent-response:not(.chat-response-loading)');
  }

  #confirmation(): Locator {
    // The same confirmation is in the conversation and above the input; the latter is the one that is never scrolled away.
    return this.#page.locator('.chat-confirmation-widget2').filter({ visible: true }).last();
  }

  async #awaitsConfirmation(timeout: number): Promise<boolean> {
    await this.#lastResponse().or(this.#confirmation()).first().waitFor({ timeout });
    return this.#confirmation().isVisible();
  }

  async #answerConfirmation(timeout: number): Promise<void> {
    const confirmation = this.#confirmation();
    if (this.#policy !== 'leave') {
      this.confirmations.push(await confirmation.innerText());
      // "Allow Once" or "Allow in this Session", whichever VS Code offers first.
      const label = this.#policy === 'allow' ? /^allow/i : /^(skip|proceed without)/i;
      await confirmation.getByRole('button', { name: label }).first().click();
    }
    await this.#page
      .locator('.chat-confirmation-widget2')
      .filter({ visible: true })
      .first()
      .waitFor({ state: 'hidden', timeout });
  }
}

/** Runs inside the extension host. */
async function openChat(vscode: VsCode, query: string, vendor: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query,
    mode: 'agent',
    modelSelector: { vendor },
    blockOnResponse: true,
  });
}

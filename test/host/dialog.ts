import type { Page } from './playwright.js';

/** A modal dialog of the workbench, as it was when it was read. */
export interface Dialog {
  /** The message. */
  readonly text: string;
  /** The smaller text below the message; empty when there is none. */
  readonly detail: string;
  /** The buttons' labels from left to right, which on Linux puts the first action last. */
  readonly buttons: readonly string[];
  /** Clicks the button with exactly this label, and resolves when the dialog is gone. */
  click(label: string): Promise<void>;
  /** Presses a key (`Escape`, `Enter`), and resolves when the dialog is gone. */
  press(key: string): Promise<void>;
}

/** Waits for a modal dialog and reads it. */
export async function readDialog(page: Page): Promise<Dialog> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor({ state: 'visible' });
  // VS Code's own dialogs have a formatted body in the place of the detail.
  const details = await box
    .locator('.dialog-message-detail, .dialog-message-body')
    .filter({ visible: true })
    .allInnerTexts();
  const gone = async () => box.waitFor({ state: 'detached' });
  return {
    text: await box.locator('.dialog-message-text').innerText(),
    detail: details.join('\n').trim(),
    buttons: await box.locator('.dialog-buttons-row .monaco-button').filter({ visible: true }).allInnerTexts(),
    async click(label) {
      await box.getByRole('button', { name: label, exact: true }).click();
      await gone();
    },
    async press(key) {
      await page.keyboard.press(key);
      await gone();
    },
  };
}

import type { CompletionItem, CompletionList } from 'vscode-languageserver';
import { TextEdit } from 'vscode-languageserver';
import type { RegistryView } from '../../../capabilities/models';
import { provideCompletion } from '../../../server/features/completion-provider';
import { PositionIndex } from '../../../server/features/position';
import { registryOf } from './registry-double';

/** Takes the cursor marker out of a source: `▮` when there is one (for texts with block scalars), else `|`. */
export function withCursor(marked: string): { readonly text: string; readonly offset: number } {
  const marker = marked.includes('▮') ? '▮' : '|';
  const offset = marked.indexOf(marker);
  if (offset < 0 || marked.includes(marker, offset + 1))
    throw new Error(`One cursor expected in ${JSON.stringify(marked)}`);
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

/** The text after an item is accepted. */
export function accept(text: string, item: CompletionItem): string {
  const edit = item.textEdit;
  if (!TextEdit.is(edit)) throw new Error(`${item.label} has no plain edit`);
  const { start, end } = new PositionIndex(text).spanOf(edit.range);
  return text.slice(0, start) + edit.newText + text.slice(end);
}

/** The item with a label; fails when it is not offered exactly once. */
export function itemNamed(list: CompletionList, label: string): CompletionItem {
  const found = list.items.filter((item) => item.label === label);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(
      `${label} is offered ${found.length} times among ${list.items.map((item) => item.label).join(', ')}`,
    );
  }
  return found[0];
}

/** Labels in the order an editor shows them. */
export function labelsOf(list: CompletionList): string[] {
  return [...list.items]
    .sort((first, second) => ((first.sortText ?? '') < (second.sortText ?? '') ? -1 : 1))
    .map(({ label }) => label);
}

/** Completes at the cursor of a marked source. */
export function complete(
  marked: string,
  { registry = registryOf([]), files }: { registry?: RegistryView; files?: readonly string[] } = {},
): { readonly text: string; readonly offset: number; readonly list: CompletionList } {
  const { text, offset } = withCursor(marked);
  return {
    text,
    offset,
    list: provideCompletion({ text, offset, registry, ...(files === undefined ? {} : { files }) }),
  };
}

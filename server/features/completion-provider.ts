import type { CompletionList } from 'vscode-languageserver';
import type { RegistryView } from '../../capabilities/models';
import { completeKeys } from './completion/key-completion';
import { completePlaceholders } from './completion/placeholder-completion';
import { completeReferences } from './completion/reference-completion';
import type { CompletionScope } from './completion/completion-request';
import { completionSlotsAt } from './completion/completion-slots';
import { completeAtFileStart, completeResourceSnippets } from './completion/resource-snippets';
import { completeValues } from './completion/value-completion';
import { documentContextAt, emptyDocumentContext } from './document-context';
import type { FileKind } from './document-context';
import { lineBreakOf } from './outline/source-lines';
import { PositionIndex } from './position';

/** What completion works from. */
export interface CompletionInput {
  readonly text: string;
  /** UTF-16 offset of the cursor. */
  readonly offset: number;
  readonly registry: RegistryView;
  /** Files of the workspace that a definition may name, relative to the workspace folder. */
  readonly files?: readonly string[];
  /** What the file holds; definitions when left out. */
  readonly kind?: FileKind;
}

/** Characters after which an editor should ask by itself. */
export const completionTriggerCharacters: readonly string[] = [' ', ':', '-', '.', '{', '[', ',', '$', '"', "'"];

/**
 * Completion at a cursor in a definition file. Incomplete when more ids fit what is typed than are listed. Every edit lies on
 * the cursor's line and holds the cursor.
 */
export function provideCompletion(input: CompletionInput): CompletionList {
  const { text, offset, kind = 'definitions' } = input;
  const context = documentContextAt(text, offset, { cursor: 'cursor', kind });
  const scope: CompletionScope = {
    context: context ?? emptyDocumentContext(text, kind),
    registry: input.registry,
    files: input.files ?? [],
    positions: new PositionIndex(text),
    offset,
    lineBreak: lineBreakOf(text),
  };
  const atStart = completeAtFileStart(scope);
  if (atStart.length > 0) return { isIncomplete: false, items: [...atStart] };
  return context === undefined ? { isIncomplete: false, items: [] } : completeInDocument(scope);
}

function completeInDocument(scope: CompletionScope): CompletionList {
  const { keys, values } = completionSlotsAt(scope.context, scope.offset);
  // The values of a lexicon are people's own words.
  if (scope.context.types[0] === 'lexicon') {
    return { isIncomplete: false, items: keys.flatMap((slot) => completeKeys(scope, slot)) };
  }
  const references = values.map((slot) => completeReferences(scope, slot));
  const items = [
    ...completeResourceSnippets(scope),
    ...keys.flatMap((slot) => completeKeys(scope, slot)),
    ...references.flatMap((found) => found.items),
    ...values.flatMap((slot) => [...completePlaceholders(scope, slot), ...completeValues(scope, slot)]),
  ];
  return { isIncomplete: references.some(({ isIncomplete }) => isIncomplete), items };
}

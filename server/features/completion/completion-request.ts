import type { CompletionItem, MarkupContent } from 'vscode-languageserver';
import { InsertTextFormat, InsertTextMode } from 'vscode-languageserver';
import type { RegistryView, Span } from '../../../capabilities/models';
import type { DocumentContext } from '../document-context';
import type { PositionIndex } from '../position';

/** What the kinds of completion work from. */
export interface CompletionScope {
  readonly context: DocumentContext;
  readonly registry: RegistryView;
  /** Files of the workspace that a definition may name, relative to the workspace folder. */
  readonly files: readonly string[];
  readonly positions: PositionIndex;
  readonly offset: number;
  readonly lineBreak: string;
}

/** What an item says and inserts. */
export interface Proposal {
  readonly label: string;
  readonly kind: NonNullable<CompletionItem['kind']>;
  readonly replace: Span;
  /** Text, or a snippet when `isSnippet` is true. */
  readonly insert: string;
  readonly isSnippet?: boolean;
  readonly detail?: string | undefined;
  readonly documentation?: MarkupContent | undefined;
  readonly sortText: string;
  /** Opens the suggestions again for the place that the insertion leads to. */
  readonly suggestsNext?: boolean;
}

/**
 * Makes the item. Lines are indented by the proposal itself (`InsertTextMode.asIs`): the editor would indent them from the
 * line, which is wrong behind a dash.
 */
export function toCompletionItem(scope: CompletionScope, proposal: Proposal): CompletionItem {
  const { label, kind, detail, documentation, sortText } = proposal;
  return {
    label,
    kind,
    sortText,
    filterText: label,
    textEdit: { range: scope.positions.rangeOf(proposal.replace), newText: proposal.insert },
    insertTextFormat: proposal.isSnippet === true ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    insertTextMode: InsertTextMode.asIs,
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation }),
    ...(proposal.suggestsNext === true
      ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } }
      : {}),
  };
}

/** What is offered first where a place takes several kinds. */
export const sortGroups = { template: 0, near: 1, value: 2, requiredKey: 3, key: 4 } as const;

/** Sort text for a group (lower first) and a place in it. */
export function sortTextOf(group: (typeof sortGroups)[keyof typeof sortGroups], place: number): string {
  return `${group}${String(place).padStart(5, '0')}`;
}

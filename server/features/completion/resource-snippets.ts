import type { CompletionItem } from 'vscode-languageserver';
import { CompletionItemKind } from 'vscode-languageserver';
import type { Span } from '../../../capabilities/models';
import type { DocumentContext } from '../document-context';
import { documentContexts } from '../document-context';
import { markdown } from '../markdown-text';
import { placeAt } from '../outline/outline-queries';
import { isMarker, splitLines } from '../outline/source-lines';
import { renderTemplateSnippet, renderTemplateText, resourceTemplates } from '../resource-templates';
import type { CompletionScope } from './completion-request';
import { escapeSnippet } from '../snippet-text';
import { sortGroups, sortTextOf, toCompletionItem } from './completion-request';

/** Where a new resource can be written: the text it replaces, and what must stand around it. */
interface SnippetPlace {
  readonly replace: Span;
  readonly before: string;
}

/** Enough of a file to see its first line. */
const LONGEST_START = 1024;

/** New resources, in a document that holds nothing but the word that is being typed. */
export function completeResourceSnippets(scope: CompletionScope): readonly CompletionItem[] {
  const place = placeAt(scope.context.outline, scope.offset);
  const root = place?.kind === 'value' && place.path.length === 0 ? place.value : undefined;
  if (root?.kind !== 'scalar') return [];
  const isBare = root.column === 0 && !root.isMultiline && root.style === 'plain';
  return isBare ? snippetItems(scope, { replace: root.span, before: '' }) : [];
}

/**
 * New resources at the very start of a file whose first line is a comment or `---` and that holds nothing else. The cursor
 * stands before that line, so no document holds it.
 */
export function completeAtFileStart(scope: CompletionScope): readonly CompletionItem[] {
  const { text, types } = scope.context;
  if (types[0] === 'lexicon' || types[0] === 'policy') return [];
  const [firstLine] = splitLines(text.slice(0, LONGEST_START));
  if (firstLine === undefined || scope.offset > firstLine.start || !documentContexts(text).every(holdsNothing))
    return [];
  if (isMarker(text, firstLine)) {
    const marker = text.slice(firstLine.start, firstLine.end);
    return snippetItems(scope, { replace: firstLine, before: marker + scope.lineBreak });
  }
  const isComment = text[firstLine.start] === '#';
  return isComment ? snippetItems(scope, { replace: { start: scope.offset, end: scope.offset }, before: '' }) : [];
}

function holdsNothing({ outline }: DocumentContext): boolean {
  return outline.root.kind === 'empty';
}

function snippetItems(scope: CompletionScope, { replace, before }: SnippetPlace): readonly CompletionItem[] {
  return resourceTemplates.map((template, place) =>
    toCompletionItem(scope, {
      label: template.type,
      kind: CompletionItemKind.Snippet,
      replace,
      insert: escapeSnippet(before) + renderTemplateSnippet(template, scope.lineBreak),
      isSnippet: true,
      detail: template.title,
      documentation: markdown(`${template.description}\n\n\`\`\`yaml\n${renderTemplateText(template, '\n')}\`\`\``),
      sortText: sortTextOf(sortGroups.template, place),
    }),
  );
}
